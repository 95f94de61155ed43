// Cards by the keyboard of a tablet or a desk: `sq`, `qs`, `10h`, `th`; a rank and Enter is of the suit
// that was led, `-` says that there is none of it, Backspace takes back.
import { el } from "./dom.js";
import { SYMBOLS } from "./words.js";

const CARD = /^(?:([shdc])(10|[2-9tjqka])|(10|[2-9tjqka])([shdc]))$/;
const KEY = /^[-shdctjqka0-9]$/i;
const BEGUN = /^(?:[shdc]1?|1|10|[2-9tjqka])$/;

let typed = "";

// The card that was typed: `SQ`; null where it is none, or not a whole one.
export function cardOf(text) {
  const found = CARD.exec(text.toLowerCase());
  if (!found) return null;
  const [suit, rank] = found[1] ? [found[1], found[2]] : [found[4], found[3]];
  return (suit + (rank === "10" ? "t" : rank)).toUpperCase();
}

// What one more key makes of what was typed before.
export function withKey(text, key) {
  const whole = (text + key).toLowerCase();
  if (cardOf(whole) || BEGUN.test(whole)) return whole;
  return BEGUN.test(key.toLowerCase()) ? key.toLowerCase() : text;
}

// The pad with an echo of what is typed; `actions` are card, sayVoid, back, and the suit that was led.
export function withTypedCards(pad, actions) {
  pad.append(el("output", { class: "typed", "aria-live": "polite" }, echoed()));
  pad.addEventListener("typed", ({ detail }) => take(detail, actions));
  pad.dataset.typed = "";
  return pad;
}

const echoed = () => [...typed.toUpperCase()].map((one) => SYMBOLS[one] ?? one).join("");

function take(key, { card, led, sayVoid, back }) {
  if (key === "Backspace") {
    if (typed) typed = typed.slice(0, -1);
    else back();
  } else if (key === "-") {
    typed = "";
    if (led) sayVoid();
  } else if (key === "Enter") {
    const found = led && cardOf(led + typed);
    typed = "";
    if (found) card(found);
  } else {
    typed = withKey(typed, key);
    const found = cardOf(typed);
    if (found) {
      typed = "";
      card(found);
    }
  }
}

// Hands what is typed to the pad that is shown. What somebody writes into a field is none of it, nor
// Enter on a button that has the focus.
document.addEventListener("keydown", (event) => {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  const pad = document.querySelector("[data-typed]");
  if (!pad || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches?.("input, textarea, select")) return;
  const isOurs = key === "Backspace" || KEY.test(key) || (key === "Enter" && typed);
  if (!isOurs) return;
  event.preventDefault();
  pad.dispatchEvent(new CustomEvent("typed", { detail: key }));
  const echo = document.querySelector("[data-typed] .typed");
  if (echo) echo.textContent = echoed();
});
