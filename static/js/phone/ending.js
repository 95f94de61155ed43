// The end of a game: why it is over, who stands where, and what averages come to (rules.md B6).
import { el } from "./dom.js";
import { nameOf } from "./people.js";
import { say, sayOr } from "./words.js";

export function gameEnd(table, isClosed) {
  const { seats, next, averaged } = table;
  const why = next.over ? sayOr(`over ${next.over}`, "") : "";
  return el(
    "section",
    { class: "sheet ending", "aria-labelledby": "ending" },
    el("h2", { id: "ending" }, say("game over")),
    why ? el("p", { class: "help" }, say("over because", { why })) : null,
    el(
      "table",
      { class: "counts" },
      averaged?.left ? el("caption", {}, say("left in pot", { count: averaged.left })) : null,
      el("thead", {}, el("tr", {}, heads(table).map(head))),
      el(
        "tbody",
        {},
        placed(table, seats).map(([seat, place]) => line(table, seat, place)),
      ),
    ),
    isClosed ? null : el("p", { class: "help" }, say("director closes")),
  );
}

const valuesOf = ({ next }) => next.chips ?? next.totals ?? {};

// Seats with their places, the first one first.
function placed(table, seats) {
  const { rules, next } = table;
  const values = valuesOf(table);
  const isMore = rules.settlement === "pot"; // points nobody wants
  const isAhead = (one, other) => (isMore ? one > other : one < other);
  const ahead = (seat) => seats.filter((one) => isAhead(values[one], values[seat]));
  const place = (seat) => next.places?.[seat] ?? ahead(seat).length + 1;
  return seats.map((seat) => [seat, place(seat)]).sort((one, other) => one[1] - other[1]);
}

function heads({ next, averaged }) {
  const known = [say("place"), say("seat"), say(next.chips ? "chips" : "points")];
  return averaged ? [...known, say("collects or pays")] : known;
}

const head = (text) => el("th", { scope: "col" }, text);

function line(table, seat, place) {
  const { averaged } = table;
  return el(
    "tr",
    {},
    el("td", {}, String(place)),
    el("th", { scope: "row" }, nameOf(seat)),
    el("td", {}, el("b", {}, String(valuesOf(table)[seat] ?? "–"))),
    averaged ? el("td", {}, settled(seat, averaged)) : null,
  );
}

function settled(seat, { points, money }) {
  if (!money) return el("b", {}, points[seat]);
  return [el("b", {}, money[seat]), el("span", { class: "exact" }, points[seat])];
}
