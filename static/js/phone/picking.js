// Cards to tap: one of a play, or several that are passed; what may be legal first, everything else
// behind plain words.
import { button, el } from "./dom.js";
import { UNSAID } from "./passing.js";
import { cardName } from "./telling.js";
import { say, seatName } from "./words.js";

// One card of a play.
export function oneCard({ question, answer }) {
  const { legal, other, claims, sure, trick, done, ways = [], answerAll } = question;
  const so = trick.map((one) => `${seatName(one.seat)} ${cardName(one.card)}`).join(" · ");
  const pick = (card, place) =>
    button(cardName(card), () => answer(card), {
      class: `card suit-${card[0]}`,
      "data-focus": card,
      "data-first": place === 0,
    });
  const claim = (seat, words = seatName(seat)) =>
    button(words, () => answer(`claim ${seat}`), {
      class: "secondary",
      "data-focus": `claim ${seat}`,
    });
  return el(
    "div",
    { class: "picker" },
    el("p", { class: "trick" }, say("trick", { number: done.length + 1 }), so ? `: ${so}` : ""),
    rows(legal, pick),
    restOfTrick(ways, answerAll),
    sure && claims.length ? claim(sure, say("takes the rest", { seat: seatName(sure) })) : null,
    hidden(say("that happened"), other, pick, !legal.length),
    claims.length
      ? el(
          "details",
          { class: "otherwise" },
          el("summary", {}, say("claimed by")),
          el("div", { class: "actions" }, claims.map((seat) => claim(seat))),
        )
      : null,
  );
}

// Every way that the trick can end, each one tap.
function restOfTrick(ways, answer) {
  if (!ways.length) return null;
  const seats = ways[0].map(({ seat }) => seatName(seat)).join(" · ");
  const spoken = (way) => way.map((one) => `${seatName(one.seat)} ${cardName(one.card)}`).join(", ");
  const cards = (way) =>
    way.map(({ card }) => el("span", { class: `suit-${card[0]}` }, cardName(card)));
  const one = (way) =>
    button(cards(way), () => answer(way), {
      class: "card run",
      "aria-label": spoken(way),
      "data-focus": `run ${way.map(({ card }) => card).join(" ")}`,
    });
  return [
    el("p", { class: "help" }, say("rest of trick", { seats })),
    el("div", { class: `runs of-${ways[0].length}` }, ways.map(one)),
  ];
}

// The cards that a seat passes; they need not be noted at all.
export function passedCards({ question, open, answer, change }) {
  const { legal, other, count } = question;
  const chosen = open.chosen ?? [];
  const choose = (card) => {
    const now = toggled(chosen, card);
    if (now.length === count) answer(now);
    else change({ chosen: now });
  };
  const pick = (card) =>
    button(cardName(card), () => choose(card), {
      class: `card suit-${card[0]}`,
      "aria-pressed": String(chosen.includes(card)),
      "data-focus": card,
    });
  const unsaid = button(say("not noted"), () => answer(UNSAID), {
    class: "key wide quiet-key",
    "data-focus": "unsaid",
    "data-first": true,
  });
  return el(
    "div",
    { class: "picker" },
    el("p", { class: "help" }, say("cards left", { count: count - chosen.length })),
    rows(legal, pick),
    hidden(say("that happened"), other, pick),
    el("div", { class: "keys single" }, unsaid),
  );
}

export const toggled = (chosen, one) =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];

function hidden(words, cards, pick, open = false) {
  if (!cards.length) return null;
  return el("details", { class: "otherwise", open }, el("summary", {}, words), rows(cards, pick));
}

function rows(cards, pick) {
  const suits = [...new Set(cards.map((one) => one[0]))];
  return suits.map((suit) =>
    el("div", { class: "cards" }, cards.filter((one) => one[0] === suit).map(pick)),
  );
}

// The tricks that were told: every card of them can be looked at again, and changed.
export function tricksTold(done, trick, seats, open, change) {
  const lines = trick.length ? [...done, { cards: trick }] : done;
  if (!lines.length) return null;
  const card = (at, size) => (one, place) =>
    button(cardName(one.card), () => change({ fixing: at * size + place }), {
      class: `card suit-${one.card[0]}`,
      "aria-label": say("change that", { what: `${seatName(one.seat)} ${cardName(one.card)}` }),
      "data-focus": `fix ${at * size + place}`,
    });
  const line = ({ cards, winner }, at) =>
    el(
      "li",
      {},
      el(
        "span",
        {},
        el("span", { class: "away" }, say("trick", { number: at + 1 })),
        el("span", { "aria-hidden": "true" }, String(at + 1)),
      ),
      el("span", { class: `cards of-${seats.length}` }, cards.map(card(at, seats.length))),
      el("span", { class: "winner" }, winner ? say("trick won", { seat: seatName(winner) }) : ""),
    );
  return el(
    "details",
    {
      class: "otherwise",
      open: open.tricks === true,
      ontoggle: (event) => change({ tricks: event.target.open }, false),
    },
    el("summary", {}, say("tricks so far")),
    el("ol", { class: "tricks-told" }, lines.map(line)),
  );
}
