// What can hardly have happened, asked about gently: the card that was tapped, and the earlier trick
// that speaks against it; and the same once more before the hand is sent.
import { button, el } from "./dom.js";
import { nameOf } from "./people.js";
import { inlineCard } from "./trick_table.js";
import { say, sayWith, suitName } from "./words.js";

// The question about one card in place of the keys. `keep` tells it all the same, `mend` opens the
// card of an earlier place, `other` goes back to the keys.
export function doubtPad({ playing, seat }, table, card, { keep, mend, other }) {
  const doubt = playing.doubt(card);
  const who = nameOf(seat);
  const number = trickOf(doubt.shown ?? 0, table);
  return el(
    "div",
    { class: "card-pad doubt", role: "alert" },
    el("h3", {}, asked(doubt, { playing, table, who, card })),
    doubt.kind === "void" ? earlier(doubt, { playing, table, seat, card }) : null,
    button(
      [
        el("span", {}, withCards("really played", { seat: who, card })),
        el("small", {}, say(doubt.kind === "void" ? "keep both" : "keep it")),
      ],
      keep,
      { class: "key quiet-key", "data-focus": "keep both" },
    ),
    doubt.kind === "void"
      ? button(say("mend trick", { number }), () => mend(doubt.shown), {
          class: "key quiet-key",
          "data-focus": "mend",
        })
      : null,
    button(say("another card"), other, {
      class: "main",
      "data-focus": "other",
      "data-first": true,
    }),
  );
}

const trickOf = (place, { seats }) => Math.floor(place / seats.length) + 1;

function asked(doubt, { playing, table, who, card }) {
  const values = {
    seat: who,
    card,
    suit: suitName(doubt.suit ?? playing.pain),
    number: trickOf(doubt.shown ?? 0, table),
    holder: doubt.holder && nameOf(doubt.holder),
    low: doubt.low,
  };
  return withCards(`doubt ${doubt.kind}`, values);
}

// Words in which cards stand as cards.
/**
 * @param {string} key
 * @param {{ card: string, low?: string | null, [name: string]: unknown }} values
 */
export function withCards(key, { card, low, ...values }) {
  return sayWith(key, { ...values, card: inlineCard(card), low: low ? inlineCard(low) : null });
}

// The trick in which a seat showed to lack the suit, with its card, and the card of now.
function earlier({ shown }, { playing, table, seat, card }) {
  const size = table.seats.length;
  const at = Math.floor(shown / size);
  const trick = playing.done[at]?.cards ?? playing.trick;
  return el(
    "ul",
    { class: "earlier", "aria-label": say("trick", { number: at + 1 }) },
    trick.map((one) =>
      el(
        "li",
        { class: one.seat === seat ? "turn" : null },
        el("bdi", {}, nameOf(one.seat)),
        inlineCard(one.card),
      ),
    ),
    el("li", { class: "now" }, say("now"), inlineCard(card)),
  );
}

// What was told although it can hardly be: a sentence each, with the trick, before the hand is sent.
export function doubtList({ doubts = [], pain = "H" }, table) {
  if (!doubts.length) return null;
  const line = ({ seat, card, place, ...doubt }) => {
    const values = {
      seat: nameOf(seat),
      card,
      suit: suitName(doubt.suit ?? pain),
      number: trickOf(place, table),
      earlier: trickOf(doubt.shown ?? 0, table),
      holder: doubt.holder && nameOf(doubt.holder),
      low: doubt.low,
    };
    return el("li", {}, withCards(`told ${doubt.kind}`, values));
  };
  return el("ul", { class: "doubts" }, doubts.map(line));
}
