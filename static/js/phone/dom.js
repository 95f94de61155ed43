// Elements made of values: text is always text, never markup.
import { sayOr } from "./words.js";

export function el(name, settings = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

export function button(label, act, settings = {}) {
  return el("button", { type: "button", onclick: act, ...settings }, label);
}

// Show other content in the same place without losing the focus of whoever uses keys, nor what was
// opened at the same question.
export function replace(place, ...children) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const held = place.contains(focused) ? focused : null;
  const mark = held?.dataset.focus;
  const opened = new Set([...place.querySelectorAll("details[open]")].map(named));
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const one of place.querySelectorAll("details")) if (opened.has(named(one))) one.open = true;
  if (!held || held.isConnected) return;
  const again = mark && place.querySelector(`[data-focus="${CSS.escape(mark)}"]`);
  (again || place.querySelector("[data-first]"))?.focus({ preventScroll: true });
}

const named = (details) =>
  [details.closest("[data-asked]")?.dataset.asked, details.firstChild.textContent].join(": ");

// What fails on this page takes nothing else with it: a sentence stands in its place, and
// reports.js sends it.
const FAILURES_MAX = 5; // different failures of one page; more say nothing new
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
  if (known.has(message) || known.size >= FAILURES_MAX) return;
  known.add(message);
  failures.push({ message, stack: String(error?.stack ?? "") });
}
