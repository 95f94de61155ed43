// One line that is always in sight: the hand, the table, the pot. A tap opens all the rest as a
// sheet over the page, so that nothing moves below the finger.
import { button, el } from "./dom.js";
import { say } from "./words.js";

export function header(table, { next, queue, reached, news, clock, open, isBetween, call, safe }) {
  const isOver = next.phase === "over";
  const title = [
    isOver ? null : el("b", {}, say("hand", { number: next.number })),
    " ",
    el(isOver ? "b" : "span", { class: "where" }, table.place ?? table.title),
  ];
  const line = el(
    "div",
    { class: "headline" },
    button([title, el("span", { class: "away" }, say("show table"))], () => open(), {
      class: "hand",
      "aria-haspopup": "dialog",
      "data-focus": "head",
    }),
    el("span", { class: "chips-line" }, isBetween ? null : facts(table, next), clock),
    badge(queue, reached, news, open),
    caller(table, call, open),
  );
  // Where the window is low the sheet alone says this, and of what waits the badge.
  return [line, safe && el("p", { class: "safe", role: "status" }, safe)];
}

// The director of an event can be called at any time, also while nothing is played.
function caller({ planned }, call, open) {
  if (planned === null || planned === undefined) return null;
  const key = !call ? "call" : call.is_taken ? "comes" : "called";
  return button(say(`caller ${key}`), () => open({ calling: true }), {
    class: `caller ${key}`,
    "aria-label": say(`caller-name ${key}`),
    "aria-haspopup": "dialog",
    "data-focus": "caller",
  });
}

function facts({ rules }, next) {
  if (next.phase === "over") return null;
  const pill = (words) => el("span", { class: "pill gold" }, words);
  if (next.chips) return pill(say(next.jackpot ? "jackpot pot" : "pot", { pot: next.pot }));
  if (rules.length.startsWith("limit")) return pill(say("to limit", { limit: rules.limit }));
  return null;
}

// What waits, what was refused, what other phones say: always in the same place.
function badge(queue, reached, news, open) {
  const refused = queue.filter((item) => item.state === "refused").length;
  if (refused) return mark("refused", say("badge refused", { count: refused }), open);
  if (queue.length) return mark("waiting", say("badge waiting", { count: queue.length }), open);
  if (news) return mark("told", news, open);
  return reached === false ? el("p", { class: "badge offline" }, say("no network")) : null;
}

function mark(kind, words, open) {
  return button(words, () => open(), { class: `badge ${kind}`, "data-focus": "badge" });
}
