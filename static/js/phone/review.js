// The hand as it was told, before it is sent: a sentence, and what it does to every seat.
import { el } from "./dom.js";
import { duesTold } from "./dues.js";
import { sentence } from "./telling.js";
import { say, seatName } from "./words.js";

export function review(before, result, came) {
  const dues = duesTold(came?.dues);
  return [
    el("p", { class: "sentence" }, [sentence(before, result, came), ...dues].join(" ")),
    came && counts(before, result, came),
  ];
}

function counts(before, result, came) {
  const was = before.next.chips ?? before.next.totals;
  const is = came.next.chips ?? came.next.totals;
  if (!was || !is || result.ending) return null;
  const head = [say("seat"), say("took"), say(before.next.chips ? "chips" : "points")];
  return el(
    "table",
    { class: "counts" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      before.seats.map((seat) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, seatName(seat)),
          el("td", {}, String(result.taken?.[seat] ?? "")),
          el("td", {}, change(was[seat], is[seat], Boolean(before.next.chips))),
        ),
      ),
    ),
    before.next.chips && el("caption", {}, say("pot becomes", { pot: came.next.pot })),
  );
}

// `isGood`: more is better, as with chips; of points nobody wants any.
export function change(was, is, isGood) {
  const by = is - was;
  const kind = by === 0 ? "same" : by > 0 === isGood ? "up" : "down";
  const text = by > 0 ? `+${by}` : by < 0 ? `−${-by}` : "±0";
  return [el("b", {}, String(is)), " ", el("span", { class: `change ${kind}` }, text)];
}
