import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import "./browser.js";
import { rulesOf } from "./tables.js";

const { chooseAnswer } = await import("../../static/js/phone/practice_bots.js");
const { dealCards, newGame, PracticeHand, recordOf } = await import(
  "../../static/js/phone/practice_hands.js"
);
const { chooseCard, choosePass, chooseSuit, limitsOf, nameOfCard, numberOf, setOf } = await import(
  "../../static/js/phone/policy.js"
);
const { costOf, costTable, distinctCards, losses, positionOf, sampleWorld } = await import(
  "../../static/js/phone/sampling.js"
);

const POSITIONS = JSON.parse(
  readFileSync(new URL("./policy_positions.json", import.meta.url), "utf8"),
);
const SEATS = {
  3: ["E", "S", "W"],
  4: ["N", "E", "S", "W"],
  5: ["NE", "SE", "S", "SW", "NW"],
  6: ["N", "NE", "SE", "S", "SW", "NW"],
};

// Random numbers that are the same in every run (mulberry32).
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function gameOf(preset, players = 4, changes = {}, random = seeded(1)) {
  const rules = rulesOf(preset, changes);
  const seats = SEATS[players];
  const each = (value) => Object.fromEntries(seats.map((seat) => [seat, value]));
  const isPot = rules.settlement === "pot";
  const passing = rules.passing === "cycle" ? "left" : null;
  const next = {
    pot: 0,
    jackpot: 0,
    namer: null,
    feet_used: [],
    over: null,
    places: null,
    passing,
  };
  const held = isPot
    ? { chips: each(50), totals: null, phase: rules.pain === "auction" ? "auction" : "deal" }
    : { chips: null, totals: each(0), phase: "deal" };
  return newGame({ rules, tables: [{ seats, next: { ...next, ...held } }] }, players, random);
}

function playedHand(table, random) {
  const hand = new PracticeHand(table, dealCards(table, random));
  while (!hand.isOver) hand.answer(chooseAnswer(hand, random));
  return hand;
}

function cards(names) {
  let suit = "";
  const found = [];
  for (const letter of names === "-" ? "" : names) {
    if ("SHDC".includes(letter)) suit = letter;
    else found.push(numberOf(suit + letter));
  }
  return found;
}

test("the rule of thumb chooses the same cards as the library's", () => {
  for (const one of POSITIONS) {
    const limits = limitsOf({ rules: rulesOf(one.rules), seats: SEATS[one.players] }, one.pain);
    const [hand, legal, out] = [one.hand, one.legal, one.out].map((names) => setOf(cards(names)));
    const best = one.best === null ? null : numberOf(one.best);
    const chosen = chooseCard(limits, { hand, legal, out, best, isLast: one.is_last });
    assert.equal(nameOfCard(chosen), one.card, JSON.stringify(one));
    const passed = choosePass(limits, hand, 3).sort((left, right) => left - right);
    assert.deepEqual(
      passed,
      cards(one.passed).sort((left, right) => left - right),
    );
    assert.equal("CDHS"[chooseSuit(hand, limits.whole)], one.suit, JSON.stringify(one));
  }
});

for (const [preset, players] of [
  ["standard", 4],
  ["bicycle", 4],
  ["hoyle_auction", 3],
  ["hoyle_auction", 6],
  ["hoyle_hearts", 5],
  ["sahara", 3],
]) {
  test(`bots play ${preset} with ${players} players to its end`, () => {
    const random = seeded(players);
    let table = gameOf(preset, players, {}, random);
    for (let count = 0; count < 3 && !table.next.over; count += 1) {
      const hand = playedHand(table, random);
      const took = Object.values(hand.result.taken).reduce((whole, one) => whole + one, 0);
      const pain = hand.result.pain ?? "H";
      assert.equal(took, limitsOf(table, pain).size);
      assert.equal(hand.after.next.number, table.next.number + 1);
      table = hand.after;
    }
  });
}

test("a hand goes on where it was, and its last card can be taken back", () => {
  const random = seeded(5);
  const table = gameOf("standard", 4, {}, random);
  const whole = playedHand(table, random);
  const own = table.speaks;
  const again = new PracticeHand(table, whole.before.deal, whole.told);
  assert.deepEqual(again.result.taken, whole.result.taken);
  const back = whole.withoutLastOf(own);
  assert.equal(back.question.seat, own);
  assert.equal(back.question.kind, "card");
  assert.ok(back.told.length < whole.told.length);
  assert.equal(whole.isOver, true);
});

test("what a hand costs is what its settlement says", () => {
  const random = seeded(8);
  for (const preset of ["standard", "bicycle"]) {
    for (let count = 0; count < 10; count += 1) {
      const { before, result, outcome } = playedHand(gameOf(preset, 4, {}, random), random);
      if (result.ending) continue;
      const pain = result.pain ?? "H";
      const limits = limitsOf(before, pain);
      const taken = before.seats.map(() => setOf([]));
      const { bidder, bid } = result;
      const costs = costTable(before, { bidder, bid }, limits);
      const numbers = limits.whole[limits.pain];
      const suit = [...Array(13).keys()].filter((rank) => (numbers >> rank) & 1);
      for (const [at, seat] of before.seats.entries()) {
        const own = suit.splice(0, result.taken[seat]).map((rank) => limits.pain * 13 + rank);
        taken[at] = setOf(result.queen === seat ? [...own, numberOf("SQ")] : own);
      }
      for (const [at, seat] of before.seats.entries()) {
        const won = outcome.scores
          ? 0 - outcome.scores[seat]
          : outcome.next.chips[seat] - before.next.chips[seat];
        const spent = seat === bidder ? bid : 0;
        const share = outcome.scores ? 0 : outcome.next.pot / before.seats.length;
        assert.equal(costOf(costs, taken, at), 0 - won - spent - share, `${preset} ${seat}`);
      }
    }
  }
});

// A hand up to the first question of a card of one's own from a trick on.
function handBefore(seed, trick) {
  const random = seeded(seed);
  const table = gameOf("standard", 4, {}, random);
  const hand = new PracticeHand(table, dealCards(table, random));
  const isThere = () => {
    const { kind, seat, playing } = hand.question;
    return kind === "card" && seat === table.speaks && playing.done.length >= trick;
  };
  while (!isThere()) hand.answer(chooseAnswer(hand, random));
  return hand;
}

test("a world has the cards of a seat, those it has passed, and none that others have shown to lack", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const hand = handBefore(seed, 6);
    const { playing, seat } = hand.question;
    const limits = limitsOf(hand.before, playing.pain);
    const position = positionOf(playing, { limits, passed: {} });
    const random = seeded(seed);
    for (let count = 0; count < 20; count += 1) {
      const hands = sampleWorld(position, random);
      const at = hand.before.seats.indexOf(seat);
      assert.deepEqual(hands[at], position.own);
      for (const [other, suits] of position.lacks.entries()) {
        if (other !== at) assert.ok(suits.every((suit) => hands[other][suit] === 0));
      }
      const all = hands.flatMap((one) =>
        one.map((bits) => bits.toString(2).replaceAll("0", "").length),
      );
      assert.equal(
        all.reduce((whole, one) => whole + one, 0),
        playing.left.length,
      );
    }
  }
});

test("cards between which there is nothing to choose are one choice", () => {
  const hand = handBefore(3, 0);
  const { playing } = hand.question;
  const position = positionOf(playing, { limits: limitsOf(hand.before, "H") });
  const groups = distinctCards({
    ...position,
    trick: [],
    isFirst: false,
    isBroken: true,
    own: setOf(cards("S432HA")),
    others: cards("S65HKQ"),
  });
  assert.deepEqual(groups, [[numberOf("HA")], cards("S234")]);
});

test("the loss of a card is measured in other worlds than those in which the best was chosen", () => {
  const choices = [
    { cards: [1], costs: [0, 0, 5, 7] },
    { cards: [2], costs: [1, 1, 2, 2] },
  ];
  const [first, second] = losses(choices);
  assert.deepEqual([first.loss, first.isBest], [0, true]);
  assert.deepEqual([second.loss, second.isBest], [-4, false]);
});

test("a record names the rules, the deal and every card in its seat's column", () => {
  const random = seeded(11);
  const hand = playedHand(gameOf("bicycle", 4, {}, random), random);
  const text = recordOf(hand, { variant: "auction-bicycle", overrides: "" }, "Practice");
  assert.match(text, /^% PHN 1\.0\n/);
  const [, table] = text.split("[PlayTable ");
  const [head, ...rows] = table.trim().split("\n");
  const order = head.slice(1, head.indexOf('"]')).split(";");
  assert.equal(rows.length, 13);
  for (const row of rows) {
    for (const [at, card] of row.split(" ").entries()) {
      assert.ok(hand.before.deal[order[at]].includes(card));
    }
  }
});
