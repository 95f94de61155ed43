// Two records of one hand beside each other: the table says which of them is right, and calls the
// director only where it does not agree.
import { stateBefore } from "./correction.js";
import { button, el } from "./dom.js";
import { otherRecordOf } from "./page.js";
import { nameOf } from "./people.js";
import { compass } from "./slip.js";
import { listed, say, sayOr, suitName, SYMBOLS } from "./words.js";

const comparisonOf = ({ dispute }) => dispute.comparisons[dispute.others.length - 1];

export function disputeTitle({ number, dispute, ...hand }, { speaks }) {
  const them = [dispute.first, otherRecordOf({ dispute, ...hand })].find(({ seat }) => seat !== speaks);
  return say("two slips", { seat: teller(them), number });
}

export function disputeView(hand, table, actions) {
  const { first } = hand.dispute;
  const other = otherRecordOf(hand);
  const { items, question, ...sides } = comparisonOf(hand);
  const isMine = (one) => one.seat === table.speaks;
  const owner = (one) => (isMine(one) ? say("yours") : say("of whom", { seat: teller(one) }));
  const heads = [first, other].map((one) => el("span", { class: "col" }, owner(one)));
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
    question ? el("p", { class: "ask-first" }, question.text) : null,
    el(
      "div",
      { class: "choices" },
      [first, other].map((one, at) => {
        const words = isMine(one) ? say("mine is right") : say("theirs is right", { seat: teller(one) });
        const short = differing.filter((item) => item.item === "taken").map((item) => shortOf(item, at));
        return button([el("span", {}, words), el("small", {}, listed(short))], () => actions.settle(hand, at), {
          class: "secondary",
          "data-focus": `choice ${at}`,
        });
      }),
      button(say("both wrong"), () => actions.settle(hand, "neither"), {
        class: "secondary",
        "data-focus": "choice neither",
      }),
      button(say("call director"), () => actions.settle(hand, "director"), {
        class: "secondary",
        "data-focus": "choice director",
      }),
    ),
    button(say("settle later"), () => actions.change({ later: hand.id }), {
      class: "quiet",
      "data-focus": "later",
    }),
  ];
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
    compass(seat, dealer),
    el(
      "span",
      { class: "who" },
      el("bdi", { class: "name" }, nameOf(seat)),
      seat === speaks ? el("small", { class: "you" }, say("you")) : null,
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
  const value = (said) => el("span", { class: "col" }, valueOf(one.item, said));
  return el(
    "li",
    { class: "row unlike" },
    el("span", { class: "who" }, words + trick),
    value(one.first),
    value(one.second),
  );
}

function valueOf(item, value) {
  if (value === null) return "–";
  if (item === "pain") return [SYMBOLS[value], " ", suitName(value)];
  return ["bidder", "queen", "namer"].includes(item) ? nameOf(value) : String(value);
}

// What who holds the phone would have after each, or else somebody for whom they differ.
function held({ first, second, in_chips: inChips }, { seats, speaks }) {
  if (!first.held || !second.held) return null;
  const isUnlike = (one) => first.held[one] !== second.held[one];
  const seat = [speaks, ...seats].find(isUnlike);
  if (!seat) return null;
  const words = say(inChips ? "will hold" : "will have", { seat: nameOf(seat) });
  const value = (side) => el("span", { class: "col" }, String(side.held[seat]));
  return el("li", { class: "row" }, el("span", { class: "who" }, words), value(first), value(second));
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

// An objection in words: who made it, or who told the hand, can end it.
export function objectionInWords(hand, table, actions) {
  const { dispute, director } = hand;
  if (!dispute || dispute.others.length || director) return null;
  const objector = dispute.statements.filter((one) => one.said === "objects").pop();
  const isMine = hand.seat === table.speaks;
  const isObjector = objector?.seat === table.speaks;
  if (!isMine && !isObjector) return null;
  const choose = (choice) => () => actions.say(hand, "agreement", { choice });
  const one = (words, act, mark) => button(say(words), act, { class: "secondary", "data-focus": mark });
  return el(
    "div",
    { class: "actions" },
    isMine ? one("mend number", () => actions.mend(hand, "take-back"), `mend ${hand.id}`) : null,
    one(isMine ? "stays right" : "was wrong", choose("first"), `first ${hand.id}`),
    one("call director", choose("director"), `director ${hand.id}`),
  );
}
