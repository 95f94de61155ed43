// The rest of the table, over the page: who sits where, what the hand finds, what waits, what was
// played, and what other phones tell.
import { leftOf } from "./counting.js";
import { button, el } from "./dom.js";
import { directorPanel } from "./director.js";
import { isSecret } from "./drafts.js";
import { shortAnswer } from "./hand_text.js";
import { isBegun } from "./page.js";
import { nameOf } from "./people.js";
import { picture } from "./picture.js";
import { questions } from "./questions.js";
import { confirmation, playedHands } from "./recorded_hands.js";
import { seasonLink } from "./round_break.js";
import { waitingList } from "./waiting.js";
import { hiddenQuestion } from "./watching.js";
import { say, sayOr } from "./words.js";

export function sheet(page, { next }, actions, { notices, others, before, confirm }) {
  const { table, ui, draft } = page;
  const leave = { sheet: false, calling: false, callProblem: null };
  const close = button(say("close"), () => actions.change(leave), {
    class: "alt",
    "data-focus": "close",
    "data-first": true,
  });
  const top = (words) =>
    el("div", { class: "sheet-top" }, el("h2", { id: "sheet-title" }, words), close);
  if (ui.sheet === "mine") return [top(say("my hands")), ownHands(table.between?.hands ?? [])];
  return [
    top(table.title),
    el("p", { class: "help" }, table.club),
    directorPanel(page.news?.call, ui, actions),
    notices,
    waitingList(page, actions, true),
    picture(table, next),
    you(table, actions),
    seasonLink(table),
    el(
      "ul",
      { class: "facts" },
      facts(table, next).map((text) => el("li", {}, text)),
    ),
    others.map((other) => offered(other, before, draft, actions)),
    confirm.map((hand) => confirmation(hand, table, ui, actions)),
    playedHands(table, ui, actions),
  ];
}

// The hands of the phone's player in this night, round by round, the last one first.
function ownHands(hands) {
  if (!hands.length) return el("p", { class: "help" }, say("no hands yet"));
  const places = [
    ...new Set(hands.map(({ round, table }) => say("round and table", { round, table }))),
  ];
  const line = ({ number, taken, value, is_gain: isGain }) =>
    el(
      "li",
      {},
      el("span", {}, say("hand", { number })),
      el("span", { class: "help" }, taken),
      el("b", { class: isGain ? "change up" : "change down" }, value),
    );
  return places.map((place) =>
    el(
      "section",
      { class: "sheet own-hands" },
      el("h2", {}, place),
      el("ul", {}, hands.filter((one) => say("round and table", one) === place).map(line)),
    ),
  );
}

function you(table, actions) {
  if (!table.speaks) return null;
  const words = say("you are", { seat: nameOf(table.speaks) });
  const isOwn = table.seat !== null;
  if (isOwn && !table.phone) return el("p", { class: "you-are" }, words);
  const choose = () => (isOwn ? actions.leave() : actions.change({ choosing: true, sheet: false }));
  return el(
    "p",
    { class: "you-are" },
    words,
    " ",
    button(say(isOwn ? "not me" : "change seat"), choose, {
      class: "alt",
      "data-focus": "you",
    }),
  );
}

function facts({ seats }, next) {
  const found = [];
  const board = next.phase === "over" ? null : next.board;
  if (board) found.push(say("board", { number: board }));
  if (next.chips) found.push(say("pot", { pot: next.pot }));
  if (next.phase === "over") {
    return [...found, say("over"), sayOr(`over ${next.over}`, "")].filter(Boolean);
  }
  found.push(say("dealer is", { seat: nameOf(next.dealer) }));
  if (next.phase === "auction") {
    found.push(say("bids first", { seat: nameOf(leftOf(seats, next.dealer)) }));
  }
  if (next.jackpot) found.push(say("jackpot", { number: next.jackpot }));
  if (next.jackpot && next.namer) found.push(say("names", { seat: nameOf(next.namer) }));
  if (next.passing) {
    found.push(say("passing", { way: sayOr(`pass ${next.passing}`, next.passing) }));
  }
  if (next.feet_used.length) {
    found.push(say("feet used", { seats: next.feet_used.map(nameOf).join(", ") }));
  }
  return found;
}

// What another phone tells of the hand that is next; `before` is what it inherits.
function offered(other, before, draft, actions) {
  const { asked } = questions(before, { ...hiddenQuestion(before), ...other.answers });
  const cards = asked.filter((one) => one.kind === "card").length;
  const lines = asked.filter((one) => one.kind !== "card" && !isSecret(one.key)).map(shortAnswer);
  if (cards) lines.push(say("cards told", { count: cards }));
  if (other.sees_deal) lines.push(say("sees deal", { seat: nameOf(other.seat) }));
  const isOurs = draft && other.continues === draft.hand;
  const words = isOurs ? "draft goes on" : other.seat ? "draft by" : "draft of desk";
  const unlike = draft && isBegun(draft) ? differing(asked, draft) : [];
  return el(
    "section",
    { class: "sheet offered", "aria-label": say("hand", { number: other.number }) },
    el("p", { class: "answer-head" }, el("b", {}, say(words, { seat: nameOf(other.seat) }))),
    el(
      "ul",
      { class: "record-facts" },
      lines.map((text) => el("li", {}, text)),
    ),
    unlike.length ? el("p", { class: "problem" }, say("draft differs", { what: unlike })) : null,
    el(
      "div",
      { class: "actions" },
      button(say("go on here"), () => actions.goOn(other), {
        class: "alt",
        "data-focus": `go on ${other.id}`,
      }),
      button(say("leave it there"), () => actions.setAside(other), {
        class: "txt",
        "data-focus": `leave ${other.id}`,
      }),
    ),
  );
}

// What the other phone says otherwise than this one.
function differing(asked, { answers }) {
  return asked
    .filter(({ key }) => !isSecret(key))
    .filter(({ key, value }) => answers[key] !== undefined && !isSame(answers[key], value))
    .map(shortAnswer)
    .join(", ");
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
