// Always in sight: who has how many chips or points, the pot, the jackpot, dealer, passing; and
// whether anything waits to be sent.
import { button, el } from "./dom.js";
import { leftOf } from "./counting.js";
import { sitter } from "./sitters.js";
import { say, sayOr, seatName } from "./words.js";

export function strip(table, { ahead, queue, reached, toggle, changeSeat }) {
  const { next } = ahead;
  return [
    el(
      "div",
      { class: "strip-top" },
      el(
        "p",
        { class: "where" },
        el("b", {}, table.title),
        " ",
        next.phase === "over" ? null : el("span", {}, say("hand", { number: next.number })),
      ),
      you(table, changeSeat),
      badge(queue, reached, toggle),
    ),
    seatRow(table, next),
    el(
      "ul",
      { class: "facts" },
      facts(table, next).map((text) => el("li", {}, text)),
    ),
  ];
}

function you(table, changeSeat) {
  if (!table.speaks) return null;
  const name = seatName(table.speaks);
  if (table.seat !== null) return el("p", { class: "you" }, say("you are", { seat: name }));
  return button(say("you are", { seat: name }), changeSeat, {
    class: "quiet you",
    "aria-label": say("you are, change", { seat: name }),
    "data-focus": "you",
  });
}

function badge(queue, reached, toggle) {
  const refused = queue.filter((item) => item.state === "refused").length;
  if (refused) return mark("refused", say("badge refused", { count: refused }), toggle);
  if (queue.length) return mark("waiting", say("badge waiting", { count: queue.length }), toggle);
  return reached === false ? el("p", { class: "badge offline" }, say("no network")) : null;
}

function mark(kind, words, toggle) {
  return button(words, toggle, { class: `badge ${kind}`, "data-focus": "badge" });
}

function seatRow(table, next) {
  const values = next.chips ?? next.totals ?? {};
  return el(
    "ol",
    {
      class: `seats of-${table.seats.length}`,
      "aria-label": say(next.chips ? "chips by seat" : "points by seat"),
    },
    table.seats.map((seat) =>
      el(
        "li",
        { class: seat === table.speaks ? "me" : null },
        el(
          "span",
          { class: "seat-name" },
          shortName(seat, table.seats),
          seat === next.dealer && next.phase !== "over" ? dealerMark() : null,
        ),
        el("b", { class: "chips" }, String(values[seat] ?? "–")),
        sitter(seat, table),
      ),
    ),
  );
}

// Six names have no room side by side; their letters have.
export function shortName(seat, seats) {
  if (seats.length <= 4) return seatName(seat);
  return [
    el("span", { "aria-hidden": "true" }, seat),
    el("span", { class: "away" }, seatName(seat)),
  ];
}

function dealerMark() {
  return el(
    "span",
    { class: "dealer" },
    el("span", { "aria-hidden": "true" }, say("dealer letter")),
    el("span", { class: "away" }, say("deals now")),
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
  found.push(say("dealer is", { seat: seatName(next.dealer) }));
  if (next.phase === "auction")
    found.push(say("bids first", { seat: seatName(leftOf(seats, next.dealer)) }));
  if (next.jackpot) found.push(say("jackpot", { number: next.jackpot }));
  if (next.jackpot && next.namer) found.push(say("names", { seat: seatName(next.namer) }));
  if (next.passing)
    found.push(say("passing", { way: sayOr(`pass ${next.passing}`, next.passing) }));
  if (next.feet_used.length) {
    found.push(say("feet used", { seats: next.feet_used.map(seatName).join(", ") }));
  }
  return found.filter(Boolean);
}
