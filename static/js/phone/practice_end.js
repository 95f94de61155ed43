// The end of a hand of practice: what came of it, and what one's own cards cost.
import { button, el } from "./dom.js";
import { nameOf } from "./people.js";
import { recordOf } from "./practice_hands.js";
import { inlineCard } from "./trick_table.js";
import { language, listed, say, sayWith, seatName } from "./words.js";

const SURE = 2; // standard errors from which on a loss is no accident
const LEAST = 0.3; // points or chips that are worth a word
const SHOWN = 3; // cards at most
const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const format = new Intl.NumberFormat(language === "en" ? "en-GB" : language, tenths);

export function handEnd({ hand, judged, choice, check, next, takeBack }) {
  const { before, result, outcome } = hand;
  const isOver = outcome.next.over;
  return [
    el("h1", {}, headline(hand)),
    result.ending ? null : counts(before, result, outcome),
    el(
      "p",
      { class: "actions" },
      button(say(isOver ? "new game" : "next hand of practice"), next, {
        class: "go",
        "data-focus": "next",
      }),
    ),
    result.ending ? null : costly(hand, judged),
    result.ending ? null : openRecord(hand, choice, check),
    el(
      "p",
      { class: "actions" },
      button(say("take last back"), takeBack, { class: "txt", "data-focus": "back" }),
    ),
  ];
}

const isPot = ({ rules }) => rules.settlement === "pot";

// What a seat won, or how many points it has.
function change({ before, outcome }, seat) {
  return isPot(before) ? outcome.next.chips[seat] - before.next.chips[seat] : outcome.scores[seat];
}

function headline(hand) {
  const { before, result } = hand;
  if (result.ending) return say("told passed out");
  const value = change(hand, before.speaks);
  const count = Math.abs(value);
  if (!isPot(before)) return say(value === 1 ? "your point" : "your points", { count: value });
  if (!value) return say("you kept");
  const many = count === 1 ? "one" : "many";
  return value > 0 ? say(`won ${many}`, { count }) : say(`lost ${many}`, { count });
}

function counts(before, result, outcome) {
  const { seats } = before;
  const held = outcome.next.chips ?? outcome.next.totals;
  const cell = (value, settings = {}) => el("td", settings, value);
  const row = (seat) => {
    const value = change({ before, outcome }, seat);
    const took = `${result.taken[seat]}${result.queen === seat ? " + ♠Q" : ""}`;
    return el(
      "tr",
      { class: seat === before.speaks ? "own" : null },
      el("th", { scope: "row" }, nameOf(seat)),
      cell(took),
      cell(el("b", {}, isPot(before) ? signed(value) : String(value))),
      held ? cell(String(held[seat])) : null,
    );
  };
  const heads = ["player", "took", isPot(before) ? "won or lost" : "points", held && "now"];
  return el(
    "section",
    { class: "sheet" },
    isPot(before) ? el("p", {}, potSentence(outcome)) : null,
    el(
      "table",
      { class: "counts" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.filter(Boolean).map((key) => el("th", { scope: "col" }, say(`practice ${key}`))),
        ),
      ),
      el("tbody", {}, seats.map(row)),
    ),
    outcome.next.over ? el("p", {}, say("game over")) : null,
  );
}

const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `\u2212${-value}` : "0");

function potSentence({ winners, each, odd, next }) {
  if (!winners.length) return say("pot stays", { pot: next.pot });
  const pot = each * winners.length + odd;
  return say("pot goes", { pot, seats: listed(winners.map(nameOf)) });
}

// The cards that cost most, by the judgement of the bots.
function costly({ before }, judged) {
  const found = judged
    .map((one) => ({ ...one, ...one.options.find(({ cards }) => cards.includes(one.card)) }))
    .filter(({ loss, error }) => loss > LEAST && loss > SURE * error)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, SHOWN);
  return el(
    "section",
    { class: "sheet" },
    el("h2", {}, say("what cards cost")),
    found.length ? found.map((one) => costlyCard(one, before)) : el("p", {}, say("nothing costly")),
    el("p", { class: "help" }, say("who judges")),
  );
}

function costlyCard({ card, place, trick = [], loss, error, options }, before) {
  const number = Math.floor(place / before.seats.length) + 1;
  const best = options.find(({ isBest }) => isBest);
  const values = {
    number,
    card: inlineCard(card),
    better: inlineCard(best.cards[0]),
    loss: amount(loss),
    error: amount(error),
  };
  const unit = isPot(before) ? "chips" : "points";
  return el(
    "details",
    { class: "fold" },
    el("summary", {}, sayWith(`card cost ${unit}`, values)),
    el("p", {}, trick.length ? [say("lay there"), ...trick.map(laid)] : say("you led it")),
    bars(options, before, card),
  );
}

const laid = (one) => el("span", {}, ` ${nameOf(one.seat)} `, inlineCard(one.card));

const amount = (value) => format.format(Math.round(value * 10) / 10 || 0).replace("-", "\u2212");

// Which card is best was found in other deals: another can look no worse in these.
const named = (loss, error) =>
  loss > 0 ? `${amount(loss)} ±${amount(error)}` : say("no worse", { error: amount(error) });

// What each card would cost instead of the best one, with how sure that is.
export function bars(options, before, played = null) {
  const most = Math.max(...options.map(({ loss }) => loss), 1);
  const row = ({ cards, loss, error, isBest }) => {
    const share = Math.max(0, Math.min(loss / most, 1));
    const bar = el("i");
    bar.style.inlineSize = `${Math.round(100 * share)}%`;
    const words = isBest ? say("best card") : named(loss, error);
    return el(
      "li",
      { class: cards.includes(played) ? "own-choice" : null },
      el(
        "span",
        {},
        cards.map((card) => [inlineCard(card), " "]),
      ),
      el("span", { class: "bar", "aria-hidden": "true" }, bar),
      el("b", {}, words),
    );
  };
  const unit = isPot(before) ? "chips" : "points";
  const ordered = [...options].sort(
    (one, other) => Number(other.isBest) - Number(one.isBest) || one.loss - other.loss,
  );
  return [
    el("p", { class: "help" }, say(`bars ${unit}`)),
    el("ul", { class: "plain bars" }, ordered.map(row)),
  ];
}

// The hand card by card, on the page that checks records.
function openRecord(hand, choice, check) {
  const record = recordOf(
    hand,
    choice,
    say("practice event", { seat: seatName(hand.before.speaks) }),
  );
  return el(
    "form",
    { method: "post", action: check },
    el("input", { type: "hidden", name: "text", value: record }),
    el(
      "p",
      { class: "actions" },
      el("button", { class: "alt", type: "submit" }, say("card by card")),
    ),
  );
}
