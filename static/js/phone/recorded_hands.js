// Hands that are on record: how each stands, in plain words; to be confirmed or objected to.
import { decision, settling } from "./dispute.js";
import { button, el } from "./dom.js";
import { withCards } from "./doubts.js";
import { dueSentences } from "./dues.js";
import { recordFacts } from "./hand_text.js";
import { isClosed } from "./page.js";
import { nameOf } from "./people.js";
import { totalChange } from "./review.js";
import { say, sayOr } from "./words.js";

const GOOD = new Set(["accepted", "ruled", "void", "passed out", "foot", "not played"]);
const LOUD = new Set(["error", "ruling"]);

const kindOf = ({ state }) =>
  state === "disputed" ? "disputed" : GOOD.has(state) ? "settled" : "open";

// How a hand stands in a word. A second record that is not used (void) agrees only if somebody else
// said the same; the director may also have set it aside.
const standing = ({ state, rival_of: first, agrees }) =>
  state === "void" && first ? (agrees ? "agrees" : "set aside") : state;

export function stateMark(hand) {
  return el(
    "span",
    { class: `pill ${kindOf(hand)}` },
    sayOr(`state ${standing(hand)}`, hand.state),
  );
}

// The last hand that was answered: what came of it and what the next one finds.
export function lastRecorded(hand, table, ui, actions) {
  return el(
    "section",
    {
      class: `sheet answer ${kindOf(hand)}`,
      "aria-label": say("hand", { number: hand.number }),
    },
    el(
      "p",
      { class: "answer-head" },
      el("b", {}, say("hand", { number: hand.number })),
      stateMark(hand),
    ),
    hand.sentence && el("p", { class: "sentence" }, sentenceWithDues(hand)),
    decision(hand, table),
    hand.state === "disputed" ? dispute(hand, table, actions) : changes(hand),
    ["draft", "void"].includes(hand.state) && hand.reason
      ? el("p", { class: "help" }, hand.reason)
      : null,
    hand.rival_of ? el("p", { class: "help" }, say("rival kept")) : null,
    isClosed(table) || hand.state === "disputed" ? null : second(hand, table, ui, actions),
  );
}

const FINAL = new Set(["taken back", "ruled"]);

// Whoever entered the hand that was played last can take it back or mend it, everybody else object.
function second(hand, table, ui, actions) {
  if (hand.number !== table.next.number - 1 || hand.rival_of || FINAL.has(hand.state)) return null;
  const one = (words, act, mark) =>
    button(say(words), act, { class: "alt", "data-focus": `${mark} ${hand.id}` });
  if (ui.objecting === hand.id) return objectionForm(hand, table, ui, actions);
  if (hand.seat !== table.speaks) {
    return el(
      "div",
      { class: "actions" },
      one("something wrong", () => actions.mend(hand, "objection"), "object"),
    );
  }
  return [
    el(
      "div",
      { class: "actions two" },
      one("take back", () => actions.say(hand, "take-back"), "back"),
      one("mend number", () => actions.mend(hand, "take-back"), "mend"),
    ),
    el(
      "p",
      { class: "help" },
      say(hand.certainty === "confirmed" ? "agreed already" : "back free"),
    ),
  ];
}

// What happened, and who had too few chips for it.
function sentenceWithDues({ sentence, dues }) {
  return [sentence, ...dueSentences(dues)].filter(Boolean).join(" ");
}

function changes({ chips, gained, inChips }) {
  if (!chips || !gained) return null;
  return el(
    "ul",
    { class: "changes" },
    Object.entries(chips).map(([seat, is]) =>
      el(
        "li",
        {},
        el("span", {}, nameOf(seat)),
        " ",
        totalChange(is - gained[seat], is, inChips !== false),
      ),
    ),
  );
}

// What is disputed and why.
function dispute(hand, table, actions) {
  const found = (hand.findings ?? []).filter((one) => LOUD.has(one.severity)).slice(0, 5);
  const reasons = found.map(reason);
  if (!reasons.length && hand.reason) reasons.push(punctuated(hand.reason));
  return [
    el(
      "ul",
      { class: "reasons" },
      reasons.map((text) => el("li", {}, text)),
    ),
    hand.rival_of || otherRecords(hand, table).length ? compared(hand, table) : null,
    hand.rival_of ? null : settling(hand, table, actions),
  ];
}

const PLAYED = ["REVOKE", "FIRST_TRICK", "OPENING_CARD", "PAIN_LED", "NOT_HELD"];

// What was found, with the name of who did it, the card and the trick.
function reason({ name, seat, card, trick, message, hint }) {
  if (PLAYED.includes(name) && seat && card && trick) {
    return withCards(`found ${name}`, { seat: nameOf(seat), card, number: trick });
  }
  const isNamed = seat && message.startsWith(`${seat}: `);
  const words = isNamed ? `${nameOf(seat)}${message.slice(seat.length)}` : message;
  return [words, hint].filter(Boolean).map(punctuated).join(" ");
}

// The engine's short messages as sentences: a capital in front and a stop behind.
function punctuated(text) {
  const words = text.split("; legal: ")[0];
  return words[0].toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? "" : ".");
}

// Other records of the same hand, over which the director has not decided.
export function otherRecords({ id }, { hands }) {
  return hands.filter((one) => one.rival_of === id && one.state === "disputed");
}

// Two records of one hand, side by side.
function compared(hand, table) {
  const first = hand.rival_of ? table.details[hand.rival_of] : hand;
  const others = hand.rival_of
    ? [hand]
    : otherRecords(hand, table).map((one) => table.details[one.id]);
  const all = [first, ...others].filter((one) => one?.result);
  return el(
    "div",
    { class: "compared" },
    all.map((one) =>
      el(
        "div",
        {},
        el(
          "h2",
          {},
          one.seat ? say("record by", { seat: nameOf(one.seat) }) : say("record of desk"),
        ),
        el(
          "ul",
          {},
          recordFacts(one.result, table.seats).map((text) => el("li", {}, text)),
        ),
      ),
    ),
  );
}

// A hand that another seat entered: right or wrong?
export function confirmation(hand, table, ui, actions) {
  const by = hand.seat ? say("entered by", { seat: nameOf(hand.seat) }) : say("entered at desk");
  const said = say(hand.version > 1 ? "is change right" : "is hand right", { number: hand.number });
  const noted = hand.result ? recordFacts(hand.result, table.seats) : [];
  const listed = noted.filter((text) => text !== hand.sentence);
  return el(
    "section",
    { class: "sheet confirm", "aria-label": said },
    el("p", { class: "answer-head" }, el("b", {}, said), el("span", { class: "help" }, by)),
    el("p", { class: "sentence" }, sentenceWithDues(hand)),
    el(
      "ul",
      { class: "record-facts" },
      listed.map((text) => el("li", {}, text)),
    ),
    ui.objecting === hand.id
      ? objectionForm(hand, table, ui, actions)
      : el(
          "div",
          { class: "actions" },
          button(say("it is right"), () => actions.word(hand, ""), {
            class: "go",
            "data-focus": `right ${hand.id}`,
          }),
          button(say("it is wrong"), () => actions.mend(hand, "objection"), {
            class: "alt",
            "data-focus": `wrong ${hand.id}`,
          }),
        ),
  );
}

// What can be wrong in a hand of these rules: nobody bid where there is no auction.
function doubtful(rules) {
  const named = rules.pain === "auction" ? ["bid", "suit"] : [];
  return ["taken", ...named, ...(rules.queen === "on" ? ["queen"] : [])];
}

// What is wrong: one tap for what is wrong most often, or words.
export function objectionForm(hand, table, ui, actions) {
  const usual = doubtful(table.rules).map((what) => say(`wrong ${what}`));
  const send = el("button", { type: "submit", class: "send" });
  const box = el("textarea", {
    id: `why-${hand.id}`,
    rows: "2",
    maxlength: "1000",
    "data-focus": `why ${hand.id}`,
    oninput: (event) => {
      actions.typed(event.target.value);
      sayWhatIsMissing();
    },
  });
  const sayWhatIsMissing = () => {
    send.disabled = !box.value.trim();
    send.textContent = send.disabled
      ? say("still to tell", { what: say("miss why") })
      : say("object");
  };
  box.value = ui.why ?? "";
  sayWhatIsMissing();
  return el(
    "form",
    {
      class: "objection",
      onsubmit: (event) => {
        event.preventDefault();
        actions.word(hand, box.value.trim());
      },
    },
    el("p", {}, el("b", {}, say("what is wrong"))),
    el(
      "div",
      { class: "actions" },
      usual.map((text) =>
        button(text, () => actions.word(hand, text), { class: "alt", "data-focus": text }),
      ),
    ),
    el("label", { for: `why-${hand.id}` }, say("in your words")),
    box,
    el(
      "div",
      { class: "actions" },
      send,
      button(say("leave it"), () => actions.change({ objecting: null, why: "" }), {
        class: "alt",
      }),
    ),
  );
}

// Every hand of the game, the last one first.
export function playedHands(table, ui, actions) {
  const hands = table.hands
    .filter((hand) => !hand.rival_of)
    .slice()
    .reverse();
  if (!hands.length) return null;
  return el(
    "details",
    {
      class: "sheet hands",
      open: ui.hands === true,
      ontoggle: (event) => actions.keep({ hands: event.target.open }),
    },
    el("summary", {}, say("hands so far", { count: hands.length })),
    el(
      "ol",
      {},
      hands.map((hand) => line(hand, table, ui, actions)),
    ),
  );
}

function line(hand, table, ui, actions) {
  const known = table.details[hand.id];
  const isOpen = ui.hand === hand.id;
  const head = button(
    [el("b", {}, say("hand", { number: hand.number })), stateMark(hand)],
    () => actions.look(hand),
    {
      class: "line",
      "aria-expanded": String(isOpen),
      "data-focus": `hand ${hand.id}`,
    },
  );
  if (!isOpen) return el("li", {}, head);
  const canObject = !isClosed(table) && hand.state !== "disputed" && hand.state !== "void";
  return el(
    "li",
    {},
    head,
    el("p", {}, known ? sentenceWithDues(known) : say("loading")),
    known && hand.state === "disputed" ? dispute(known, table, actions) : null,
    known ? decision(known, table) : null,
    known && canObject && ui.objecting === hand.id
      ? objectionForm(known, table, ui, actions)
      : null,
    known && canObject && ui.objecting !== hand.id
      ? button(say("something wrong"), () => actions.change({ objecting: hand.id }), {
          class: "alt",
          "data-focus": `object ${hand.id}`,
        })
      : null,
  );
}
