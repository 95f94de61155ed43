// Choices of a bot, and what a choice of a person cost: each is tried in worlds, deals of the cards
// that a seat has not seen which agree with all it knows, and played out by the rule of thumb.
import { bySeat } from "./counting.js";
import { forecast } from "./forecast.js";
import {
  cardsOf,
  countBits,
  legalFollows,
  legalLeads,
  numberOf,
  playOut,
  setOf,
  sizeOf,
  suitOf,
} from "./policy.js";

const TRIES = 20; // deals that are begun before one may contradict what a seat has shown
const RICH = 10_000; // chips with which everybody can pay whatever they owe

// What a hand costs each seat: points, or chips lost after the first lead; negative where it wins.
// The settlement is asked once for every set of seats that can have taken a card that counts; chips
// that stay in the pot are everybody's in equal parts.
export function costTable(table, told, limits) {
  const { rules, seats, next } = table;
  const isPot = rules.settlement === "pot";
  const before = { ...table, next: { ...next, chips: bySeat(seats, () => RICH) } };
  const pain = "CDHS"[limits.pain];
  const weights = seats.map((seat) => {
    const insured = Number(told.papers?.[seat] ?? 0);
    return { heart: 1, queen: rules.queen === "on" ? 13 - 2 * insured : 0 };
  });
  const extra = Array.from({ length: 1 << seats.length }, (_, mask) => {
    if (!mask) return seats.map(() => 0);
    const takers = seats.filter((_seat, at) => (mask >> at) & 1);
    const rest = limits.size - takers.length + 1;
    const taken = bySeat(seats, (seat) =>
      seat === takers[0] ? rest : takers.includes(seat) ? 1 : 0,
    );
    const queen = rules.queen === "on" ? takers[0] : null;
    const came = forecast(before, { moon: "others", ...told, pain, taken, queen });
    return seats.map((seat, at) => {
      const plain = weights[at].heart * taken[seat] + (seat === queen ? weights[at].queen : 0);
      if (!isPot) return came.scores[seat] - plain;
      const bid = seat === told.bidder ? (told.bid ?? 0) : 0;
      return RICH - bid - came.next.chips[seat] - came.next.pot / seats.length - plain;
    });
  });
  return { weights, extra, limits };
}

// The cost to one seat of cards as they were taken.
export function costOf({ weights, extra, limits }, taken, at) {
  const { pain, penalty } = limits;
  let mask = 0;
  for (const [seat, cards] of taken.entries()) {
    if (cards.some((bits, suit) => bits & penalty[suit])) mask |= 1 << seat;
  }
  const { heart, queen } = weights[at];
  const hasQueen = pain !== 3 && taken[at][3] & penalty[3];
  return heart * countBits(taken[at][pain]) + (hasQueen ? queen : 0) + extra[mask][at];
}

// A hand in the middle of the play, as the seat in turn knows it: its own cards as a set, those that
// others hold, the cards known to be somebody's because they were passed there, by seat, and which
// suits each has shown to lack.
export function positionOf(playing, { passed = {}, limits }) {
  const { seats, left, trick, done, turn, voids } = playing;
  const isOwn = (card) => playing.owner(card) === turn;
  const taken = seats.map(() => setOf([]));
  for (const { cards, winner } of done) {
    const at = seats.indexOf(winner);
    const won = setOf(cards.map(({ card }) => numberOf(card)));
    taken[at] = taken[at].map((bits, suit) => bits | won[suit]);
  }
  return {
    limits,
    seat: seats.indexOf(turn),
    own: setOf(left.filter(isOwn).map(numberOf)),
    others: left.filter((card) => !isOwn(card)).map(numberOf),
    known: seats.map((seat) =>
      (passed[seat] ?? []).filter((card) => left.includes(card)).map(numberOf),
    ),
    lacks: seats.map((seat) => [...voids[seat].keys()].map((suit) => "CDHS".indexOf(suit))),
    leader: seats.indexOf(trick[0]?.seat ?? turn),
    trick: trick.map(({ card }) => numberOf(card)),
    taken,
    isFirst: playing.isFirst,
    isBroken: playing.broken,
  };
}

export const legalCards = ({ limits, own, trick, isFirst, isBroken }) =>
  trick.length
    ? legalFollows(limits, own, trick[0], isFirst)
    : legalLeads(limits, own, { isFirst, isBroken });

// One deal of the cards that the seat in turn has not seen; who can hold the fewest of them gets
// theirs first. Where that leads nowhere it is tried again.
export function sampleWorld(position, random) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = dealUnseen(position, random, true);
    if (found) return found;
  }
  return dealUnseen(position, random, false);
}

function dealUnseen({ seat, own, others, known, lacks, leader, trick }, random, isStrict) {
  const players = known.length;
  const size = sizeOf(own);
  const hasPlayed = (at) => (at - leader + players) % players < trick.length;
  const hands = known.map((cards, at) => (at === seat ? own : setOf(cards)));
  const room = known.map((cards, at) =>
    at === seat ? 0 : size - (hasPlayed(at) ? 1 : 0) - cards.length,
  );
  const given = new Set(known.flat());
  const able = (card) =>
    known
      .map((_, at) => at)
      .filter((at) => at !== seat && !(isStrict && lacks[at].includes(suitOf(card))));
  const left = shuffled(
    others.filter((card) => !given.has(card)),
    random,
  )
    .map((card) => ({ card, seats: able(card) }))
    .sort((one, other) => one.seats.length - other.seats.length);
  for (const { card, seats } of left) {
    let at = random() * seats.reduce((whole, one) => whole + room[one], 0);
    const to = seats.find((one) => {
      at -= room[one];
      return room[one] > 0 && at < 0;
    });
    if (to === undefined) return null;
    room[to] -= 1;
    hands[to][suitOf(card)] |= 1 << (card % 13);
  }
  return hands;
}

export function shuffled(cards, random) {
  const made = [...cards];
  for (let at = made.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [made[at], made[other]] = [made[other], made[at]];
  }
  return made;
}

// The legal cards, in groups between which there is nothing to choose: nobody else can hold, or has
// just played, a card between them.
export function distinctCards(position) {
  const { limits, others, trick } = position;
  const legal = cardsOf(legalCards(position));
  const between = setOf([...others, ...trick]);
  const isAlone = (card) =>
    limits.pain !== 3 && suitOf(card) === 3 && (limits.penalty[3] >> (card % 13)) & 1;
  const groups = [];
  for (const card of legal) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    const isNext =
      last !== undefined &&
      suitOf(last) === suitOf(card) &&
      !isAlone(card) &&
      !isAlone(last) &&
      !(between[suitOf(card)] & ((1 << (card % 13)) - (2 << (last % 13))));
    if (isNext) group.push(card);
    else groups.push([card]);
  }
  return groups;
}

// What each distinct card of the seat in turn costs it in some worlds, the same for all cards:
// [{ cards, costs }].
export function valueCards(position, costs, count, random) {
  const choices = distinctCards(position).map((cards) => ({ cards, costs: [] }));
  if (choices.length < 2) return choices;
  for (let at = 0; at < count; at += 1) {
    const world = sampleWorld(position, random);
    for (const choice of choices)
      choice.costs.push(costAfter(position, choice.cards[0], world, costs, random));
  }
  return choices;
}

function costAfter(position, card, world, costs, random) {
  const { limits, seat, leader, trick, taken, isFirst, isBroken } = position;
  const hands = [...world];
  hands[seat] = hands[seat].map((bits, suit) =>
    suit === suitOf(card) ? bits & ~(1 << (card % 13)) : bits,
  );
  const after = { hands, leader, trick: [...trick, card], taken, isFirst, isBroken };
  return costOf(costs, playOut(limits, after, random), seat);
}

export const meanCost = ({ costs }) => mean(costs);

export const mean = (values) => values.reduce((whole, one) => whole + one, 0) / values.length;

// How far each choice is behind the best one, with its standard error: the best is chosen in the
// first half of the worlds, and measured in the second, so that luck is not taken for a better card.
export function losses(choices) {
  const half = choices[0].costs.length / 2;
  const first = choices.map(({ costs }) => mean(costs.slice(0, half)));
  const best = choices[first.indexOf(Math.min(...first))];
  return choices.map(({ cards, costs }) => {
    const behind = costs.slice(half).map((cost, at) => cost - best.costs[half + at]);
    const loss = mean(behind);
    const spread = mean(behind.map((one) => (one - loss) ** 2));
    return {
      cards,
      loss,
      error: Math.sqrt(spread / Math.max(behind.length - 1, 1)),
      isBest: cards === best.cards,
    };
  });
}
