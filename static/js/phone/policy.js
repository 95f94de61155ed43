// How bots play: one rule of thumb for every card, the same as the library's (engine/analysis), and
// hands played out by it. Cards are numbers, 13 for each suit; a set of cards is one number of 13
// bits for each suit. Seats are places.
import { lowClub } from "./cards.js";
import { pack, suitSize } from "./counting.js";

const SUITS = "CDHS";
const RANKS = "23456789TJQKA";
const SPADES = 3;
const QUEEN = 10; // of spades, among them
const BELOW_QUEEN = (1 << QUEEN) - 1;
const ABOVE_QUEEN = 0b11 << (QUEEN + 1);
const GUARDS = 4; // so many spades below the queen make the high spades safe to keep
const RANDOM_CARDS = 0.05; // the share of cards that are played at random when a hand is played out

export const numberOf = (card) => SUITS.indexOf(card[0]) * 13 + RANKS.indexOf(card[1]);
export const nameOfCard = (number) => SUITS[Math.floor(number / 13)] + RANKS[number % 13];
export const suitOf = (card) => Math.floor(card / 13);

export const highest = (bits) => 31 - Math.clz32(bits);
export const lowest = (bits) => highest(bits & -bits);

export function countBits(bits) {
  let count = 0;
  for (let left = bits; left; left &= left - 1) count += 1;
  return count;
}

const none = () => [0, 0, 0, 0];
export const setOf = (cards) => {
  const made = none();
  for (const card of cards) made[suitOf(card)] |= 1 << (card % 13);
  return made;
};
export const cardsOf = (set) =>
  set.flatMap((bits, suit) =>
    Array.from({ length: 13 }, (_, rank) => rank)
      .filter((rank) => (bits >> rank) & 1)
      .map((rank) => suit * 13 + rank),
  );
export const sizeOf = (set) => set.reduce((count, bits) => count + countBits(bits), 0);
const isEmpty = (set) => !(set[0] | set[1] | set[2] | set[3]);
const without = (set, other) => set.map((bits, suit) => bits & ~other[suit]);

// The sets on which the play of a hand turns.
export function limitsOf({ rules, seats }, pain) {
  const suit = SUITS.indexOf(pain);
  const whole = setOf(pack(rules, seats.length).flat().map(numberOf));
  const painCards = none();
  painCards[suit] = whole[suit];
  const withQueen = [...painCards];
  withQueen[SPADES] |= 1 << QUEEN;
  const penalty = rules.queen === "on" ? withQueen : painCards;
  return {
    pain: suit,
    whole,
    size: suitSize(rules, seats.length, pain),
    penalty,
    breakers: rules.broken_by === "heart_or_queen" ? withQueen : painCards,
    opening: rules.first_leader === "low_club" ? numberOf(lowClub(rules, seats.length)) : null,
    early: rules.first_trick_penalty === "forbidden" ? penalty : none(),
    unbroken: rules.pain_lead === "after_broken" ? painCards : none(),
    isQueenCompanion: rules.hearts_plus_queen === "may_lead_heart",
  };
}

const restOrAll = (hand, banned, isOther = (rest) => !isEmpty(rest)) => {
  const rest = without(hand, banned);
  return isOther(rest) ? rest : hand;
};

const union = (set, other) => set.map((bits, suit) => bits | other[suit]);

export function legalLeads(limits, hand, { isFirst, isBroken }) {
  const { opening, early, unbroken, isQueenCompanion } = limits;
  if (isFirst && opening !== null && (hand[suitOf(opening)] >> (opening % 13)) & 1) {
    return setOf([opening]);
  }
  const banned = isFirst ? (isBroken ? early : union(early, unbroken)) : isBroken ? null : unbroken;
  if (!banned) return hand;
  const companion = isQueenCompanion ? 1 << QUEEN : 0;
  const isOther = (rest) =>
    !isEmpty(rest.map((bits, suit) => (suit === SPADES ? bits & ~companion : bits)));
  return restOrAll(hand, banned, isOther);
}

export function legalFollows(limits, hand, led, isFirst) {
  const suit = suitOf(led);
  if (hand[suit]) return none().map((_, at) => (at === suit ? hand[suit] : 0));
  return isFirst ? restOrAll(hand, limits.early) : hand;
}

// The rule of thumb. `out` are the cards that the seat has not seen; `best` is the card that wins the
// trick so far, null for a lead. Ties are broken by the lowest card.
export function chooseCard(limits, { hand, legal, out, best, isLast }) {
  if (best === null) return chooseLead(limits, hand, legal, out);
  const suit = suitOf(best);
  if (!legal[suit]) return chooseDiscard(limits, hand, legal, out);
  const below = legal[suit] & ((1 << (best % 13)) - 1);
  if (below) return suit * 13 + highest(below);
  const isQueenSuit = suit === SPADES && limits.penalty[SPADES] & (1 << QUEEN);
  const kept = (isQueenSuit && legal[suit] & ~(1 << QUEEN)) || legal[suit];
  return suit * 13 + (isLast ? highest(kept) : lowest(kept));
}

function chooseLead(limits, hand, legal, out) {
  const isQueenOut = limits.penalty[SPADES] & (out[SPADES] | hand[SPADES]) & (1 << QUEEN);
  let [chosen, least] = [null, Number.POSITIVE_INFINITY];
  for (let suit = 0; suit < 4; suit += 1) {
    if (!legal[suit]) continue;
    const low = lowest(legal[suit]);
    const count = countBits(out[suit]);
    const lower = countBits(out[suit] & ((1 << low) - 1));
    let danger = count ? 9 * lower - 3 * count + 2 * countBits(legal[suit]) : 60;
    if (suit === limits.pain) danger += 6;
    else if (suit === SPADES && isQueenOut && low >= QUEEN) danger += 90;
    if (danger < least) [chosen, least] = [suit * 13 + low, danger];
  }
  return chosen;
}

// What is thrown on a suit that the seat does not have.
function chooseDiscard(limits, hand, legal, out) {
  const { pain, penalty } = limits;
  const queen = pain === SPADES ? 0 : penalty[SPADES] & (1 << QUEEN);
  if (legal[SPADES] & queen) return SPADES * 13 + QUEEN;
  const above = legal[SPADES] & ABOVE_QUEEN;
  const isGuarded = countBits(hand[SPADES] & BELOW_QUEEN) >= GUARDS;
  if (queen & out[SPADES] && above && !isGuarded) return SPADES * 13 + highest(above);
  const costly = legal[pain];
  const isBeatable = out[pain] && costly > (out[pain] & -out[pain]);
  if (isBeatable) return pain * 13 + highest(costly);
  let [chosen, most] = [null, Number.NEGATIVE_INFINITY];
  for (let suit = 0; suit < 4; suit += 1) {
    if (!legal[suit]) continue;
    const high = highest(legal[suit]);
    const lower = countBits(out[suit] & ((1 << high) - 1));
    const danger = 4 * lower - 3 * countBits(hand[suit]);
    if (danger > most) [chosen, most] = [suit * 13 + high, danger];
  }
  return chosen;
}

function randomCard(legal, random) {
  const cards = cardsOf(legal);
  return cards[Math.floor(random() * cards.length)];
}

// Play a hand to its end by the rule of thumb; gives the penalty cards that each seat has taken. Of
// the position nothing is changed: { hands, leader, trick, taken, isFirst, isBroken }.
export function playOut(limits, position, random, share = RANDOM_CARDS) {
  const hands = position.hands.map((hand) => [...hand]);
  const taken = position.taken.map((cards) => [...cards]);
  const players = hands.length;
  const live = hands.reduce(union, none());
  let { leader, isFirst, isBroken } = position;
  let trick = [...position.trick];
  let [best, winner] = bestOf(trick, leader, players);
  for (;;) {
    while (trick.length < players) {
      const seat = (leader + trick.length) % players;
      const hand = hands[seat];
      const legal =
        best === null
          ? legalLeads(limits, hand, { isFirst, isBroken })
          : legalFollows(limits, hand, best, isFirst);
      const isLast = trick.length === players - 1;
      const card =
        share && random() < share
          ? randomCard(legal, random)
          : chooseCard(limits, { hand, legal, out: without(live, hand), best, isLast });
      hand[suitOf(card)] ^= 1 << (card % 13);
      live[suitOf(card)] ^= 1 << (card % 13);
      trick.push(card);
      if (best === null || (suitOf(card) === suitOf(best) && card > best)) {
        [best, winner] = [card, seat];
      }
    }
    for (const card of trick) {
      taken[winner][suitOf(card)] |= 1 << (card % 13);
      if ((limits.breakers[suitOf(card)] >> (card % 13)) & 1) isBroken = true;
    }
    const isDone = !live.some((bits, suit) => bits & limits.penalty[suit]);
    if (isDone) return taken;
    [leader, isFirst, trick, best] = [winner, false, [], null];
  }
}

function bestOf(trick, leader, players) {
  let [best, winner] = [null, leader];
  for (const [place, card] of trick.entries()) {
    if (best === null || (suitOf(card) === suitOf(best) && card > best)) {
      [best, winner] = [card, (leader + place) % players];
    }
  }
  return [best, winner];
}

// The suit to name, as a number: in which the fewest cards of others are below one's own.
export function chooseSuit(hand, whole) {
  const out = without(whole, hand);
  const danger = (suit) =>
    cardsOf(hand)
      .filter((card) => suitOf(card) === suit)
      .reduce((count, card) => count + countBits(out[suit] & ((1 << (card % 13)) - 1)), 0);
  const dangers = hand.map((_, suit) => danger(suit));
  return dangers.indexOf(Math.min(...dangers));
}

// The cards that a seat passes on: the queen and what takes her, high hearts, short suits.
export function choosePass(limits, hand, count) {
  const guards = countBits(hand[SPADES] & BELOW_QUEEN);
  const hasQueen = limits.pain !== SPADES && limits.penalty[SPADES] & (1 << QUEEN);
  const danger = (card) => {
    const [suit, rank] = [suitOf(card), card % 13];
    if (hasQueen && suit === SPADES) {
      if (rank < QUEEN || guards >= GUARDS) return -100;
      return 100 + (rank === QUEEN ? 1 : 0);
    }
    const plain = 3 * rank - 4 * countBits(hand[suit]);
    return suit === limits.pain ? plain + (rank > 6 ? 6 : -20) : plain;
  };
  const ordered = cardsOf(hand).sort((one, other) => danger(other) - danger(one) || one - other);
  return ordered.slice(0, count);
}
