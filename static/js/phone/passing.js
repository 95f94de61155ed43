// Cards passed before the play (rules.md D2): who passes to whom, and where cards then are.
import { leftOf, pack, turns } from "./counting.js";

export const UNSAID = "-"; // nobody has noted what was passed

// How many seats to the left cards go: `left`, `right`, `across`, `hold`, or `k2`.
function places(direction, players) {
  if (direction === "left") return 1;
  if (direction === "right") return players - 1;
  if (direction === "across") return players / 2;
  return Number(direction.slice(1)) || 0;
}

export function isPassed({ rules, next }) {
  return rules.passing === "cycle" && Boolean(next.passing) && next.passing !== "hold";
}

// Who gets the cards of a seat.
export const passesTo = ({ seats, next }, seat) =>
  leftOf(seats, seat, places(next.passing, seats.length));

// Asks each seat in turn for its cards. Gives them by seat, or null as soon as one says that they
// are not noted: some passes alone would be an irregularity.
export function* askPasses(table) {
  const { rules, seats, next, deal } = table;
  const count = Number(rules.pass_count);
  const whole = pack(rules, seats.length).flat();
  const found = {};
  for (const seat of turns(seats, next.dealer)) {
    const gone = Object.values(found).flat();
    const left = whole.filter((card) => !gone.includes(card));
    const legal = deal ? left.filter((card) => deal[seat].includes(card)) : left;
    const other = left.filter((card) => !legal.includes(card));
    const isOne = (card, at, all) => left.includes(card) && all.indexOf(card) === at;
    const isWhole = (value) => Array.isArray(value) && value.length === count;
    const fits = (value) => value === UNSAID || (isWhole(value) && value.every(isOne));
    const to = passesTo(table, seat);
    const value = yield { key: `pass ${seat}`, kind: "pass", seat, to, count, legal, other, fits };
    if (value === UNSAID) return null;
    found[seat] = value;
  }
  return found;
}

// Which seat has which card before the play, as far as a deal or passes tell.
export function holders({ seats, next, deal }, passed, isDue) {
  const found = {};
  if (deal && (passed || !isDue)) {
    for (const seat of seats) for (const card of deal[seat]) found[card] = seat;
  }
  for (const [seat, cards] of Object.entries(passed ?? {})) {
    for (const card of cards) found[card] = passesTo({ seats, next }, seat);
  }
  return found;
}

// As it is sent: `{"N": "HAHKH3"}`.
export function sentPasses(passed) {
  const joined = Object.entries(passed).map(([seat, cards]) => [seat, cards.join("")]);
  return Object.fromEntries(joined);
}
