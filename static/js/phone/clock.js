// The clock of a round or a break, counted by the phone between two answers of the server.
import { el } from "./dom.js";

// A clock that the server has just sent, with how late this phone's own is.
export const withOffset = (clock) => clock && { ...clock, late: Date.now() - Date.parse(clock.at) };

// `late`: how many milliseconds this phone's clock is ahead of the server's.
export function clockOf(clock, late) {
  if (!clock) return null;
  const ends = clock.paused ? null : Date.parse(clock.ends_at) + late;
  const node = el("span", { class: "pill gold clock", role: "timer", "aria-live": "off" });
  Object.assign(node.dataset, ends === null ? { left: clock.left } : { ends });
  count(node);
  return node;
}

function count(node) {
  const { ends, left } = node.dataset;
  const seconds = ends ? Math.max(0, Math.ceil((Number(ends) - Date.now()) / 1000)) : Number(left);
  const two = (number) => String(number).padStart(2, "0");
  node.textContent = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

setInterval(() => document.querySelectorAll(".clock").forEach(count), 1000);
