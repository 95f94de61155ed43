// The course of telling a hand: which question comes next, from the rules alone, and the result
// that is sent at the end (docs/use/api.md, "result").
import { lowClub, Playing } from "./cards.js";
import { bySeat, suitSize, tricks, turns } from "./counting.js";
import { holders, isPassed, passes, sentPasses } from "./passing.js";

const SUITS = ["S", "H", "D", "C"];
const INSURANCE_MOST = 6;
const AMPLE = 26; // where there is no highest number, buttons go so far
const ENOUGH = 200;
const ENDINGS = ["not played", "redeal"];

// What has been asked so far, the open question (or none), and the result once there is one.
export function course(table, answers) {
  const asked = [];
  const steps = told(table, answers);
  let step = steps.next();
  while (!step.done) {
    const question = step.value;
    const given = answers[question.key];
    const isGiven = given !== undefined && question.fits(given);
    if (!isGiven && !question.forced) return { asked, open: question };
    const value = isGiven ? given : question.forced;
    asked.push({ ...question, value, isFilled: !isGiven });
    step = steps.next(value);
  }
  return { asked, open: null, result: step.value };
}

const within = (least, most) => (value) =>
  Number.isInteger(value) && value >= least && value <= most;

function* told(table, answers) {
  const { rules } = table;
  if (ENDINGS.includes(answers.ending)) return { ending: answers.ending };
  const called = yield* footCalled(table);
  if (called) return { ending: "foot", papers: called };
  const result = {};
  const isDue = isPassed(table);
  const passed = answers.cards && isDue ? yield* passes(table) : null;
  if (rules.settlement === "pot") Object.assign(result, yield* contract(table));
  if (result.ending) return result;
  if (rules.centre_auction === "on") Object.assign(result, yield* centre(table));
  const pain = result.pain ?? "H";
  if (answers.cards) {
    const known = holders(table, passed, isDue);
    const played = yield* cardByCard(table, result, { pain, passed, known, answers });
    const papers = yield* insured(table);
    return { ...played, ...papers, actions: { ...played.actions, ...papers } };
  }
  result.taken = yield* captures(table, pain);
  Object.assign(result, yield* sweep(table, result, pain));
  return { ...result, ...(yield* insured(table)) };
}

// Every card; the result is what follows from them, and `actions` is what is sent.
function* cardByCard(table, result, { pain, passed, known, answers }) {
  const leader = yield* whoLeads(table, result, known);
  const playing = new Playing(table, leader, pain, known);
  const played = [];
  let claimed = null;
  while (!playing.isOver) {
    const card = yield oneCard(playing, played.length);
    claimed = card.startsWith("claim ") ? card.slice("claim ".length) : null;
    if (claimed) break;
    playing.play(card);
    played.push(card);
  }
  if (claimed) playing.claim(claimed);
  result.taken = playing.taken;
  if (table.rules.queen === "on") result.queen = playing.queen;
  const more = yield* shooterSays(table, result, pain);
  const { bought, centre } = result;
  const actions = { ...more, bought, centre, play: `${leader}:${played.join(" ")}` };
  if (passed) actions.pass = sentPasses(passed);
  if (claimed) actions.claim = claimed;
  if (table.rules.pain === "auction") Object.assign(actions, called(table, answers), { pain });
  return { ...result, ...more, actions };
}

// Where only one card can follow it is filled in; another one can still be told.
function oneCard(playing, place) {
  const { turn: seat, trick, done, left, forced } = playing;
  const legal = playing.legal();
  const other = left.filter((card) => !legal.includes(card));
  const claims = trick.length ? [] : playing.seats;
  const fits = (card) => left.includes(card) || claims.some((one) => card === `claim ${one}`);
  const key = `card ${place}`;
  const told = { key, kind: "card", seat, place, trick, done, legal, other };
  const sure = claims.length ? playing.sure : null;
  return { ...told, claims, sure, forced, fits, playing };
}

function* whoLeads({ rules, seats, next }, { bidder }, known) {
  if (rules.first_leader === "low_club") {
    const holder = known[lowClub(rules, seats.length)];
    if (holder) return holder;
    const fits = (value) => seats.includes(value);
    return yield { key: "leader", kind: "leader", options: seats, fits };
  }
  const eldest = turns(seats, next.dealer)[0];
  if (rules.first_leader === "eldest") return eldest;
  return bidder ?? next.namer ?? eldest;
}

// What everybody called, in order; who could not bid has passed.
function called({ seats, next }, answers) {
  if (next.jackpot) return {};
  const call = (seat) => answers[`bid ${seat}`];
  const words = turns(seats, next.dealer).map(call);
  return { calls: words.map((word) => (Number.isInteger(word) ? word : "P")).join(" ") };
}

// Who called a foot, which ends the hand: said at once, when all have written their papers.
function* footCalled(table) {
  const { rules, opened, next } = table;
  if (rules.foot !== "on") return null;
  const papers = opened ?? (yield* callers(table));
  const calls = (seat) => !next.feet_used.includes(seat) && isFoot(papers[seat]);
  return table.seats.some(calls) ? papers : null;
}

const isFoot = (paper) => typeof paper === "string" && paper.startsWith("F");

// What the insurance papers say, which nobody knows before the play is over; unless the phones of
// the seats have opened them.
function* insured(table) {
  if (table.rules.insurance !== "on") return {};
  return { papers: table.opened ?? (yield* numbers(table)) };
}

function* numbers({ seats, next }) {
  const papers = {};
  for (const seat of turns(seats, next.dealer)) {
    const fits = within(0, INSURANCE_MOST);
    papers[seat] = yield { key: `paper ${seat}`, kind: "paper", seat, most: INSURANCE_MOST, fits };
  }
  return papers;
}

function* callers({ seats, next }) {
  const able = seats.filter((seat) => !next.feet_used.includes(seat));
  if (!able.length) return {};
  const fits = (value) => Array.isArray(value) && value.every((seat) => able.includes(seat));
  const called = yield { key: "feet", kind: "seats", options: able, fits };
  return Object.fromEntries(called.map((seat) => [seat, "F"]));
}

// Who named what for how much (A3, A8, C3, C7).
function* contract(table) {
  const { rules, next, counted } = table;
  if (rules.pain !== "auction") return {};
  if (next.jackpot) return { pain: yield* suit(next.namer, sameSuit(rules, counted)) };
  const { bidder, bid } = yield* auction(table);
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
// all others can pass at once.
function* auction(table) {
  const { rules, seats, next } = table;
  const order = turns(seats, next.dealer);
  let [bidder, bid] = [null, null];
  for (const [place, seat] of order.entries()) {
    const floor = Number(rules.min_bid);
    const least = bid === null ? floor : Math.max(floor, bid + 1);
    const most = highest(rules.max_bid, next.chips?.[seat] ?? 0);
    if (least > most) continue;
    const rest = bid !== null && place < order.length - 1;
    const isPass = (value) => value === "pass" || (rest && value === "rest");
    const fits = (value) => isPass(value) || within(floor, most)(value);
    const question = { key: `bid ${seat}`, kind: "bid", seat, floor, least, most, bid, bidder };
    const call = yield { ...question, rest, fits };
    if (call === "rest") break;
    if (call !== "pass" && call >= least) [bidder, bid] = [seat, call];
  }
  if (bidder === null && rules.all_pass === "eldest_pays_min") {
    return { bidder: order[0], bid: Number(rules.min_bid) };
  }
  return { bidder, bid };
}

function highest(cap, held) {
  if (cap === "stack") return held;
  return cap === "none" ? ENOUGH : Number(cap);
}

// What was paid for the cards in the centre; with opened papers, which cards they were (D20-D25).
function* centre({ rules, seats, next, bids }) {
  if (bids) {
    const fits = (value) => Array.isArray(value) && new Set(value).size === 4;
    const cards = yield { key: "centre", kind: "cards", count: 4, fits };
    return { centre: cards.join("") };
  }
  const most = rules.max_centre_bid === "none" ? AMPLE : Number(rules.max_centre_bid);
  const bought = {};
  const order = turns(seats, next.dealer);
  for (const seat of order) {
    const first = seat === order[0];
    const fits = (value) => within(0, most)(value) || (first && value === "nobody");
    const question = { key: `bought ${seat}`, kind: "bought", seat, first, least: 0, most, fits };
    bought[seat] = yield question;
    if (bought[seat] === "nobody") return { bought: bySeat(seats, () => 0) };
  }
  return { bought };
}

// Pain cards by seat; the last seat fills itself, and so do all once none is left.
function* captures({ rules, seats, next }, pain) {
  const taken = bySeat(seats, () => 0);
  const whole = suitSize(rules, seats.length, pain);
  const order = turns(seats, next.dealer);
  let left = whole;
  for (const seat of order.slice(0, -1)) {
    if (left === 0) break;
    const question = {
      key: `taken ${seat}`,
      kind: "taken",
      seat,
      pain,
      least: 0,
      most: left,
      whole,
    };
    taken[seat] = yield { ...question, fits: within(0, left) };
    left -= taken[seat];
  }
  taken[order[order.length - 1]] = left;
  return taken;
}

// The queen, and what one who took everything has to say.
function* sweep(table, { taken }, pain) {
  const { rules, seats } = table;
  const found = {};
  if (rules.queen === "on") {
    const fits = (value) => seats.includes(value);
    found.queen = yield { key: "queen", kind: "queen", options: seats, fits };
  }
  Object.assign(found, yield* shooterSays(table, { taken, queen: found.queen }, pain));
  const whole = suitSize(rules, seats.length, pain);
  const shooter = seats.find((seat) => taken[seat] === whole);
  if (!shooter || rules.moon_all_tricks !== "game") return found;
  const fits = (value) => typeof value === "boolean";
  const all = yield { key: "tricks", kind: "tricks", seat: shooter, fits };
  const most = tricks(rules, seats.length);
  if (all) found.tricks = bySeat(seats, (seat) => (seat === shooter ? most : 0));
  return found;
}

// What one who took everything chose, where that is his to choose (Q39b).
function* shooterSays({ rules, seats }, { taken, queen }, pain) {
  const whole = suitSize(rules, seats.length, pain);
  const shooter = seats.find((seat) => taken[seat] === whole);
  if (!shooter || rules.moon !== "shooter_choice" || queen !== shooter) return {};
  const fits = (value) => ["others", "self"].includes(value);
  return { moon: yield { key: "moon", kind: "moon", seat: shooter, fits } };
}
