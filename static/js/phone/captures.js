// What everybody took: the pain cards, the queen, and what one who took everything has to say.
import { bySeat, suitSize, sum, tricks, within } from "./counting.js";

export const UNKNOWN = "unknown"; // nobody knows who took the queen: the director decides

// Pain cards by seat, and who took the queen where she counts; she is always asked for.
export function* askCaptures(table, answers, pain) {
  const { rules, seats } = table;
  const taken = {};
  for (const seat of seats) {
    const question = takenQuestion(table, answers, pain, seat);
    if (question.left < 0 && !question.isGiven) yield wrongSum(table, answers, pain);
    taken[seat] = yield question;
  }
  if (sum(Object.values(taken)) !== suitSize(rules, seats.length, pain)) {
    yield wrongSum(table, answers, pain);
  }
  return { taken, ...(yield* queenTaker(table)) };
}

// How many one seat took, which can be told in any order. Filled in is only what follows from what
// the others were told to have: what is left for the last of them, and nothing where none is left.
export function takenQuestion({ rules, seats }, answers, pain, seat) {
  const whole = suitSize(rules, seats.length, pain);
  const counts = countsBySeat(seats, answers, whole);
  const others = seats.filter((one) => one !== seat);
  const left = whole - sum(others.map((one) => counts[one] ?? 0));
  const isLast = others.every((one) => counts[one] !== undefined);
  const isSure = counts[seat] === undefined && left >= 0 && (isLast || left === 0);
  const shown = { pain, whole, left, least: 0, most: isLast ? whole : left };
  const [key, fits] = [`taken ${seat}`, within(0, whole)];
  const isGiven = counts[seat] !== undefined;
  return { key, kind: "taken", seat, ...shown, isGiven, forced: isSure ? left : null, fits };
}

// Numbers that do not come to all the cards: whose is wrong, so that it can be what is left.
function wrongSum({ rules, seats }, answers, pain) {
  const whole = suitSize(rules, seats.length, pain);
  const counts = countsBySeat(seats, answers, whole);
  const count = sum(Object.values(counts));
  const options = seats.filter(
    (seat) => counts[seat] !== undefined && whole - count + counts[seat] >= 0,
  );
  return { key: "sum", kind: "sum", pain, whole, count, options, fits: () => false };
}

function countsBySeat(seats, answers, whole) {
  const isNumber = within(0, whole);
  const given = seats.filter((seat) => isNumber(answers[`taken ${seat}`]));
  return bySeat(given, (seat) => answers[`taken ${seat}`]);
}

function* queenTaker({ rules, seats }) {
  if (rules.queen !== "on") return {};
  const fits = (value) => value === UNKNOWN || seats.includes(value);
  return { queen: yield { key: "queen", kind: "queen", options: seats, fits } };
}

// What one who took everything has to say.
export function* askSweep(table, result, pain) {
  const { rules, seats } = table;
  const found = yield* askShooter(table, result, pain);
  const shooter = shooterOf(table, result, pain);
  if (!shooter || rules.moon_all_tricks !== "game") return found;
  const fits = (value) => typeof value === "boolean";
  const all = yield { key: "tricks", kind: "tricks", seat: shooter, fits };
  const most = tricks(rules, seats.length);
  if (all) found.tricks = bySeat(seats, (seat) => (seat === shooter ? most : 0));
  return found;
}

// What one who took everything chose, where that is his to choose (Q39b).
export function* askShooter(table, result, pain) {
  const shooter = shooterOf(table, result, pain);
  if (!shooter || !result.queen || table.rules.moon !== "shooter_choice") return {};
  const fits = (value) => ["others", "self"].includes(value);
  return { moon: yield { key: "moon", kind: "moon", seat: shooter, fits } };
}

// Who took all the pain cards, and the queen where she counts.
function shooterOf({ rules, seats }, { taken, queen }, pain) {
  const whole = suitSize(rules, seats.length, pain);
  const shooter = seats.find((seat) => taken[seat] === whole);
  return rules.queen !== "on" || queen === shooter ? shooter : null;
}
