// The pad: one question at a time, what was told so far, and the hand to look at and send.
import { button, el } from "./dom.js";
import {
  asked as askedBefore,
  back,
  cardTaps,
  exchanged,
  together,
  upTo,
  without,
} from "./changes.js";
import { canCallFoot, course } from "./course.js";
import { forecast } from "./forecast.js";
import { keys } from "./keys.js";
import { isBegun } from "./page.js";
import { tricksTold } from "./picking.js";
import { review } from "./review.js";
import { runs } from "./runs.js";
import { sitterName } from "./sitters.js";
import { hint, short, title } from "./telling.js";
import { say, seatName } from "./words.js";

// `before` is what the hand inherits; `acts` are tell, send, change.
export function pad(before, draft, open, acts) {
  const { asked, open: question, result } = course(before, draft.answers);
  const head = el(
    "p",
    { class: "step" },
    say("hand deals", { number: draft.number, seat: seatName(before.next.dealer) }),
  );
  const fixed = open.fixing === undefined ? null : askedBefore(before, draft.answers, open.fixing);
  const body = fixed
    ? fixing(fixed, before, draft, acts)
    : question
      ? asking(question, before, draft, open, acts)
      : looking(before, draft, result, acts);
  return el(
    "section",
    { class: "sheet pad", "aria-labelledby": "question", "data-asked": question?.key },
    head,
    body,
    fixed ? null : played(asked, question, before, open, acts),
    soFar(asked, draft, acts),
    board(question, draft, before, open, acts),
    otherwise(question, before, draft, acts),
  );
}

function asking(question, before, draft, open, acts) {
  const { answers } = draft;
  const { key, place, playing } = question;
  const ways = playing ? runs(playing, cardTaps(answers)) : [];
  const answer = (value) => acts.tell({ ...answers, [key]: value }, draft);
  const answerAll = (cards) => acts.tell(together(answers, place, cards), draft);
  const isSealed = question.kind === "paper" && before.sealed;
  const more = [sitterName(question.seat, before), hint(question)].filter(Boolean);
  if (isSealed) more.push(say("open above"));
  return [
    el("h2", { id: "question" }, title(question)),
    more.length ? el("p", { class: "help" }, more.join(" · ")) : null,
    keys({ ...question, ways, answerAll }, before, open, answer, acts.change),
  ];
}

// A card that was told before: another one in its place, or everything from there on anew.
function fixing(question, before, draft, acts) {
  const { answers } = draft;
  const { place } = question;
  const answer = (card) => acts.tell(exchanged(before, answers, place, card), draft);
  return [
    el("h2", { id: "question" }, say("other card", { what: short(question) })),
    keys({ ...question, claims: [] }, before, {}, answer, acts.change),
    el(
      "div",
      { class: "actions" },
      button(say("leave it"), () => acts.change({ fixing: undefined }), {
        class: "secondary",
        "data-focus": "leave",
      }),
      button(say("from here"), () => acts.tell(upTo(answers, place), draft), {
        class: "secondary",
        "data-focus": "from here",
      }),
    ),
  ];
}

function looking(before, draft, result, acts) {
  const came = forecast(before, result);
  return [
    el("h2", { id: "question" }, say("is it right")),
    review(before, result, came),
    button(say("send hand", { number: draft.number }), () => acts.send(result, draft), {
      class: "send",
      "data-focus": "send",
      "data-first": true,
    }),
  ];
}

function played(asked, question, { seats }, open, acts) {
  const last = [...asked, question].filter((one) => one?.kind === "card").pop();
  if (!last) return null;
  const { done, trick } = last.playing;
  const change = (some, isShown = true) => (isShown ? acts.change(some) : acts.keep(some));
  return tricksTold(done, trick, seats, open, change);
}

// What was told: every answer can be taken back by itself, and the last one by one tap.
function soFar(asked, draft, acts) {
  if (!isBegun(draft)) return null;
  const shown = asked.filter((one) => one.kind !== "card");
  const items = shown.map((one) =>
    el(
      "li",
      {},
      button(short(one), () => acts.tell(without(draft.answers, one.key), draft), {
        class: "told",
        "aria-label": say("change that", { what: short(one) }),
        "data-focus": `told ${one.key}`,
      }),
    ),
  );
  const undo = button(say("one back"), () => acts.tell(back(draft.answers), draft), {
    class: "secondary",
    "data-focus": "back",
  });
  return el(
    "div",
    { class: "so-far" },
    el("ul", { class: "told-list", "aria-label": say("told so far") }, items),
    undo,
  );
}

// The cards of a prepared board, once it was played.
function board(question, draft, { hasDeal }, open, acts) {
  if (!question || !draft.answers.cards || !hasDeal) return null;
  return el(
    "details",
    { class: "otherwise" },
    el("summary", {}, say("board played")),
    el("p", { class: "help" }, say("board seen")),
    open.undealt ? el("p", { class: "problem", role: "alert" }, say("board not shown")) : null,
    button(say("show board"), () => acts.deal(draft), {
      class: "secondary",
      "data-focus": "board",
    }),
  );
}

// Ends of a hand that no question leads to; a hand can come to them in any phase (DEC-2).
function otherwise(question, before, draft, acts) {
  const { answers } = draft;
  if (!question) return null;
  const { cards } = answers;
  const begun = isBegun(draft);
  const one = (words, mark, act) =>
    button(say(words), act, { class: "secondary", "data-focus": mark });
  const ends = ["redeal", "abandoned", ...(begun ? [] : ["not played"])].map((ending) =>
    one(`end ${ending}`, ending, () => acts.tell({ ...answers, ending }, draft)),
  );
  const mode = one(cards ? "only result" : "every card", "mode", () => acts.mode(!cards, draft));
  const words = el("summary", {}, say("something else"));
  const more = el("details", { class: "otherwise" }, words, el("div", { class: "actions" }, ends));
  if (begun) return el("div", { class: "actions" }, more);
  const foot = one("foot called", "foot", () => acts.tell({ ...answers, ending: "foot" }, draft));
  return el("div", { class: "actions" }, canCallFoot(before) ? foot : null, mode, more);
}
