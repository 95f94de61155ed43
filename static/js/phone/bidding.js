// The bidding: who named which suit for how much (A3, A8, C3, C7).
import { turns, within } from "./counting.js";

const SUITS = ["S", "H", "D", "C"];
const ENOUGH = 200;

// `answers` say whether every card is told: then every call counts, else only the highest bid.
export function* contract(table, answers) {
  const { rules, next, counted } = table;
  if (rules.pain !== "auction") return {};
  // Nobody named the suit of a hand that all passed: it stays hearts (DEC-3).
  if (next.jackpot && !next.namer) return { pain: "H" };
  if (next.jackpot) return { pain: yield* suit(next.namer, sameSuit(rules, counted)) };
  const { bidder, bid } = yield* auction(table, answers);
  if (bidder) return { bidder, bid, pain: yield* suit(bidder) };
  if (rules.all_pass === "play_hearts") return { pain: "H" };
  return { ending: "passed out" };
}

const sameSuit = (rules, counted) => (rules.jackpot_suit === "same" ? counted.pain : null);

function* suit(seat, only = null) {
  if (only) return only;
  return yield { key: "pain", kind: "suit", seat, fits: (value) => SUITS.includes(value) };
}

// One call each. A bid that is not higher wins nothing: higher ones are offered first. After a bid
// all others can pass at once; before one, who bid highest can be told instead of the calls.
function* auction(table, { cards }) {
  const { rules, seats, next } = table;
  const order = turns(seats, next.dealer);
  const floor = Number(rules.min_bid);
  const most = (seat) => highest(rules.max_bid, next.chips?.[seat] ?? 0);
  const able = order.filter((seat) => most(seat) >= floor);
  let [bidder, bid] = [null, null];
  for (const [place, seat] of order.entries()) {
    const least = bid === null ? floor : Math.max(floor, bid + 1);
    if (least > most(seat)) continue;
    const rest = bid !== null && place < order.length - 1;
    const isOpen = bid === null && !cards && seat !== able[able.length - 1];
    const alone = isOpen ? able : []; // who can have bid highest
    const isNumber = within(floor, most(seat));
    const fits = (value) =>
      value === "pass" || (rest && value === "rest") || alone.some(isTop(value)) || isNumber(value);
    const question = { key: `bid ${seat}`, kind: "bid", seat, floor, least, bid, bidder };
    const call = yield { ...question, most: most(seat), rest, alone, fits };
    if (call === "rest") break;
    const top = alone.find(isTop(call));
    if (top) return { bidder: top, bid: yield* highestBid(top, floor, most(top)) };
    if (call !== "pass" && call >= least) [bidder, bid] = [seat, call];
  }
  if (bidder === null && rules.all_pass === "eldest_pays_min") {
    return { bidder: order[0], bid: floor };
  }
  return { bidder, bid };
}

const isTop = (value) => (seat) => value === `top ${seat}`;

// The only bid that is told.
function* highestBid(seat, floor, most) {
  const fits = within(floor, most);
  return yield { key: "highest", kind: "bid", seat, floor, least: floor, most, isTop: true, fits };
}

function highest(cap, held) {
  if (cap === "stack") return held;
  return cap === "none" ? ENOUGH : Number(cap);
}

// What everybody called, in order; who could not bid has passed.
export function called({ seats, next }, answers) {
  if (next.jackpot) return {};
  const call = (seat) => answers[`bid ${seat}`];
  const words = turns(seats, next.dealer).map(call);
  return { calls: words.map((word) => (Number.isInteger(word) ? word : "P")).join(" ") };
}
