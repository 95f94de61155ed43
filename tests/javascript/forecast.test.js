import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";
import { direction, forecast } from "../../static/js/phone/forecast.js";
import { atSeats, auctionTable, pointsTable } from "./tables.js";

const bid = { bidder: "E", bid: 6, pain: "S" };

test("a seat that took no pain card takes the pot: the bid and a chip for each card", () => {
  const came = forecast(auctionTable(), { ...bid, taken: atSeats(0, 4, 4, 5) });
  assert.deepEqual(came.winners, ["N"]);
  assert.equal(came.each, 6 + 13);
  assert.deepEqual(came.next.chips, atSeats(69, 40, 46, 45));
  assert.equal(came.next.pot, 0);
  assert.equal(came.next.number, 2);
  assert.equal(came.next.dealer, "N");
});

test("two clean seats divide the pot, and the odd chip stays", () => {
  const came = forecast(auctionTable(), { ...bid, taken: atSeats(0, 6, 7, 0) });
  assert.deepEqual(came.winners, ["N", "W"]);
  assert.deepEqual([came.each, came.odd, came.next.pot], [9, 1, 1]);
});

test("without a clean seat the pot becomes a jackpot, for which the bidder names the suit again", () => {
  const came = forecast(auctionTable(), { ...bid, taken: atSeats(1, 3, 4, 5) });
  assert.deepEqual(came.winners, []);
  assert.deepEqual([came.next.pot, came.next.jackpot, came.next.namer], [19, 1, "E"]);
  assert.equal(came.next.phase, "jackpot");
});

test("no chip is made and none is lost", () => {
  for (const taken of [atSeats(0, 4, 4, 5), atSeats(0, 0, 6, 7), atSeats(13, 0, 0, 0)]) {
    const { next } = forecast(auctionTable({ pot: 3 }), { ...bid, taken });
    const held = Object.values(next.chips).reduce((whole, chips) => whole + chips, next.pot);
    assert.equal(held, 4 * 50 + 3);
  }
});

test("who cannot pay pays what there is, and the game is over when nothing is left", () => {
  const chips = atSeats(50, 50, 2, 98);
  const came = forecast(auctionTable({ chips }), { ...bid, taken: atSeats(0, 4, 5, 4) });
  assert.deepEqual(came.dues, [{ seat: "S", bought: 0, owed: 5, paid: 2 }]);
  assert.equal(came.next.chips.S, 0);
  assert.deepEqual([came.next.phase, came.next.over], ["over", "bust"]);
});

test("a heart is a point and the queen of spades thirteen", () => {
  const came = forecast(pointsTable(), { taken: atSeats(1, 2, 0, 10), queen: "E" });
  assert.deepEqual(came.scores, atSeats(1, 15, 0, 10));
  assert.deepEqual(came.next.totals, atSeats(1, 15, 0, 10));
  assert.equal(came.shooter, null);
});

test("whoever takes everything gives 26 points to each of the others", () => {
  const came = forecast(pointsTable(), { taken: atSeats(0, 13, 0, 0), queen: "E" });
  assert.equal(came.shooter, "E");
  assert.deepEqual(came.scores, atSeats(26, 0, 26, 26));
});

test("all hearts without the queen are thirteen points like any others", () => {
  const came = forecast(pointsTable(), { taken: atSeats(0, 13, 0, 0), queen: "S" });
  assert.deepEqual(came.scores, atSeats(0, 13, 13, 0));
});

test("the game ends with the hand in which somebody reaches a hundred points", () => {
  const totals = atSeats(60, 90, 30, 28);
  const result = { taken: atSeats(3, 10, 0, 0), queen: "N" };
  const { next } = forecast(pointsTable({ totals }), result);
  assert.deepEqual([next.totals.E, next.phase, next.over], [100, "over", "limit"]);
  const short = { taken: atSeats(4, 9, 0, 0), queen: "N" };
  assert.equal(forecast(pointsTable({ totals }), short).next.over, null);
});

test("a deal that is void is dealt again by the same dealer", () => {
  const { next, counted } = forecast(pointsTable(), { ending: "redeal" });
  assert.deepEqual([next.number, next.dealer, counted.deals], [2, "W", 0]);
});

test("a hand that nobody bid for passes the deal on", () => {
  const { next, counted } = forecast(auctionTable(), { ending: "passed out" });
  assert.deepEqual([next.dealer, counted.deals, counted.hands], ["N", 1, 0]);
});

test("only the server settles a hand whose queen nobody knows", () => {
  const result = { taken: atSeats(1, 2, 0, 10), queen: "unknown" };
  assert.equal(forecast(pointsTable(), result), null);
});

test("cards are passed left, right, across and not at all, in turn", () => {
  const { rules } = pointsTable();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((deals) => direction(rules, deals)),
    ["left", "right", "across", "hold", "left"],
  );
  assert.equal(direction(auctionTable().rules, 0), null);
});
