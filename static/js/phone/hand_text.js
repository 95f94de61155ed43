// A hand in words: questions while it is told, its sentence, and what stands in a record.
import { UNKNOWN } from "./captures.js";
import { tricks } from "./counting.js";
import { el } from "./dom.js";
import { nameOf } from "./people.js";
import { listed, say, sayWith, suitName, SYMBOLS } from "./words.js";

export const SEVERAL_CARDS = ["pass", "cards"]; // so many cards of the pack

export function questionTitle(question) {
  const { kind, seat, to, pain, count, whole } = question;
  if (kind === "card") return cardTitle(question);
  const bold = (one) => one && el("b", {}, nameOf(one));
  const values = { seat: bold(seat), to: bold(to), suit: pain && suitSymbol(pain), count, whole };
  return sayWith(`ask ${kind}`, values);
}

function cardTitle({ seat, playing, legal, isAskedWinner }) {
  if (isAskedWinner) return say("ask last");
  const { led } = playing;
  const canFollow = legal.some((card) => card[0] === led);
  const what = !led ? "lead" : canFollow ? led : "discard";
  return sayWith(`ask ${what}`, { seat: el("b", {}, nameOf(seat)), sign: led && suitSymbol(led) });
}

// A suit as its sign, which is read out as its name.
export const suitSymbol = (suit) =>
  el("span", { class: `suit-${suit}`, role: "img", "aria-label": suitName(suit) }, SYMBOLS[suit]);

export function questionHint(question) {
  const { kind, left, bid, bidder } = question;
  if (kind === "card") {
    const { rules, seats, place } = question.playing;
    const number = Math.floor(place / seats.length) + 1;
    return say("trick of", { number, count: tricks(rules, seats.length) });
  }
  if (SEVERAL_CARDS.includes(kind)) return say("cards left", { count: question.count });
  if (kind === "taken") return say("left", { left });
  if (kind === "call" && bidder) return say("highest so far", { bid, seat: nameOf(bidder) });
  return "";
}

const queenTold = (seat) =>
  seat === UNKNOWN ? say("queen unknown") : say("short queen", { seat: nameOf(seat) });

// One answer, short enough for a button.
export function shortAnswer({ kind, seat, value, pain, place }) {
  const name = seat && nameOf(seat);
  switch (kind) {
    case "bidder":
      return value === "nobody" ? say("all passed") : say("short top", { seat: nameOf(value) });
    case "bid":
    case "call":
      return shortBid(name, value);
    case "pain":
    case "suit":
      return `${SYMBOLS[value]} ${suitName(value)}`;
    case "taken":
      return say("short taken", { seat: name, value, suit: SYMBOLS[pain] });
    case "leader":
      return say("short leader", { seat: nameOf(value) });
    case "queen":
      return queenTold(value);
    case "card":
      return `${name} ${cardName(value)}`;
    case "pass":
      if (!Array.isArray(value)) return say("passes not noted");
      return say("short passed", { seat: name, cards: value.map(cardName).join(" ") });
    case "paper":
      return say(value === "F" ? "short foot" : "short paper", { seat: name, value });
    case "seats":
      return say("short feet", { seats: listed(value.map(nameOf)) });
    case "bought":
      if (value !== "nobody") return say("short bought", { seat: name, value });
      return say(place ? "rest pay nothing" : "nobody pays");
    case "rebuys":
    case "rebuys_after":
      return say("short rebuys", { seat: name, value });
    case "cards":
      return value.map(cardName).join(" ");
    case "moon":
      return say(`moon ${value}`, { seat: name });
    default:
      return say(value ? "all tricks" : "not all tricks", { seat: name });
  }
}

function shortBid(seat, value) {
  if (value === "rest") return say("short rest");
  if (value === "pass") return say("short pass", { seat });
  return say("short bid", { seat, value });
}

export const cardName = (card) => `${SYMBOLS[card[0]]}${card[1] === "T" ? "10" : card[1]}`;

// "East bid 4 and named spades; North took none and wins 17."
export function handSentence(before, result, came) {
  if (result.ending) return withoutResult(result);
  if (before.rules.settlement !== "pot") return pointsTold(before, result, came);
  const opening = contract(before, result);
  return came ? say("told and came", { told: opening, came: award(came) }) : `${opening}.`;
}

function withoutResult({ ending, papers = {} }) {
  const seats = Object.keys(papers).filter((seat) => String(papers[seat]).startsWith("F"));
  if (ending === "foot" && seats.length) {
    return say("told feet", { seats: listed(seats.map(nameOf)) });
  }
  return say(`told ${ending}`);
}

function contract({ next }, { bidder, bid, pain }) {
  const suit = suitName(pain ?? "H");
  if (bidder) return say("told bid", { seat: nameOf(bidder), bid, suit });
  if (next.jackpot && next.namer) return say("told jackpot", { seat: nameOf(next.namer), suit });
  return say("told suit", { suit });
}

function award({ winners, each, odd, clean, sweeper, next }) {
  const seats = listed(winners.map(nameOf));
  if (winners.length === 1) return say("wins", { seat: seats, chips: each });
  if (winners.length) return say(odd ? "divide odd" : "divide", { seats, chips: each, odd });
  const values = {
    pot: next.pot,
    seat: sweeper && nameOf(sweeper),
    seats: listed(clean.map(nameOf)),
  };
  const why = sweeper ? "sweep" : clean.length ? "many clean" : "none clean";
  return say(`${why} ${next.jackpot ? "jackpot" : "stays"}`, values);
}

// What is told of points; where only the server knows what they come to, what was taken.
function pointsTold({ seats }, { queen, taken }, came) {
  if (!came) {
    const plain = recordFacts({ queen, taken }, seats);
    return plain.map((text) => `${text}.`).join(" ");
  }
  const { scores, shooter } = came;
  if (shooter) return say("told moon", { seat: nameOf(shooter) });
  const parts = seats
    .filter((seat) => scores[seat])
    .map((seat) => {
      const values = { seat: nameOf(seat), points: scores[seat] };
      return say(seat === queen ? "scores queen" : "scores", values);
    });
  return `${listed(parts)}.`;
}

// What stands in a record that was sent as a result: to be compared with another one.
export function recordFacts(result, seats) {
  if (result.ending) return [withoutResult(result)];
  const { bidder, bid, pain, taken, points, queen, papers, bought } = result;
  const bySeat = (values) =>
    seats
      .filter((seat) => values[seat] !== undefined)
      .map((seat) => `${nameOf(seat)} ${values[seat]}`)
      .join(", ");
  const lines = [];
  if (bidder) lines.push(say("short bid", { seat: nameOf(bidder), value: bid }));
  if (pain) lines.push(`${SYMBOLS[pain]} ${suitName(pain)}`);
  if (papers) lines.push(say("fact papers", { list: bySeat(papers) }));
  if (bought) lines.push(say("fact bought", { list: bySeat(bought) }));
  if (taken) lines.push(say("fact taken", { list: bySeat(taken) }));
  if (points) lines.push(say("fact points", { list: bySeat(points) }));
  if (queen) lines.push(queenTold(queen));
  return lines;
}
