// What a bot at the practice table answers, from what its seat knows; and what the choices of a person
// cost by the same measure.
import { bySeat, pack, turns } from "./counting.js";
import { passesTo } from "./passing.js";
import {
  choosePass,
  chooseSuit,
  limitsOf,
  nameOfCard,
  numberOf,
  playOut,
  setOf,
} from "./policy.js";
import {
  costOf,
  costTable,
  losses,
  meanCost,
  positionOf,
  shuffled,
  valueCards,
} from "./sampling.js";

export const WORLDS = 30; // in which a bot tries each card
const JUDGED = 60; // in which a card of a person is tried: half to find the best, half to measure it
const SHADE = 0.7; // the share of what a suit is worth that is bid for it at most
const SUITS = ["C", "D", "H", "S"];

// The value with which a bot answers the question that is asked.
export function chooseAnswer(hand, random = Math.random) {
  const { question, before } = hand;
  const { kind, seat } = question;
  switch (kind) {
    case "pass": {
      const limits = limitsOf(before, "H");
      const own = setOf(before.deal[seat].map(numberOf));
      return choosePass(limits, own, question.count).map(nameOfCard);
    }
    case "paper":
      return 0;
    case "call":
      return chooseCall(hand, random);
    case "suit":
      return valueNaming(hand, seat, random).suit;
    case "moon":
      return "others";
    default:
      return chooseCard(hand, random);
  }
}

function chooseCard(hand, random) {
  const { position, costs } = knownBy(hand);
  const choices = valueCards(position, costs, WORLDS, random);
  const best = choices.reduce((one, other) => (meanCost(other) < meanCost(one) ? other : one));
  return nameOfCard(best.cards[0]);
}

// What each card costs that could be played now instead of the best one: [{ cards, loss, error }].
export function judgeCards(hand, random = Math.random) {
  const { position, costs } = knownBy(hand);
  const choices = valueCards(position, costs, JUDGED, random);
  if (choices.length < 2) return [];
  return losses(choices).map((one) => ({ ...one, cards: one.cards.map(nameOfCard) }));
}

// The position as the seat in turn knows it, and what the hand costs it: papers of others are secret.
function knownBy({ question, before, answers }) {
  const { playing, seat, bidder, bid } = question;
  const limits = limitsOf(before, playing.pain);
  const paper = answers[`paper ${seat}`];
  const papers = bySeat(before.seats, (one) => (one === seat ? (paper ?? 0) : 0));
  const given = answers[`pass ${seat}`];
  const passed = given ? { [passesTo(before, seat)]: given } : {};
  return {
    position: positionOf(playing, { limits, passed }),
    costs: costTable(before, { bidder, bid, papers }, limits),
  };
}

// The suit that is best to name, and what that saves a seat against another's naming.
function valueNaming({ before }, seat, random) {
  const { seats, rules, next } = before;
  const own = seats.indexOf(seat);
  const eldest = seats.indexOf(turns(seats, next.dealer)[0]);
  const tables = SUITS.map((suit) => {
    const limits = limitsOf(before, suit);
    return { limits, costs: costTable(before, { bidder: seat, bid: 0 }, limits) };
  });
  const play = (hands, namer, { limits, costs }) => {
    const leader = rules.first_leader === "bidder" ? namer : eldest;
    const taken = hands.map(() => setOf([]));
    const position = { hands, leader, trick: [], taken, isFirst: true, isBroken: false };
    return costOf(costs, playOut(limits, position, random), own);
  };
  const named = SUITS.map(() => 0);
  let other = 0;
  for (let at = 0; at < WORLDS; at += 1) {
    const hands = worldBefore(before, seat, random);
    const rival = (own + 1 + Math.floor(random() * (seats.length - 1))) % seats.length;
    other += play(hands, rival, tables[chooseSuit(hands[rival], tables[0].limits.whole)]);
    for (const [suit, table] of tables.entries()) named[suit] += play(hands, own, table);
  }
  const least = Math.min(...named);
  return { suit: SUITS[named.indexOf(least)], gain: (other - least) / WORLDS };
}

// A deal of the cards that a seat does not hold.
function worldBefore({ seats, deal, rules }, seat, random) {
  const own = deal[seat];
  const isOut = (card) => !own.includes(card);
  const left = shuffled(pack(rules, seats.length).flat().filter(isOut), random).map(numberOf);
  return seats.map((one) =>
    one === seat ? setOf(own.map(numberOf)) : setOf(left.splice(0, own.length)),
  );
}

// A bid comes back with about every fourth pot. Of the chips that naming is then worth, a share is
// bid; by who is last to call, no more than is needed.
function chooseCall(hand, random) {
  const { question, before } = hand;
  const { seat, least, most } = question;
  const { gain } = valueNaming(hand, seat, random);
  const worth = Math.floor(((gain * 4) / 3) * SHADE);
  if (worth < least) return "pass";
  const isLast = turns(before.seats, before.next.dealer).pop() === seat;
  return Math.min(isLast ? least : worth, most);
}
