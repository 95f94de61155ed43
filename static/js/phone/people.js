// People as they call each other at this table; a seat only where nobody is known to sit there.
import { seatName } from "./words.js";

let called = {};

export function setNames(table) {
  called = table.called ?? table.names ?? {};
}

export const nameOf = (seat) => called[seat] || seatName(seat);
