// People as they call each other at this table; a seat only where nobody is known to sit there.
import { el } from "./dom.js";
import { seatName } from "./words.js";

let called = {};

export function setNames(table) {
  called = table.called ?? table.names ?? {};
}

export const nameOf = (seat) => called[seat] || seatName(seat);

// Longer names than these need smaller letters to stay whole in one line.
const LONG = 8;
const LONGER = 11;

export function sizeOf(name) {
  if (name.length > LONGER) return "longer";
  return name.length > LONG ? "long" : "";
}

export const nameTag = (name) => el("bdi", { class: `name ${sizeOf(name)}` }, name);
