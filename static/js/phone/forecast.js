// What a hand comes to, and what the next one inherits, as far as a phone without a network can
// tell (rules.md A7-A9, B6, C6, D6-D12, D31-D32). The server settles; this is shown until it has.
import { UNKNOWN } from "./captures.js";
import { bySeat, leftOf, suitSize, sum } from "./counting.js";
import { isShort } from "./dues.js";

const QUEEN = 13;

// `before` has rules, seats, next and counted. Gives null for a hand that only the server can
// settle (sealed bids for the centre).
export function forecast(before, result) {
  const ending = result.ending ?? "played";
  if (ending !== "played") return { ...outcome(), ...withoutResult(before, result) };
  if (result.bids || result.centre || result.queen === UNKNOWN) return null;
  const settled = before.rules.settlement === "pot" ? pot(before, result) : points(before, result);
  return { ...outcome(), ...settled, ...ended(before, settled, result) };
}

const outcome = () => ({
  ...{ winners: [], each: 0, odd: 0, clean: [], sweeper: null, scores: null },
  ...{ dues: [], offers: [] },
});

function withoutResult(before, { ending, papers = {} }) {
  const { next, counted, rules, seats } = before;
  const number = next.number + 1;
  if (ending === "redeal") return { next: { ...next, number }, counted };
  if (ending === "not played")
    return { next: { ...next, number, totals: unplayed(before) }, counted };
  const deals = counted.deals + 1;
  const called = seats.filter((seat) => String(papers[seat] ?? "").startsWith("F"));
  const feet = seats.filter((seat) => next.feet_used.includes(seat) || called.includes(seat));
  const dealer = leftOf(seats, next.dealer);
  const passing = direction(rules, deals);
  const after = { ...next, number, dealer, passing, feet_used: feet };
  return { next: after, counted: { ...counted, deals } };
}

function unplayed({ rules, seats, next, counted }) {
  const [kind, size] = rules.unplayed.split(":");
  if (!next.totals || kind === "none") return next.totals;
  if (kind === "penalty") return bySeat(seats, (seat) => next.totals[seat] + Number(size));
  const hands = Math.max(counted.hands, 1);
  const more = (total) => Math.floor((2 * total + hands) / (2 * hands));
  return bySeat(seats, (seat) => next.totals[seat] + more(next.totals[seat]));
}

export function direction(rules, deals) {
  const cycle = rules.pass_cycle.split(",");
  return rules.passing === "cycle" ? cycle[deals % cycle.length] : null;
}

// The chips while a hand is settled, who had too few of them (A9.2, Q22), and who can buy chips
// again: `offers` has the seat and the field of the result in which its table decides (DEC-9).
function books({ rules, seats, next }, result) {
  const chips = { ...next.chips };
  const offers = [];
  const dues = bySeat(seats, (seat) => ({ seat, bought: 0, owed: 0, paid: 0 }));
  let held = next.pot;
  const offer = (seat, field) => {
    if (rules.insolvency !== "rebuy") return;
    if (offers.some((one) => one.seat === seat && one.field === field)) return;
    offers.push({ seat, field });
    const bought = (result[field]?.[seat] ?? 0) * Number(rules.starting_chips);
    chips[seat] += bought;
    dues[seat].bought += bought;
  };
  const pay = (seat, owed) => {
    if (chips[seat] < owed) offer(seat, "rebuys");
    const debt = rules.insolvency === "debt";
    const amount = debt ? owed : Math.max(0, Math.min(owed, chips[seat]));
    chips[seat] -= amount;
    held += amount;
    dues[seat].owed += owed;
    dues[seat].paid += amount;
  };
  const award = (seat, amount) => {
    chips[seat] += amount;
    held -= amount;
  };
  const close = () => {
    for (const seat of seats) if (chips[seat] <= 0) offer(seat, "rebuys_after");
    return { dues: Object.values(dues).filter(isShort), offers };
  };
  return { chips, pay, award, pot: () => held, close };
}

function pot(before, result) {
  const { rules, seats } = before;
  const { taken, bidder, bid = 0, pain = "H" } = result;
  const kept = books(before, result);
  if (bidder) kept.pay(bidder, bid);
  for (const seat of seats) kept.pay(seat, taken[seat]);
  const whole = suitSize(rules, seats.length, pain);
  const sweeper = seats.find((seat) => taken[seat] === whole) ?? null;
  const clean = seats.filter((seat) => taken[seat] === 0);
  const winners = potWinners(before, clean, sweeper !== null);
  const each = winners.length ? Math.floor(kept.pot() / winners.length) : 0;
  const odd = winners.length ? kept.pot() % winners.length : 0;
  for (const seat of winners) kept.award(seat, each);
  const jackpot = jackpotAfter(before, result, clean, winners);
  const closed = kept.close();
  return {
    ...advanced(before, { chips: kept.chips, pot: kept.pot(), ...jackpot.next }, jackpot.pain),
    winners,
    each,
    odd,
    clean,
    sweeper,
    ...closed,
  };
}

function potWinners({ rules, seats, next }, clean, swept) {
  if (clean.length === 1) return clean;
  if (clean.length !== 2) return [];
  if (swept && !(seats.length === 3 && rules.three_player_sweep === "divide")) return [];
  if (next.jackpot && rules.jackpot_split === "sole_winner_only") return [];
  return clean;
}

function jackpotAfter({ rules, next, counted }, { bidder = null, pain = "H" }, clean, winners) {
  const carries = !clean.length && rules.zero_clean === "carry_with_auction";
  if (winners.length || carries) return { next: { jackpot: 0, namer: null }, pain: null };
  if (next.jackpot) {
    return { next: { jackpot: next.jackpot + 1, namer: next.namer }, pain: counted.pain };
  }
  return { next: { jackpot: 1, namer: bidder }, pain };
}

function points(before, result) {
  const { rules, seats, next, counted } = before;
  const { scores, shooter } = scored(before, result);
  const totals = next.totals && bySeat(seats, (seat) => next.totals[seat] + scores[seat]);
  const changed = { totals };
  let closed = {};
  if (rules.average_each === "hand") {
    const kept = books(before, result);
    const amounts = averaged(rules, seats, scores);
    for (const seat of seats) if (amounts[seat] < 0) kept.pay(seat, -amounts[seat]);
    for (const seat of seats) {
      if (amounts[seat] > 0) kept.award(seat, Math.min(amounts[seat], kept.pot()));
    }
    closed = kept.close();
    Object.assign(changed, { chips: kept.chips, pot: kept.pot() });
  }
  const clean = seats.filter((seat) => result.taken[seat] === 0);
  return { ...advanced(before, changed, counted.pain), scores, shooter, clean, ...closed };
}

// What each collects, or pays, of the average (B6, Q31).
function averaged(rules, seats, scores) {
  const whole = sum(Object.values(scores));
  const howell = (seat) => whole - seats.length * scores[seat];
  if (rules.average_rounding === "howell_units") return bySeat(seats, howell);
  return bySeat(seats, (seat) => Math.floor(howell(seat) / seats.length));
}

// The points of a hand (B5, D6, D7, D11, D12, E6).
function scored({ rules, seats }, result) {
  const { taken, queen, papers = {}, bought = {} } = result;
  const worth = rules.queen === "on" ? QUEEN : 0;
  const insured = rules.insurance === "on";
  const paper = (seat) => (insured ? effective(papers[seat]) : 0);
  const whole = suitSize(rules, seats.length, "H");
  const sweeper = seats.find((seat) => taken[seat] === whole);
  const shooter = rules.moon !== "none" && sweeper && queen === sweeper ? sweeper : null;
  const centre = (seat) =>
    shooter && rules.bid_points_on_moon === "waive" ? 0 : (bought[seat] ?? 0);
  const plain = (seat) => taken[seat] + (seat === queen ? worth : 0);
  const more = shooter
    ? moonshot({ rules, paper, shooter, size: whole + QUEEN, choice: result.moon })
    : (seat) => (seat === queen ? -paper(seat) : paper(seat));
  return { shooter, scores: bySeat(seats, (seat) => plain(seat) + more(seat) + centre(seat)) };
}

// The number that counts: a foot that is used up, or no number from 0 to 6, is none (Q44, Q56).
function effective(paper) {
  const digits = String(paper ?? "").replace("F", "");
  return /^[0-6]$/.test(digits) ? Number(digits) : 0;
}

function moonshot({ rules, paper, shooter, size, choice }) {
  const self = rules.moon === "subtract_from_self";
  if (self || (rules.moon === "shooter_choice" && choice === "self")) {
    return (seat) => (seat === shooter ? paper(shooter) - 2 * size : 0);
  }
  const own = rules.moon_own_insurance === "on";
  const other = (seat) => size - paper(shooter) + (own ? paper(seat) : 0);
  return (seat) => (seat === shooter ? -size : other(seat));
}

// One settled hand later: the deal passes left, the counts go up (K4, Q28).
function advanced({ rules, seats, next, counted }, changed, pain) {
  const deals = counted.deals + 1;
  const dealt = { ...counted.dealt, [next.dealer]: counted.dealt[next.dealer] + 1 };
  const after = {
    ...next,
    ...changed,
    number: next.number + 1,
    dealer: leftOf(seats, next.dealer),
    passing: direction(rules, deals),
  };
  after.phase = after.jackpot ? "jackpot" : rules.pain === "auction" ? "auction" : "deal";
  return { next: after, counted: { ...counted, deals, dealt, hands: counted.hands + 1, pain } };
}

function ended(before, { next, counted }, result) {
  const { rules, seats } = before;
  const all = result.tricks && rules.moon_all_tricks === "game";
  const reason = all ? "moon_all_tricks" : counted.due || end(rules, next, counted);
  if (!reason) return {};
  const goesOn = rules.end_pot === "play_until_won" && (next.jackpot || next.pot > 1);
  const tied = rules.tie === "extra_hand" && firsts(rules, seats, next) > 1;
  if (!all && (goesOn || tied)) return { counted: { ...counted, due: reason } };
  const due = all ? counted.due : null;
  return { next: { ...next, phase: "over", over: reason }, counted: { ...counted, due } };
}

function end(rules, next, counted) {
  const [measure, number] = rules.length.split(":");
  const size = Number(number);
  if (measure === "limit" && next.totals) {
    if (Math.max(...Object.values(next.totals)) >= Number(rules.limit)) return "limit";
  }
  if (measure === "hands" && counted.hands >= size) return "hands";
  if (measure === "dealer_orbits" && Math.min(...Object.values(counted.dealt)) >= size) {
    return "dealer_orbits";
  }
  const broke = rules.settlement === "pot" && Math.min(...Object.values(next.chips)) <= 0;
  return broke ? "bust" : null;
}

function firsts(rules, seats, next) {
  const value = (seat) => (rules.settlement === "pot" ? next.chips[seat] : -next.totals[seat]);
  const best = Math.max(...seats.map(value));
  return seats.filter((seat) => value(seat) === best).length;
}
