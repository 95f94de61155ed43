// The pad: big keys for one question, always in the same place and of the same size.
import { UNKNOWN } from "./captures.js";
import { button, el } from "./dom.js";
import { screens } from "./page.js";
import { nameOf, sizeOf } from "./people.js";
import { say, suitName, SYMBOLS } from "./words.js";

const ROOM = 15; // keys that are there at once

// `open` has what is chosen so far of several things, and which numbers are shown.
export function keys(question, table, open, answer, change) {
  const make = MAKERS[question.kind];
  return make({ question, table, open, answer, change });
}

function pad(kind, ...made) {
  return el("div", { class: `keys ${kind}` }, made);
}

function key(label, value, { answer }, settings = {}) {
  return button(label, () => answer(value), {
    class: "key",
    "data-focus": `key ${value}`,
    ...settings,
  });
}

const range = (least, most) =>
  Array.from({ length: Math.max(0, most - least + 1) }, (_, place) => least + place);

// Numbers from `least` on; where not all have room, one key shows the next ones.
function numbers(props, before = []) {
  const { question, open, change } = props;
  const [least, most] = [question.least ?? 0, question.most];
  const room = ROOM - before.length;
  if (most - least < (question.first ?? room)) {
    return pad(
      "numbers",
      before,
      range(least, most).map((value) => number(value, least, props)),
    );
  }
  const size = room - 1;
  const first = question.first ?? size; // what is there before anybody asks for more
  const pages = 1 + Math.ceil((most - least + 1 - first) / size);
  if (pages > 3) return manyNumbers(props, before, least + size - 1);
  const page = (open.more || 0) % pages;
  const start = least + (page && first + (page - 1) * size);
  const shown = range(start, Math.min(start + (page ? size : first) - 1, most));
  const words = page === pages - 1 ? say("first numbers") : say("more", { most });
  const more = button(words, () => change({ more: page + 1 }), {
    class: "key quiet-key more",
    "data-focus": "more",
  });
  return pad(
    "numbers",
    before,
    shown.map((value) => number(value, start, props)),
    more,
  );
}

// The first numbers, and digits for one of those that are hardly ever told.
function manyNumbers(props, before, last) {
  const { question, open, answer, change } = props;
  const { least, most } = question;
  const quiet = (words, act, mark, settings = {}) =>
    button(words, act, { class: "key quiet-key", "data-focus": mark, ...settings });
  if (typeof open.typed !== "string") {
    const more = quiet(say("more", { most }), () => change({ typed: "" }), "more");
    return pad(
      "numbers",
      before,
      range(least, last).map((value) => number(value, least, props)),
      more,
    );
  }
  const digit = (one) => {
    const typed = `${open.typed}${one}`;
    return button(String(one), () => change({ typed }), {
      class: "key",
      disabled: !Number(typed) || Number(typed) > most,
      "data-focus": `digit ${one}`,
      "data-first": one === 1,
    });
  };
  const value = Number(open.typed);
  const isNone = !open.typed || value < least;
  return pad(
    "numbers",
    [...range(1, 9), 0].map(digit),
    quiet(say("first numbers"), () => change({ typed: null }), "more"),
    quiet(isNone ? say("done") : say("take number", { value }), () => answer(value), "typed", {
      disabled: isNone,
    }),
  );
}

function number(value, first, props) {
  return key(String(value), value, props, { "data-first": value === first });
}

// Who bid highest; all others passed or bid less.
function bidders(props) {
  const { options } = props.question;
  const nobody = key(say("all passed"), "nobody", props, { class: "key quiet-key" });
  return names(props, options, nobody);
}

// One pad at a time: bids that are not higher take the place of the others.
function calls(props) {
  const { open, change, question } = props;
  const { floor, least, rest } = question;
  const pass = [key(say("pass"), "pass", props, { class: "key quiet-key", "data-first": true })];
  if (rest) pass.push(key(say("rest pass"), "rest", props, { class: "key quiet-key" }));
  const lower = range(floor, least - 1);
  const isLower = open.lower && lower.length > 0;
  const other = button(
    say(isLower ? "higher bids" : "bid not higher"),
    () => change({ lower: !isLower }),
    { class: "txt", "data-focus": "lower" },
  );
  return [
    isLower
      ? pad(
          "numbers",
          lower.map((value) => number(value, floor, props)),
        )
      : numbers(props, pass),
    lower.length ? other : null,
  ];
}

// What one seat pays for the centre; one tap says that neither it nor those after it pay anything.
function bought(props) {
  const { place, rest } = props.question;
  const words = say(place ? "rest pay nothing" : "nobody pays");
  const nobody = key(words, "nobody", props, { class: "key quiet-key nobody-pays" });
  return numbers(props, rest ? [nobody] : []);
}

// All numbers that there are; those that cannot be fade where they are.
function taken(props) {
  const { whole, most, left } = props.question;
  const made = range(0, whole).map((value) =>
    key(String(value), value, props, { disabled: value > most, "data-first": value === 0 }),
  );
  const all = [el("span", {}, say("all left", { left })), el("small", {}, say("all left below"))];
  const rest = key(all, left, props, { class: "key quiet-key rest", "data-focus": "key rest" });
  return pad("numbers", made, left > 0 && left <= most ? rest : null);
}

// Numbers that do not add up: whose is wrong becomes what is left.
function wrongSum(props) {
  const { options } = props.question;
  return names(props, options);
}

function papers(props) {
  const foot = key(say("foot"), "F", props, { class: "key quiet-key" });
  return numbers(props, props.question.calls ? [foot] : []);
}

function suits(props) {
  const all = ["S", "H", "D", "C"].map((suit, place) =>
    key(
      [
        el("span", { class: `symbol suit-${suit}`, "aria-hidden": "true" }, SYMBOLS[suit]),
        suitName(suit),
      ],
      suit,
      props,
      { class: "key suit", "data-first": place === 0 },
    ),
  );
  return pad("pairs", all);
}

// A name may break between its words.
const person = (seat) => {
  const words = nameOf(seat).split(/[\s-]/);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
  return `key person ${sizeOf(longest)}`;
};

// Everybody at the table keeps the same key, also who cannot be meant.
function names(props, options, more = null) {
  const { seats } = props.table;
  const made = seats.map((seat) =>
    key(nameOf(seat), seat, props, {
      class: person(seat),
      disabled: !options.includes(seat),
      "data-first": seat === options[0],
    }),
  );
  const count = seats.length + (more ? 1 : 0);
  return pad(count > 4 ? "names" : "pairs", made, more);
}

// Who took the queen; she is never given to anybody of whom nobody says so.
function queens(props) {
  const nobody = key(say("nobody knows"), UNKNOWN, props, { class: "key quiet-key" });
  return names(props, props.question.options, nobody);
}

function people(props) {
  return names(props, props.question.options);
}

// Some of them.
export const toggled = (chosen, one) =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];

function several(props) {
  const { question, table, open, answer, change } = props;
  const chosen = open.chosen ?? [];
  const all = table.seats.map((seat) =>
    button(nameOf(seat), () => change({ chosen: toggled(chosen, seat) }), {
      class: person(seat),
      disabled: !question.options.includes(seat),
      "aria-pressed": String(chosen.includes(seat)),
      "data-focus": `seat ${seat}`,
    }),
  );
  const done = button(say("done"), () => answer(chosen), {
    class: "key quiet-key",
    "data-focus": "done",
    disabled: !chosen.length,
  });
  return pad("names", all, done);
}

function moon(props) {
  const values = { seat: nameOf(props.question.seat) };
  const choices = ["others", "self"].map((one) => key(say(`moon ${one}`, values), one, props));
  return pad("single", choices);
}

function yesOrNo(props) {
  return pad("pairs", key(say("yes"), true, props), key(say("no"), false, props));
}

const MAKERS = {
  bidder: bidders,
  bid: numbers,
  call: calls,
  bought,
  taken,
  sum: wrongSum,
  paper: papers,
  suit: suits,
  queen: queens,
  leader: people,
  card: (props) => screens.oneCard(props),
  pass: (props) => screens.passedCards(props),
  seats: several,
  cards: (props) => screens.someCards(props),
  moon,
  rebuys: numbers,
  rebuys_after: numbers,
  tricks: yesOrNo,
};
