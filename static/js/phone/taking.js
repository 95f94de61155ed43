// What everybody took: the pain cards, the queen, and what one who took everything has to say.
import { bySeat, suitSize, tricks, turns, within } from "./counting.js";

const WITH_QUEEN = /^(\d+)Q$/;

// `4Q`: four pain cards and the queen.
export function cardsOf(value) {
  const found = WITH_QUEEN.exec(value);
  return found ? { count: Number(found[1]), isQueen: true } : { count: value, isQueen: false };
}

// Pain cards by seat, and who took the queen where she counts. The last seat fills itself, and so
// do all once none is left; the queen is told with the cards of who took her.
export function* captures(table, pain) {
  const { rules, seats, next } = table;
  const whole = suitSize(rules, seats.length, pain);
  const taken = bySeat(seats, () => 0);
  const order = turns(seats, next.dealer);
  const last = order[order.length - 1];
  const hasQueen = rules.queen === "on";
  let [left, queen] = [whole, null];
  for (const [place, seat] of order.slice(0, -1).entries()) {
    if (left === 0) break;
    const isLast = place === order.length - 2;
    const asked = { place, whole, left, pain, hasQueen: hasQueen && !queen, isLast };
    const value = yield oneSeat(table, seat, asked);
    const shooter = seats.find((one) => value === `all ${one}`);
    if (shooter) {
      const all = bySeat(seats, (one) => (one === shooter ? whole : 0));
      return { taken: all, ...her(rules, shooter) };
    }
    const { count, isQueen } = cardsOf(value);
    taken[seat] = count;
    left -= count;
    if (isQueen) queen = seat;
    else if (isLast && hasQueen) queen ??= last;
  }
  taken[last] = left;
  return { taken, ...her(rules, queen ?? (yield* queenTaker(rules, seats))) };
}

const her = (rules, queen) => (rules.queen === "on" ? { queen } : {});

function oneSeat({ rules, seats, next }, seat, { place, whole, left, pain, hasQueen, isLast }) {
  const canShoot = rules.moon !== "none" || rules.moon_all_tricks === "game";
  const shooters = place === 0 && canShoot ? turns(seats, next.dealer) : [];
  const isNumber = within(0, left);
  const fits = (value) => {
    if (shooters.some((one) => value === `all ${one}`)) return true;
    const { count, isQueen } = cardsOf(value);
    return isNumber(count) && (hasQueen || !isQueen);
  };
  const queenElse = hasQueen && isLast ? next.dealer : null;
  const key = `taken ${seat}`;
  const shown = { pain, least: 0, most: left, whole, hasQueen, queenElse, shooters };
  return { key, kind: "taken", seat, ...shown, fits };
}

// Asked where nobody was left to be asked about pain cards.
function* queenTaker(rules, seats) {
  if (rules.queen !== "on") return null;
  const fits = (value) => seats.includes(value);
  return yield { key: "queen", kind: "queen", options: seats, fits };
}

// What one who took everything has to say.
export function* sweep(table, result, pain) {
  const { rules, seats } = table;
  const found = yield* shooterSays(table, result, pain);
  const shooter = shooterOf(table, result, pain);
  if (!shooter || rules.moon_all_tricks !== "game") return found;
  const fits = (value) => typeof value === "boolean";
  const all = yield { key: "tricks", kind: "tricks", seat: shooter, fits };
  const most = tricks(rules, seats.length);
  if (all) found.tricks = bySeat(seats, (seat) => (seat === shooter ? most : 0));
  return found;
}

// What one who took everything chose, where that is his to choose (Q39b).
export function* shooterSays(table, result, pain) {
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
