import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";
import { nextState } from "../../static/js/phone/next_state.js";
import { atSeats, auctionTable, pointsTable } from "./tables.js";

const hand = (number, result) => ({ kind: "hand", number, result });
const first = { bidder: "E", bid: 6, pain: "S", taken: atSeats(0, 4, 4, 5) };

test("without anything that waits the next hand is the server's", () => {
  const table = auctionTable();
  const { next } = nextState(table, []);
  assert.deepEqual([next.number, next.dealer, next.chips], [1, "W", atSeats(50, 50, 50, 50)]);
});

test("hands that wait on the phone are settled one after the other", () => {
  const second = { bidder: "N", bid: 10, pain: "H", taken: atSeats(5, 0, 4, 4) };
  const { next, counted } = nextState(auctionTable(), [hand(1, first), hand(2, second)]);
  assert.deepEqual([next.number, next.dealer], [3, "E"]);
  assert.deepEqual(next.chips, atSeats(69 - 15, 40 + 23, 42, 41));
  assert.equal(counted.round, 2);
});

test("what waits besides hands, and hands the server has, change nothing", () => {
  const queue = [hand(7, first), { kind: "word", number: 1 }];
  assert.equal(nextState(auctionTable(), queue).next.number, 1);
});

test("a hand that only the server can settle passes the deal on, and leaves points open", () => {
  const result = { taken: atSeats(1, 2, 0, 10), queen: "unknown" };
  const { next } = nextState(pointsTable(), [hand(1, result)]);
  assert.deepEqual([next.number, next.dealer, next.totals], [2, "N", null]);
});

test("every board begins alike where tables compare their results", () => {
  const table = auctionTable();
  table.counted = { ...table.counted, alike: true };
  table.boards = [1, 2, 3];
  const { next } = nextState(table, [hand(1, first)]);
  assert.deepEqual(next.chips, atSeats(50, 50, 50, 50));
  assert.deepEqual([next.board, next.pot, next.dealer], [2, 0, "E"]);
});

test("a hand that is dealt again does not count in its round", () => {
  const { counted } = nextState(auctionTable(), [hand(1, { ending: "redeal" })]);
  assert.equal(counted.round, 0);
});
