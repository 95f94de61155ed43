// What the page says, in the language that the server wrote into it.
const WORDS = JSON.parse(document.getElementById("words").textContent);
export const language = document.documentElement.lang || "en";
// "5, 3 and 22" as the server says it, not "5, 3, and 22".
const listing = language === "en" ? "en-GB" : language;
const list = Intl.ListFormat ? new Intl.ListFormat(listing, { type: "conjunction" }) : null;

export function say(key, values = {}) {
  const text = WORDS[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// The same with elements in the place of names. An element stands in one place of a page only: a
// name that is said twice is said by two of them.
export function sayWith(key, values) {
  return say(key)
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 ? (values[part] ?? "") : part))
    .map((part) => (part instanceof Node ? part.cloneNode(true) : part));
}

// Words for a value that may be new to this page: then the value itself.
export function sayOr(key, otherwise) {
  return WORDS[key] ?? otherwise;
}

export const seatName = (seat) => sayOr(`seat ${seat}`, seat);
export const suitName = (suit) => sayOr(`suit ${suit}`, suit);
export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export function listed(names) {
  return list ? list.format(names) : names.join(", ");
}
