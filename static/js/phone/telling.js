// A hand in words: questions while it is told, its sentence, and what stands in a record.
import { cardsOf } from "./taking.js";
import { listed, say, seatName, suitName, SYMBOLS } from "./words.js";

export function title(question) {
  const { kind, seat, to, pain } = question;
  const values = {
    seat: seat && seatName(seat),
    to: to && seatName(to),
    suit: pain && suitName(pain),
  };
  return say(`ask ${kind}`, values);
}

export function hint(question) {
  const { kind, most, whole, bid, bidder } = question;
  if (kind === "taken") return say("left of", { left: most, whole });
  if (kind === "bid" && bidder) return say("highest so far", { bid, seat: seatName(bidder) });
  return "";
}

// One answer, short enough for a button.
export function short({ kind, seat, value, pain, place }) {
  const name = seat && seatName(seat);
  switch (kind) {
    case "bid":
      return shortBid(name, value);
    case "pain":
    case "suit":
      return `${SYMBOLS[value]} ${suitName(value)}`;
    case "taken":
      return shortTaken(name, value, pain);
    case "leader":
      return say("short leader", { seat: seatName(value) });
    case "queen":
      return say("short queen", { seat: seatName(value) });
    case "card":
      return `${name} ${cardName(value)}`;
    case "pass":
      if (!Array.isArray(value)) return say("passes not noted");
      return say("short passed", { seat: name, cards: value.map(cardName).join(" ") });
    case "paper":
      return say(value === "F" ? "short foot" : "short paper", { seat: name, value });
    case "seats":
      return say("short feet", { seats: listed(value.map(seatName)) });
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
  const top = String(value).startsWith("top ") && value.slice("top ".length);
  return top ? say("short top", { seat: seatName(top) }) : say("short bid", { seat, value });
}

function shortTaken(seat, value, pain) {
  const text = String(value);
  if (text.startsWith("all ")) return say("short all", { seat: seatName(text.slice("all ".length)) });
  const { count, isQueen } = cardsOf(value);
  const told = say("short taken", { seat, value: count, suit: SYMBOLS[pain] });
  return isQueen ? `${told} ${cardName("SQ")}` : told;
}

export const cardName = (card) => `${SYMBOLS[card[0]]}${card[1] === "T" ? "10" : card[1]}`;

// "East bid 4 and named spades; North took none and wins 17."
export function sentence(before, result, came) {
  if (result.ending) return withoutResult(result);
  if (before.rules.settlement !== "pot") return pointsTold(before, result, came);
  const told = contract(before, result);
  return came ? say("told and came", { told, came: award(came) }) : `${told}.`;
}

function withoutResult({ ending, papers = {} }) {
  const seats = Object.keys(papers).filter((seat) => String(papers[seat]).startsWith("F"));
  if (ending === "foot" && seats.length) {
    return say("told feet", { seats: listed(seats.map(seatName)) });
  }
  return say(`told ${ending}`);
}

function contract({ next }, { bidder, bid, pain }) {
  const suit = suitName(pain ?? "H");
  if (bidder) return say("told bid", { seat: seatName(bidder), bid, suit });
  if (next.jackpot && next.namer) return say("told jackpot", { seat: seatName(next.namer), suit });
  return say("told suit", { suit });
}

function award({ winners, each, odd, clean, sweeper, next }) {
  const seats = listed(winners.map(seatName));
  if (winners.length === 1) return say("wins", { seat: seats, chips: each });
  if (winners.length) return say(odd ? "divide odd" : "divide", { seats, chips: each, odd });
  const values = {
    pot: next.pot,
    seat: sweeper && seatName(sweeper),
    seats: listed(clean.map(seatName)),
  };
  const why = sweeper ? "sweep" : clean.length ? "many clean" : "none clean";
  return say(`${why} ${next.jackpot ? "jackpot" : "stays"}`, values);
}

// What is told of points; where only the server knows what they come to, what was taken.
function pointsTold({ seats }, { queen, taken }, came) {
  if (!came) {
    const plain = facts({ queen, taken }, seats);
    return plain.map((text) => `${text}.`).join(" ");
  }
  const { scores, shooter } = came;
  if (shooter) return say("told moon", { seat: seatName(shooter) });
  const told = seats
    .filter((seat) => scores[seat])
    .map((seat) => {
      const values = { seat: seatName(seat), points: scores[seat] };
      return say(seat === queen ? "scores queen" : "scores", values);
    });
  return `${listed(told)}.`;
}

// What stands in a record that was sent as a result: to be compared with another one.
export function facts(result, seats) {
  if (result.ending) return [withoutResult(result)];
  const { bidder, bid, pain, taken, points, queen, papers, bought } = result;
  const bySeat = (values) =>
    seats
      .filter((seat) => values[seat] !== undefined)
      .map((seat) => `${seatName(seat)} ${values[seat]}`)
      .join(", ");
  const lines = [];
  if (bidder) lines.push(say("short bid", { seat: seatName(bidder), value: bid }));
  if (pain) lines.push(`${SYMBOLS[pain]} ${suitName(pain)}`);
  if (papers) lines.push(say("fact papers", { list: bySeat(papers) }));
  if (bought) lines.push(say("fact bought", { list: bySeat(bought) }));
  if (taken) lines.push(say("fact taken", { list: bySeat(taken) }));
  if (points) lines.push(say("fact points", { list: bySeat(points) }));
  if (queen) lines.push(say("short queen", { seat: seatName(queen) }));
  return lines;
}
