// Two records of one hand beside each other: the table says which of them is right, and calls the
// director only where it does not agree.
import { stateBefore } from "./correction.js";
import { button, el } from "./dom.js";
import { isClosed, otherRecordOf } from "./page.js";
import { nameOf, nameTag } from "./people.js";
import { compass } from "./slip.js";
import { listed, say, sayOr, suitName, SYMBOLS } from "./words.js";

const comparisonOf = ({ dispute }) => dispute.comparisons[dispute.others.length - 1];

const isSameAuthor = ({ first, others }) => first.seat === others[others.length - 1].seat;

// Whether a seat is asked which of two records is right: it can say so, and the second one is not
// its own change, of which others are asked.
export function isAsked({ dispute }, seat) {
  if (isSameAuthor(dispute) && dispute.first.seat === seat) return false;
  return choicesOf({ dispute }, seat).some((choice) => choice !== "director");
}

// What the service lets a seat say of a disputed hand.
const choicesOf = ({ dispute }, seat) =>
  (dispute?.others.length ? dispute.others[dispute.others.length - 1] : dispute?.first)?.choices?.[
    seat
  ] ?? [];

export function disputeTitle({ number, dispute }, { speaks }) {
  const { first } = dispute;
  const other = dispute.others[dispute.others.length - 1];
  const values = { seat: teller(first), other: teller(other), number };
  if (isSameAuthor(dispute)) return say("their change", values);
  if (first.seat === speaks) return say("two slips", { ...values, seat: values.other });
  return say(other.seat === speaks ? "two slips" : "slips of two", values);
}

export function disputeView(hand, table, actions) {
  const other = otherRecordOf(hand);
  const { items, question, ...sides } = comparisonOf(hand) ?? { items: [], first: {}, second: {} };
  const heads = [0, 1].map((at) => el("span", { class: "col" }, owner(hand.dispute, at, table)));
  const differing = items.filter((one) => one.status !== "same");
  const { dealer } = stateBefore(hand, table).next;
  const hasCaptures = (seat) => items.some((one) => one.item === "taken" && one.seat === seat);
  return [
    el("h2", { id: "question", class: "say" }, disputeTitle(hand, table)),
    el(
      "ol",
      { class: `slip pair of-${table.seats.length}` },
      el("li", { class: "row head" }, el("span", {}), el("span", {}), heads),
      table.seats.filter(hasCaptures).map((seat) => taken(seat, items, table, dealer)),
      differing.filter((one) => one.item !== "taken").map(otherItem),
      held(sides, table),
    ),
    other.why ? el("p", { class: "help" }, other.why) : null,
    question ? el("p", { class: "ask-first" }, question.text) : null,
    settling(hand, table, actions),
    button(say("settle later"), () => actions.change({ later: hand.id }), {
      class: "txt",
      "data-focus": "later",
    }),
  ];
}

// Whose record each of two is; of two by the same seat, which is which.
function owner(dispute, at, { speaks }) {
  if (isSameAuthor(dispute)) return say(at ? "the change" : "as before");
  const one = [dispute.first, dispute.others[dispute.others.length - 1]][at];
  return one.seat === speaks ? say("yours") : say("of whom", { seat: teller(one) });
}

// What this seat can say of a disputed hand, and whose word is waited for.
export function settling(hand, table, actions) {
  const { dispute, director } = hand;
  if (!dispute) return null;
  const choices = choicesOf(hand, table.speaks);
  const other = dispute.others[dispute.others.length - 1];
  const shown = choices.map((choice) =>
    button(choiceWords(choice, hand, table), () => actions.settle(hand, choice), {
      class: "alt",
      "data-focus": `choice ${choice} ${hand.id}`,
    }),
  );
  const isOfPaper = !other && !director && dispute.papers?.includes(table.speaks);
  if (!other && !director && !isClosed(table) && !choices.includes("second")) {
    const isMine = dispute.first.seat === table.speaks;
    const mend = () => actions.mend(hand, isMine ? "take-back" : "objection");
    const words = say(isMine ? "mend number" : "something wrong");
    shown.unshift(button(words, mend, { class: "alt", "data-focus": `mend ${hand.id}` }));
  }
  const waits = (other ?? dispute.first).waits_for ?? [];
  return [
    isOfPaper && shown.length ? el("p", { class: "ask-first" }, say("paper or told")) : null,
    shown.length ? el("div", { class: other ? "choices" : "actions" }, shown) : null,
    el("p", { class: "help" }, waitsFor(waits, hand, table)),
  ];
}

function waitsFor(seats, { director }, { speaks }) {
  if (director || !seats.length) return say("director decides");
  const others = seats.filter((seat) => seat !== speaks);
  if (others.length < seats.length) return say("waits for you");
  return say("waits for", { seats: listed(others.map(nameOf)) });
}

function choiceWords(choice, hand, table) {
  const { dispute } = hand;
  const { speaks } = table;
  if (choice === "director") return say("call director");
  if (!dispute.others.length) {
    const isMine = dispute.first.seat === speaks;
    const isObjector = dispute.statements.some(
      (one) => one.said === "objects" && one.seat === speaks,
    );
    if (choice === "neither") return say("take it back");
    if (dispute.papers?.includes(speaks))
      return say(choice === "second" ? "sealed right" : "told right");
    return say(isObjector ? "was wrong" : isMine ? "stays right" : "it is right");
  }
  if (choice === "neither") return say("both wrong");
  const at = choice === "second" ? 1 : 0;
  const differing = (comparisonOf(hand)?.items ?? []).filter((one) => one.status !== "same");
  const short = differing.filter((one) => one.item === "taken").map((one) => shortOf(one, at));
  return [el("span", {}, rightWords(dispute, at, speaks)), el("small", {}, listed(short))];
}

function rightWords(dispute, at, speaks) {
  const { first } = dispute;
  if (isSameAuthor(dispute)) {
    if (at) return say("change right");
    return say(first.seat === speaks ? "leave as before" : "before right");
  }
  const one = [first, dispute.others[dispute.others.length - 1]][at];
  return one.seat === speaks ? say("mine is right") : say("theirs is right", { seat: teller(one) });
}

const teller = ({ seat }) => (seat ? nameOf(seat) : say("the desk"));

const shortOf = (item, at) => `${nameOf(item.seat)} ${item[at ? "second" : "first"]}`;

function taken(seat, items, { speaks }, dealer) {
  const one = items.find((item) => item.item === "taken" && item.seat === seat);
  const isUnlike = one.status !== "same";
  const cell = (value) => el("span", { class: "cell" }, String(value ?? "–"));
  return el(
    "li",
    { class: isUnlike ? "row unlike" : "row" },
    compass(seat, dealer, speaks),
    el(
      "span",
      { class: "who" },
      nameTag(nameOf(seat)),
      isUnlike ? el("span", { class: "away" }, say("differs")) : null,
    ),
    cell(one.first),
    cell(one.second),
  );
}

// What else both say otherwise: the bid, the suit, the queen.
function otherItem(one) {
  const label = sayOr(`item ${one.item}`, one.item);
  const words = one.seat ? `${nameOf(one.seat)}: ${label}` : label;
  const trick = one.trick ? `, ${say("trick", { number: one.trick })}` : "";
  const value = (said) => el("span", { class: "col" }, formatValue(one.item, said));
  return el(
    "li",
    { class: "row unlike" },
    el("span", { class: "who" }, words + trick),
    value(one.first),
    value(one.second),
  );
}

function formatValue(item, value) {
  if (value === null) return "–";
  if (item === "pain") return [SYMBOLS[value], " ", suitName(value)];
  return ["bidder", "queen", "namer"].includes(item) ? nameOf(value) : String(value);
}

// What who holds the phone would have after each, or else somebody for whom they differ.
function held({ first, second, in_chips: inChips }, { seats, speaks }) {
  if (!first?.held || !second?.held) return null;
  const isUnlike = (one) => first.held[one] !== second.held[one];
  const seat = [speaks, ...seats].find(isUnlike);
  if (!seat) return null;
  const words = say(inChips ? "will hold" : "will have", { seat: nameOf(seat) });
  const value = (side) => el("span", { class: "col" }, String(side.held[seat]));
  return el(
    "li",
    { class: "row" },
    el("span", { class: "who" }, words),
    value(first),
    value(second),
  );
}

// What the director decided, and what it changed.
export function decision({ dispute }, table) {
  const found = dispute?.decision;
  if (!found) return null;
  const { words, why, law, held_before: was, held: is } = found;
  const changed = table.seats.filter((seat) => was && is && was[seat] !== is[seat]);
  const change = (seat) => say("from to", { seat: nameOf(seat), was: was[seat], is: is[seat] });
  const effect = changed.length ? listed(changed.map(change)) : was && is ? say("no effect") : "";
  const sentences = [say("director decided", { words }), why, law].filter(Boolean);
  return [
    el("p", { class: "sentence" }, sentences.map(stopped).join(" ")),
    effect ? el("p", {}, say("effect", { effect })) : null,
  ];
}

const stopped = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
