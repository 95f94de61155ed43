// The trick as it lies on the table, seen from above: who tells sits at the bottom, each card lies
// before its owner. Where the pad needs the room of the table, the same in one row.
import { el } from "./dom.js";
import { cardName, suitSymbol } from "./hand_text.js";
import { nameOf } from "./people.js";
import { say, SYMBOLS } from "./words.js";

export function trickTable(question, table) {
  const { seats, speaks } = table;
  const bottom = Math.max(seats.indexOf(speaks), 0);
  const place = (seat) => (seats.indexOf(seat) - bottom + seats.length) % seats.length;
  return el(
    "div",
    {
      class: `felt of-${seats.length}`,
      dir: "ltr",
      role: "group",
      "aria-label": say("on the table"),
    },
    el("div", { class: "cloth" }),
    seats.map((seat) => [
      spot(question, seat, `at-${place(seat)}`),
      el(
        "div",
        { class: turnClass(question, seat, `place at-${place(seat)}`) },
        el("b", {}, el("bdi", {}, nameOf(seat))),
        el("small", {}, [seat, note(question, seat)].filter(Boolean).join(" · ")),
        lacking(question, seat),
      ),
    ]),
  );
}

export function seatRow(question, { seats }) {
  return el(
    "div",
    { class: "seat-row", role: "group", "aria-label": say("on the table") },
    seats.map((seat) =>
      el(
        "div",
        { class: turnClass(question, seat, "place") },
        el("b", {}, el("bdi", {}, nameOf(seat))),
        played(question, seat) ?? el("small", {}, note(question, seat) || say("clean")),
      ),
    ),
  );
}

const turnClass = ({ seat: turn }, seat, name) => (seat === turn ? `${name} turn` : name);

const cardOf = ({ trick }, seat) => trick.find((one) => one.seat === seat)?.card;

// A card with its symbol below its rank, as it lies there.
export function cardFace(card) {
  return el(
    "span",
    { class: `face suit-${card[0]}` },
    el("b", { "aria-hidden": "true" }, card[1] === "T" ? "10" : card[1]),
    el("span", { "aria-hidden": "true" }, SYMBOLS[card[0]]),
    el("span", { class: "away" }, cardName(card)),
  );
}

// A card in a line of text.
export const inlineCard = (card) =>
  el("b", { class: `inline-card suit-${card[0]}` }, cardName(card));

function spot(question, seat, place) {
  const card = cardOf(question, seat);
  if (card) return el("div", { class: `spot ${place}` }, cardFace(card));
  return seat === question.seat ? el("div", { class: `spot hole ${place}` }) : null;
}

function played(question, seat) {
  const card = cardOf(question, seat);
  return card ? el("small", {}, inlineCard(card)) : null;
}

function note({ playing, bidder, bid }, seat) {
  const { taken, rules } = playing;
  const queen = rules.queen === "on" ? playing.queen : null;
  const took = [taken[seat] || "", queen === seat ? cardName("SQ") : ""].filter(Boolean);
  if (took.length) return say("took so many", { count: took.join(" ") });
  return seat === bidder ? say("bid so many", { bid }) : "";
}

// Suits that a seat has shown to lack, as long as anybody can still play them.
function lacking({ playing }, seat) {
  const suits = [...playing.voids[seat].keys()].filter((suit) =>
    playing.left.some((card) => card[0] === suit),
  );
  if (!suits.length) return null;
  return el("small", { class: "lacking" }, say("shows no"), " ", suits.map(suitSymbol));
}
