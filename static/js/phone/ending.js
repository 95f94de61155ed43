// The end of a game: why it is over, and who stands where.
import { el } from "./dom.js";
import { say, sayOr, seatName } from "./words.js";

export function ending({ rules, seats, names, next }, isClosed) {
  const values = next.chips ?? next.totals ?? {};
  const isMore = rules.settlement === "pot"; // points nobody wants
  const isAhead = (one, other) => (isMore ? one > other : one < other);
  const ahead = (seat) => seats.filter((one) => isAhead(values[one], values[seat]));
  const place = (seat) => next.places?.[seat] ?? ahead(seat).length + 1;
  const order = [...seats].sort((one, other) => place(one) - place(other));
  const heads = [say("place"), say("seat"), say(next.chips ? "chips" : "points")];
  const why = next.over ? sayOr(`over ${next.over}`, "") : "";
  return el(
    "section",
    { class: "sheet ending", "aria-labelledby": "ending" },
    el("h2", { id: "ending" }, say("game over")),
    why ? el("p", { class: "help" }, say("over because", { why })) : null,
    el(
      "table",
      { class: "counts" },
      el("thead", {}, el("tr", {}, head(heads))),
      el("tbody", {}, order.map((seat) => line(place(seat), seat, names, values[seat]))),
    ),
    isClosed ? null : el("p", { class: "help" }, say("director closes")),
  );
}

const head = (all) => all.map((text) => el("th", { scope: "col" }, text));

function line(place, seat, names, value) {
  return el(
    "tr",
    {},
    el("td", {}, String(place)),
    el("th", { scope: "row" }, seatName(seat), el("span", { class: "name" }, names[seat] ?? "")),
    el("td", {}, el("b", {}, String(value ?? "–"))),
  );
}
