import assert from "node:assert/strict";
import test from "node:test";

import {
  leftOf,
  pack,
  suitSize,
  sum,
  tricks,
  turns,
  within,
} from "../../static/js/phone/counting.js";
import { rulesOf, SEATS } from "./tables.js";

const four = rulesOf("bicycle");
const hoyle = rulesOf("hoyle_auction");

test("the deal passes to the left, and past the last seat to the first", () => {
  assert.equal(leftOf(SEATS, "N"), "E");
  assert.equal(leftOf(SEATS, "W"), "N");
  assert.equal(leftOf(SEATS, "E", 2), "W");
});

test("the dealer speaks last", () => {
  assert.deepEqual(turns(SEATS, "E"), ["S", "W", "N", "E"]);
});

test("four players hold thirteen cards each of a whole pack", () => {
  assert.equal(pack(four, 4).flat().length, 52);
  assert.equal(tricks(four, 4), 13);
  assert.equal(suitSize(four, 4, "H"), 13);
});

test("a pack that cannot be divided leaves out low cards", () => {
  for (const players of [3, 4, 5, 6]) {
    const cards = pack(hoyle, players).flat();
    assert.equal(cards.length % players, 0, `${players} players`);
    assert.equal(tricks(hoyle, players), cards.length / players);
    assert.equal(
      sum(["S", "H", "D", "C"].map((suit) => suitSize(hoyle, players, suit))),
      cards.length,
    );
  }
  assert.ok(!pack(hoyle, 3).flat().includes("C2"));
});

test("a pack is held by suit, high cards first", () => {
  assert.deepEqual(pack(four, 4)[0].slice(0, 3), ["SA", "SK", "SQ"]);
});

test("a number is whole and within its limits", () => {
  const isBid = within(1, 50);
  assert.deepEqual([0, 1, 50, 51, 1.5, "7", null].map(isBid), [
    false,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
