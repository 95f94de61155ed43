// Big buttons for one question.
import { button, el } from "./dom.js";
import { pack } from "./counting.js";
import { oneCard, passedCards, toggled } from "./picking.js";
import { sitter } from "./sitters.js";
import { shortName } from "./strip.js";
import { cardName } from "./telling.js";
import { say, seatName, suitName, SYMBOLS } from "./words.js";

const ROOM = 16; // buttons that are shown at once
const AMPLE_ROOM = 27; // as many small ones

// `open` has what is chosen so far of several things, and whether all numbers are shown.
export function keys(question, table, open, answer, change) {
  const make = MAKERS[question.kind];
  return make({ question, table, open, answer, change });
}

function key(label, value, { answer }, settings = {}) {
  return button(label, () => answer(value), {
    class: "key",
    "data-focus": `key ${value}`,
    ...settings,
  });
}

function numbers(told, before = [], room = ROOM) {
  const { question, open, change } = told;
  const [least, most] = [question.least ?? 0, question.most];
  const hasRoom = open.more || most - least < room;
  const shown = hasRoom ? most : least + room - 2; // the last one says that there are more
  const all = [];
  for (let value = least; value <= shown; value += 1) {
    const settings = value === least ? { "data-first": true } : {};
    all.push(key(String(value), value, told, settings));
  }
  if (shown < most) {
    all.push(
      button(say("more"), () => change({ more: true }), {
        class: "key quiet-key",
        "data-focus": "more",
      }),
    );
  }
  return el("div", { class: `keys ${all.length > ROOM ? "small" : "numbers"}` }, before, all);
}

// Smaller keys below words that say what they are for.
function below(words, kind, made) {
  const group = { class: `keys ${kind}`, role: "group", "aria-label": words };
  return [el("p", { class: "help", "aria-hidden": "true" }, words), el("div", group, made)];
}

function seatKeys(told, words, seats, value) {
  const { seats: all } = told.table;
  const made = seats.map((seat) =>
    key(shortName(seat, all), value(seat), told, { class: "key quiet-key" }),
  );
  return below(words, "names", made);
}

function bids(told) {
  const { floor, least, isTop } = told.question;
  if (isTop) return numbers(told);
  const { rest, alone } = told.question;
  const settings = { class: rest ? "key half" : "key wide", "data-first": true };
  const pass = [key(say("pass"), "pass", told, settings)];
  if (rest) pass.push(key(say("rest pass"), "rest", told, { class: "key half quiet-key" }));
  const lower = Array.from({ length: least - floor }, (_, place) => floor + place);
  if (alone.length) {
    const tops = seatKeys(told, say("only highest"), alone, (seat) => `top ${seat}`);
    return [numbers(told, pass), tops];
  }
  if (!lower.length) return numbers(told, pass);
  return [
    numbers(told, pass),
    el(
      "details",
      { class: "otherwise" },
      el("summary", {}, say("bid not higher")),
      el(
        "div",
        { class: "keys numbers" },
        lower.map((value) => key(String(value), value, told)),
      ),
    ),
  ];
}

// What one seat pays for the centre; one tap says that neither it nor those after it pay anything.
function bought(told) {
  const { place, rest } = told.question;
  const words = say(place ? "rest pay nothing" : "nobody pays");
  const nobody = key(words, "nobody", told, { class: "key wide quiet-key" });
  return numbers(told, rest ? [nobody] : [], AMPLE_ROOM);
}

// Pain cards, also with the queen where she is not told yet; the last who is asked about says
// whether she is here or with the seat that fills itself.
function taken(told) {
  const { shooters, hasQueen, queenElse, seat } = told.question;
  const queenTo = (one) => say("queen to", { seat: seatName(one) });
  return [
    queenElse ? below(queenTo(queenElse), "small", counts(told)) : numbers(told),
    hasQueen ? below(queenTo(seat), "small", withQueen(told)) : null,
    shooters.length ? seatKeys(told, say("one took all"), shooters, (one) => `all ${one}`) : null,
  ];
}

const upTo = (most) => Array.from({ length: most + 1 }, (_, count) => count);

const counts = (told) =>
  upTo(told.question.most).map((count) => key(String(count), count, told));

function withQueen(told) {
  const settings = (count) => ({ "aria-label": `${count} ${cardName("SQ")}` });
  const one = (count) => key(String(count), `${count}Q`, told, settings(count));
  return upTo(told.question.most).map(one);
}

function papers(told) {
  const foot = key(say("foot"), "F", told, { class: "key wide" });
  return numbers(told, told.question.calls ? [foot] : []);
}

function suits(told) {
  const all = ["S", "H", "D", "C"].map((suit, place) =>
    key(
      [
        el("span", { class: `symbol suit-${suit}`, "aria-hidden": "true" }, SYMBOLS[suit]),
        suitName(suit),
      ],
      suit,
      told,
      { class: "key suit", "data-first": place === 0 },
    ),
  );
  return el("div", { class: "keys pairs" }, all);
}

function named(seat, table) {
  return [el("b", {}, seatName(seat)), sitter(seat, table)];
}

function seats(told) {
  const all = told.question.options.map((seat, place) =>
    key(named(seat, told.table), seat, told, { class: "key seat", "data-first": place === 0 }),
  );
  return el("div", { class: "keys pairs" }, all);
}

// Some seats.
function several(told) {
  const { question, table, open, answer, change } = told;
  const chosen = open.chosen ?? [];
  const all = question.options.map((seat) =>
    button(named(seat, table), () => change({ chosen: toggled(chosen, seat) }), {
      class: "key seat",
      "aria-pressed": String(chosen.includes(seat)),
      "data-focus": `seat ${seat}`,
    }),
  );
  const done = button(say("done"), () => answer(chosen), {
    class: "key wide",
    "data-focus": "done",
    disabled: !chosen.length,
  });
  return el("div", { class: "keys pairs" }, all, done);
}

function cards(told) {
  const { question, table, open, answer, change } = told;
  const chosen = open.chosen ?? [];
  const choose = (card) => {
    const now = toggled(chosen, card);
    if (now.length === question.count) answer(question.count === 1 ? now[0] : now);
    else change({ chosen: now });
  };
  const left = say("cards left", { count: question.count - chosen.length });
  const rows = pack(table.rules, table.seats.length).map((row) =>
    el(
      "div",
      { class: "cards" },
      row.map((card) =>
        button(cardName(card), () => choose(card), {
          class: `card suit-${card[0]}`,
          "aria-pressed": String(chosen.includes(card)),
          "data-focus": card,
        }),
      ),
    ),
  );
  return el("div", { class: "picker" }, el("p", { class: "help" }, left), rows);
}

function moon(told) {
  const values = { seat: seatName(told.question.seat) };
  const choices = ["others", "self"].map((one) => key(say(`moon ${one}`, values), one, told));
  return el("div", { class: "keys single" }, choices);
}

function yesOrNo(told) {
  return el(
    "div",
    { class: "keys pairs" },
    key(say("yes"), true, told),
    key(say("no"), false, told),
  );
}

const MAKERS = {
  bid: bids,
  bought,
  taken,
  paper: papers,
  suit: suits,
  queen: seats,
  leader: seats,
  card: oneCard,
  pass: passedCards,
  seats: several,
  cards,
  moon,
  rebuys: numbers,
  rebuys_after: numbers,
  tricks: yesOrNo,
};
