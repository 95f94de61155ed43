// The tricks of a hand in one row: who took each, and what for; one of them to look at and to mend.
import { bySeat, tricks } from "./counting.js";
import { button, el } from "./dom.js";
import { cardName } from "./hand_text.js";
import { nameOf } from "./people.js";
import { inlineCard } from "./trick_table.js";
import { say } from "./words.js";

const QUEEN = 13;

// Without `change` it can only be read.
export function trickStrip({ playing }, table, open = {}, change = null) {
  const { done, isOver } = playing;
  const count = tricks(table.rules, table.seats.length);
  const short = initials(table.seats);
  const cell = (_, at) => {
    if (at < done.length)
      return finishedTrick(done[at], at, { playing, table, short, open, change });
    const isNow = at === done.length && !isOver;
    return el("li", { class: isNow ? "now" : "later", "aria-hidden": "true" }, String(at + 1));
  };
  return el(
    "ol",
    { class: `trick-strip of-${count}`, "aria-label": say("tricks so far") },
    Array.from({ length: count }, cell),
  );
}

function finishedTrick(trick, at, { playing, table, short, open, change }) {
  const points = worth(trick, playing);
  const words = say("trick taken", { number: at + 1, seat: nameOf(trick.winner), points });
  const kind = points ? "trick-key costs" : "trick-key";
  const shown = [
    el("span", { "aria-hidden": "true" }, `${short[trick.winner]}${points || ""}`),
    el("span", { class: "away" }, words),
  ];
  if (!change) return el("li", { class: kind }, shown);
  const key = button(shown, () => change({ looking: at }), {
    class: kind,
    "aria-pressed": String((open.looking ?? fixedTrick(open, table)) === at),
    "data-focus": `trick ${at}`,
  });
  return el("li", {}, key);
}

const fixedTrick = ({ fixing }, { seats }) => Math.floor(fixing / seats.length);

function worth({ cards }, { pain, rules }) {
  const isQueen = (card) => rules.queen === "on" && card === "SQ";
  return cards.reduce(
    (whole, { card }) => whole + (card[0] === pain ? 1 : 0) + (isQueen(card) ? QUEEN : 0),
    0,
  );
}

// One trick that was told: tap a card that was another one.
export function editableTrick({ playing }, table, at, change) {
  const { cards, winner } = playing.done[at];
  const size = table.seats.length;
  const card = (one, place) => {
    const who = nameOf(one.seat);
    return button([el("bdi", {}, who), " ", inlineCard(one.card)], () => fix(at * size + place), {
      class: one.seat === winner ? "key played won" : "key played",
      "aria-label": say("change that", { what: `${who} ${cardName(one.card)}` }),
      "data-focus": `fix ${at * size + place}`,
    });
  };
  const fix = (place) => change({ fixing: place, looking: undefined });
  return el(
    "div",
    { class: "card-pad mending" },
    el("p", { class: "help" }, say("tap other card")),
    el("div", { class: "keys pairs" }, cards.map(card)),
  );
}

// Names cut as short as they can be told apart.
function initials(seats) {
  const start = (seat, size) => [...nameOf(seat)].slice(0, size).join("");
  const isAlone = (seat, size) =>
    seats.every((one) => one === seat || start(one, size) !== start(seat, size));
  const size = (seat) => [1, 2, 3].find((count) => isAlone(seat, count)) ?? 3;
  return bySeat(seats, (seat) => start(seat, size(seat)));
}
