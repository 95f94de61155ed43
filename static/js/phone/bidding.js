// The bidding: who named which suit for how much (A3, A8, C3, C7).
import { turns, within } from "./counting.js";

const SUITS = ["S", "H", "D", "C"];
const ENOUGH = 200;

// Only the winning bid counts; with every card, every call can be told.
export function* askContract(table, answers) {
  const { rules, next, counted } = table;
  if (rules.pain !== "auction") return {};
  // Nobody named the suit of a hand that all passed: it stays hearts (DEC-3).
  if (next.jackpot && !next.namer) return { pain: "H" };
  if (next.jackpot) return { pain: yield* suit(next.namer, sameSuit(rules, counted)) };
  const { bidder, bid } = yield* answers.cards && answers.calls
    ? auction(table)
    : highestBid(table);
  if (bidder) return { bidder, bid, pain: yield* suit(bidder) };
  if (rules.all_pass === "play_hearts") return { pain: "H" };
  return { ending: "passed out" };
}

const sameSuit = (rules, counted) => (rules.jackpot_suit === "same" ? counted.pain : null);

function* suit(seat, only = null) {
  if (only) return only;
  return yield { key: "pain", kind: "suit", seat, fits: (value) => SUITS.includes(value) };
}

// Who bid highest, and how much; nobody where all passed.
function* highestBid(table) {
  const { rules, seats, next } = table;
  const floor = Number(rules.min_bid);
  const options = seats.filter((seat) => mostOf(table, seat) >= floor);
  const isOne = (value) => value === "nobody" || options.includes(value);
  const bidder = yield { key: "bidder", kind: "bidder", options, fits: isOne };
  if (bidder === "nobody") return allPassed(rules, turns(seats, next.dealer)[0], floor);
  const most = mostOf(table, bidder);
  const fits = within(floor, most);
  const bid = yield { key: "bid", kind: "bid", seat: bidder, floor, least: floor, most, fits };
  return { bidder, bid };
}

const mostOf = ({ rules, next }, seat) => highest(rules.max_bid, next.chips?.[seat] ?? 0);

const allPassed = ({ all_pass: rule }, eldest, floor) =>
  rule === "eldest_pays_min" ? { bidder: eldest, bid: floor } : { bidder: null, bid: null };

// One call each. A bid that is not higher wins nothing: higher ones are offered first. After a bid
// all others can pass at once.
function* auction(table) {
  const { rules, seats, next } = table;
  const order = turns(seats, next.dealer);
  const floor = Number(rules.min_bid);
  let [bidder, bid] = [null, null];
  for (const [place, seat] of order.entries()) {
    const most = mostOf(table, seat);
    const least = bid === null ? floor : Math.max(floor, bid + 1);
    if (least > most) continue;
    const rest = bid !== null && place < order.length - 1;
    const isNumber = within(floor, most);
    const fits = (value) => value === "pass" || (rest && value === "rest") || isNumber(value);
    const question = { key: `bid ${seat}`, kind: "call", seat, floor, least, bid, bidder };
    const call = yield { ...question, most, rest, fits };
    if (call === "rest") break;
    if (call !== "pass" && call >= least) [bidder, bid] = [seat, call];
  }
  return bidder ? { bidder, bid } : allPassed(rules, order[0], floor);
}

function highest(cap, held) {
  if (cap === "stack") return held;
  return cap === "none" ? ENOUGH : Number(cap);
}

// The highest bid; or what everybody called, in order, where that was told or all passed. Who could
// not bid has passed.
export function biddingActions({ seats, next }, answers, { bidder, bid }) {
  if (next.jackpot) return {};
  if (!answers.calls && answers.bidder !== "nobody") return { bidder, bid };
  const call = (seat) => (answers.calls ? answers[`bid ${seat}`] : "P");
  const words = turns(seats, next.dealer).map(call);
  return { calls: words.map((word) => (Number.isInteger(word) ? word : "P")).join(" ") };
}
