// What fails on this page takes nothing else with it: a sentence stands in its place (reports.js).
import { el } from "./dom.js";
import { sayOr } from "./words.js";

const MOST = 5; // different failures of one page; more say nothing new
const known = new Set();
export const failures = [];

export function safely(part, make) {
  try {
    return make();
  } catch (error) {
    noteFailure(part, error);
    return el("p", { class: "problem", role: "alert" }, sayOr("part failed", part));
  }
}

// Keep a failure to be reported, once each: a page that fails is drawn again and again.
export function noteFailure(part, error) {
  console.error(error);
  const message = `${part}: ${error?.message ?? error}`;
  if (known.has(message) || known.size >= MOST) return;
  known.add(message);
  failures.push({ message, stack: String(error?.stack ?? "") });
}
