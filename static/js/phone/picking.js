// Cards to tap. A lead, and whoever has none of the suit that was led, sees the whole pack; a
// follower the suit that was led: one tap a card. Of the last trick only who wins it is asked.
import { pack } from "./counting.js";
import { button, el } from "./dom.js";
import { doubtPad } from "./doubts.js";
import { cardName, suitSymbol } from "./hand_text.js";
import { toggled } from "./keys.js";
import { UNSAID } from "./passing.js";
import { nameOf } from "./people.js";
import { withTypedCards } from "./shorthand.js";
import { say, suitName, SYMBOLS } from "./words.js";

const SUITS = ["S", "H", "D", "C"];
const FEW = 14; // cards that have room below the table

const rankName = (card) => (card[1] === "T" ? "10" : card[1]);

// What the pad shows for a card: `doubt`, `winner`, `few`, `suit`, or the `whole` pack, which takes
// the room of the table.
export function shapeOf({ playing, legal, isAskedWinner, isFixed }, open) {
  if (isFixed) return "whole";
  if (playing.left.includes(open.doubted)) return "doubt";
  if (open.claiming || (isAskedWinner && !open.byCard)) return "winner";
  if (isKnownDeal(playing) && legal.length <= FEW && !open.all) return "few";
  if (playing.left.length <= FEW) return "few";
  return playing.led && !isKnownVoid(playing) ? "suit" : "whole";
}

const isKnownVoid = ({ led, left, owners, turn }) =>
  !left.some((card) => card[0] === led && owners[card].includes(turn));

const isKnownDeal = (playing) => playing.left.every((card) => playing.owner(card));

// One card of a play. The question brings `sayVoid` and `back`, which are told like cards.
export function oneCard(props) {
  const { question, open, answer, change } = props;
  const { playing, sayVoid, back } = question;
  const shape = shapeOf(question, open);
  const pick = (card) => (playing.doubt(card) ? change({ doubted: card }) : answer(card));
  if (shape === "doubt") return doubted(props);
  if (shape === "winner") return winnerPad(props);
  if (question.isFixed) return packPad(props, answer);
  const pads = { few: fewPad, suit: suitPad, whole: packPad };
  const card = (one) => playing.left.includes(one) && pick(one);
  return withTypedCards(pads[shape](props, pick), { card, led: playing.led, sayVoid, back });
}

function doubted({ question, table, open, answer, change }) {
  return doubtPad(question, table, open.doubted, {
    keep: () => answer(open.doubted),
    mend: (place) => change({ doubted: null, fixing: place }),
    other: () => change({ doubted: null }),
  });
}

function cardKey(card, pick, label, { isSpent = false, isOdd = false, ...settings } = {}) {
  const kind = ["card-key", `suit-${card[0]}`, isSpent && "spent", isOdd && "odd"];
  return button(label, () => pick(card), {
    class: kind.filter(Boolean).join(" "),
    "aria-label": cardName(card),
    "data-focus": card,
    disabled: isSpent,
    ...settings,
  });
}

const both = (card) => [
  el("span", { class: card[1] === "T" ? "rank ten" : "rank" }, rankName(card)),
  el("span", { class: "symbol" }, SYMBOLS[card[0]]),
];

// The whole pack, suit by suit, each in two rows; `state` says how a card stands.
function wholePack({ rules, seats }, pick, state, last = null) {
  const rows = pack(rules, seats.length);
  const suit = (row, at) =>
    el(
      "div",
      { class: "suit-rows" },
      row.map((card) => cardKey(card, pick, both(card), state(card))),
      at === rows.length - 1 ? last : null,
    );
  return el("div", { class: "card-pad whole" }, rows.map(suit));
}

function packPad({ question, table, change }, pick) {
  const { playing, legal, other, claims, isFixed } = question;
  const likely = new Set(legal);
  const unlikely = new Set(other);
  const state = (card) => ({
    isSpent: !likely.has(card) && !unlikely.has(card),
    isOdd: !isFixed && unlikely.has(card),
  });
  const rest = claims.length ? claimKey(change) : null;
  const made = wholePack(table, pick, state, rest);
  if (!isFixed && playing.led) made.classList.add(`lacks-${playing.led}`);
  return made;
}

function claimKey(change) {
  return button(say("the rest"), () => change({ claiming: true }), {
    class: "rest-key",
    "aria-label": say("claimed by"),
    "data-focus": "rest",
  });
}

// The suit that was led, or another one; what was spent is struck.
function suitPad({ question, table, open, change }, pick) {
  const { playing, sayVoid } = question;
  const { led, left } = playing;
  const shown = open.suit ?? led;
  const tabs = SUITS.map((suit) =>
    button(suitSymbol(suit), () => change({ suit }), {
      class: "suit-tab",
      "aria-pressed": String(suit === shown),
      "data-focus": `suit ${suit}`,
    }),
  );
  const row = pack(table.rules, table.seats.length).find(([card]) => card[0] === shown);
  const keys = row.map((card) => {
    const isSpent = !left.includes(card);
    return cardKey(card, pick, rankName(card), {
      isSpent,
      isOdd: !isSpent && Boolean(playing.doubt(card)),
    });
  });
  const none = button([say("has no"), " ", suitSymbol(led)], sayVoid, {
    class: "void-key",
    "aria-label": say("has none", { suit: suitName(led) }),
    "data-focus": "void",
  });
  return el(
    "div",
    { class: "card-pad one-suit" },
    el("div", { class: "suit-tabs" }, tabs),
    el("div", { class: "ranks" }, keys, shown === led ? none : null),
  );
}

// Few cards, each with its suit: all that are left, or those that can be played where it is known
// who has which, with every way the trick can end.
function fewPad(props, pick) {
  const { question, change } = props;
  const { playing, legal, ways = [], claims, answerAll, sure } = question;
  const isKnown = isKnownDeal(playing);
  const likely = new Set(legal);
  const shown = isKnown ? legal : ordered(playing);
  const keys = shown.map((card) => cardKey(card, pick, both(card), { isOdd: !likely.has(card) }));
  const another = button(say("another"), () => change({ all: true }), {
    class: "rest-key",
    "aria-label": say("that happened"),
    "data-focus": "all",
  });
  const claim = (seat) =>
    button(say("takes the rest", { seat: nameOf(seat) }), () => props.answer(`claim ${seat}`), {
      class: "void-key",
      "data-focus": `claim ${seat}`,
    });
  const more = claims.length ? (sure ? claim(sure) : claimKey(change)) : null;
  return el(
    "div",
    { class: "card-pad few" },
    el("div", { class: "ranks" }, keys, isKnown ? another : null, more),
    restOfTrick(ways, answerAll),
  );
}

// The suit that was led comes first.
function ordered({ left, led }) {
  if (!led) return left;
  return [...left.filter((card) => card[0] === led), ...left.filter((card) => card[0] !== led)];
}

// Every way that the trick can end, each one tap.
function restOfTrick(ways, answer) {
  if (!ways.length) return null;
  const seats = ways[0].map(({ seat }) => nameOf(seat)).join(" · ");
  const spoken = (way) => way.map((one) => `${nameOf(one.seat)} ${cardName(one.card)}`).join(", ");
  const cards = (way) =>
    way.map(({ card }) => el("span", { class: `suit-${card[0]}` }, cardName(card)));
  const one = (way) =>
    button(cards(way), () => answer(way), {
      class: "card-key run",
      "aria-label": spoken(way),
      "data-focus": `run ${way.map(({ card }) => card).join(" ")}`,
    });
  return [
    el("p", { class: "help" }, say("rest of trick", { seats })),
    el("div", { class: `runs of-${ways[0].length}` }, ways.map(one)),
  ];
}

// Who wins the last trick, or takes the rest; the cards of the last trick can be told all the same.
function winnerPad({ question, open, answer, change }) {
  const { claims, playing } = question;
  const isRest = Boolean(open.claiming);
  const keys = claims.map((seat, place) =>
    button(el("bdi", {}, nameOf(seat)), () => answer(`claim ${seat}`), {
      class: "key person",
      "data-focus": `claim ${seat}`,
      "data-first": place === 0,
    }),
  );
  const words = isRest ? "leave it" : "tell its cards";
  const otherwise = () => change(isRest ? { claiming: false } : { byCard: true });
  const other = button(say(words), otherwise, {
    class: "key quiet-key",
    "data-focus": "its cards",
  });
  const cards = playing.left.map(cardName).join(" ");
  return el(
    "div",
    { class: "card-pad" },
    isRest ? null : el("p", { class: "help" }, say("cards of last trick", { cards })),
    el("div", { class: "keys pairs" }, keys, other),
  );
}

// The cards that a seat passes; they need not be noted at all.
export function passedCards({ question, table, open, answer, change }) {
  const { legal, other, count } = question;
  const chosen = open.chosen ?? [];
  const held = new Set(legal);
  const unlikely = new Set(other);
  const state = (card) => ({
    isSpent: !held.has(card) && !unlikely.has(card),
    isOdd: unlikely.has(card),
    "aria-pressed": String(chosen.includes(card)),
  });
  const unsaid = button(say("not noted"), () => answer(UNSAID), {
    class: "key quiet-key",
    "data-focus": "unsaid",
    "data-first": true,
  });
  return [wholePack(table, chooser(count, chosen, answer, change), state), unsaid];
}

// Several cards of the pack, such as those in the centre.
export function someCards({ question, table, open, answer, change }) {
  const chosen = open.chosen ?? [];
  const state = (card) => ({ "aria-pressed": String(chosen.includes(card)) });
  return wholePack(table, chooser(question.count, chosen, answer, change), state);
}

// So many cards, one after the other; the last one answers.
function chooser(count, chosen, answer, change) {
  return (card) => {
    const now = toggled(chosen, card);
    if (now.length < count) change({ chosen: now });
    else answer(count === 1 ? now[0] : now);
  };
}
