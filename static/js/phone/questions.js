// The course of telling a hand: which question comes next, from the rules alone, and the result
// that is sent at the end (docs/use/api.md, "result").
import { askContract } from "./bidding.js";
import { askCaptures, askSweep } from "./captures.js";
import { bySeat, within } from "./counting.js";
import { forecast } from "./forecast.js";
import { screens } from "./page.js";

const INSURANCE_MAX = 6;
const STACKS_MAX = 9;
const AMPLE = 26; // where there is no highest number, buttons go so far
const ENDINGS = ["not played", "abandoned", "redeal"];

// What has been asked so far, the open question (or none), and the result once there is one.
export function questions(table, answers) {
  const asked = [];
  const steps = askHand(table, answers);
  let step = steps.next();
  while (!step.done) {
    const question = step.value;
    const given = answers[question.key];
    const isGiven = given !== undefined && question.fits(given);
    if (!isGiven && (question.forced ?? null) === null) return { asked, open: question };
    const value = isGiven ? given : question.forced;
    asked.push({ ...question, value, isFilled: !isGiven });
    step = steps.next(value);
  }
  return { asked, open: null, result: step.value };
}

function* askHand(table, answers) {
  const { rules } = table;
  if (ENDINGS.includes(answers.ending)) return { ending: answers.ending };
  const feet = yield* footCalled(table, answers);
  if (feet) return { ending: "foot", papers: feet };
  const result = {};
  const passed = answers.cards ? yield* screens.askPassed(table) : null;
  if (rules.settlement === "pot") Object.assign(result, yield* askContract(table, answers));
  if (result.ending) return result;
  if (rules.centre_auction === "on") Object.assign(result, yield* centre(table));
  const pain = result.pain ?? "H";
  if (answers.cards) {
    const played = yield* screens.askPlay(table, result, { pain, passed, answers });
    const papers = yield* insured(table);
    const again = yield* boughtAgain(table, { ...played, ...papers });
    return { ...played, ...papers, ...again, actions: { ...played.actions, ...papers, ...again } };
  }
  Object.assign(result, yield* askCaptures(table, answers, pain));
  Object.assign(result, yield* askSweep(table, result, pain));
  Object.assign(result, yield* insured(table));
  return { ...result, ...(yield* boughtAgain(table, result)) };
}

// How many stacks who cannot pay, or has nothing left, buys again: the table decides (DEC-9). Who
// buys none to pay is not asked again.
function* boughtAgain(table, result) {
  if (table.rules.insolvency !== "rebuy") return {};
  const stacks = { rebuys: {}, rebuys_after: {} };
  const isOpen = ({ seat, field }) => !(seat in stacks[field]) && stacks.rebuys[seat] !== 0;
  const fits = within(0, STACKS_MAX);
  for (;;) {
    const offer = forecast(table, { ...result, ...stacks })?.offers.find(isOpen);
    if (!offer) break;
    const { seat, field } = offer;
    stacks[field][seat] = yield {
      key: `${field} ${seat}`,
      kind: field,
      seat,
      most: STACKS_MAX,
      fits,
    };
  }
  return Object.fromEntries(
    Object.entries(stacks).filter(([, seats]) => Object.keys(seats).length),
  );
}

// Whether somebody can call a foot whose paper is not open.
export function canCallFoot({ rules, opened, seats, next }) {
  return rules.foot === "on" && !opened && next.feet_used.length < seats.length;
}

// Who called a foot, which ends the hand; open papers say it by themselves.
function* footCalled(table, { ending }) {
  const { rules, opened, next } = table;
  if (rules.foot !== "on") return null;
  const papers = opened ?? (ending === "foot" ? yield* callers(table) : {});
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

function* numbers({ seats }) {
  const papers = {};
  for (const seat of seats) {
    const fits = within(0, INSURANCE_MAX);
    papers[seat] = yield { key: `paper ${seat}`, kind: "paper", seat, most: INSURANCE_MAX, fits };
  }
  return papers;
}

function* callers({ seats, next }) {
  const able = seats.filter((seat) => !next.feet_used.includes(seat));
  const fits = (value) =>
    Array.isArray(value) && value.length > 0 && value.every((seat) => able.includes(seat));
  const called = yield { key: "feet", kind: "seats", options: able, fits };
  return Object.fromEntries(called.map((seat) => [seat, "F"]));
}

// What was paid for the cards in the centre; with opened papers, which cards they were (D20-D25).
function* centre({ rules, seats, bids }) {
  if (bids) {
    const fits = (value) => Array.isArray(value) && new Set(value).size === 4;
    const cards = yield { key: "centre", kind: "cards", count: 4, fits };
    return { centre: cards.join("") };
  }
  const most = rules.max_centre_bid === "none" ? AMPLE : Number(rules.max_centre_bid);
  const bought = bySeat(seats, () => 0);
  for (const [place, seat] of seats.entries()) {
    const isNone = (value) => value === "nobody" && place < seats.length - 1;
    const fits = (value) => within(0, most)(value) || isNone(value);
    const question = {
      key: `bought ${seat}`,
      kind: "bought",
      seat,
      place,
      least: 0,
      most,
      first: 7,
      fits,
    };
    const paid = yield { ...question, rest: place < seats.length - 1 };
    if (paid === "nobody") break; // neither this seat nor those after it
    bought[seat] = paid;
  }
  return { bought };
}
