import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";
import {
  cardTaps,
  withCardsFrom,
  withoutAnswer,
  withoutLastTap,
} from "../../static/js/phone/answer_changes.js";
import { biddingActions } from "../../static/js/phone/bidding.js";
import { takenQuestion } from "../../static/js/phone/captures.js";
import { answersOf } from "../../static/js/phone/correction.js";
import { holders, isPassed, sentPasses } from "../../static/js/phone/passing.js";
import { questions } from "../../static/js/phone/questions.js";
import { atSeats, auctionTable, pointsTable, SEATS } from "./tables.js";

const told = {
  bidder: "E",
  bid: 6,
  pain: "H",
  "taken N": 3,
  "taken E": 2,
  "taken S": 4,
};

test("an auction hand is told by who bid how much, the suit, and what each took", () => {
  const keys = [];
  const answers = {};
  const given = { ...told, "taken W": 4 };
  for (let turn = 0; turn < 10; turn += 1) {
    const { open } = questions(auctionTable(), answers);
    if (!open) break;
    keys.push(open.key);
    answers[open.key] = given[open.key];
  }
  assert.deepEqual(keys, ["bidder", "bid", "pain", "taken N", "taken E", "taken S"]);
});

test("what is left of the suit is the last seat's, without a tap", () => {
  const { asked, open, result } = questions(auctionTable(), told);
  assert.equal(open, null);
  assert.deepEqual(result, { bidder: "E", bid: 6, pain: "H", taken: atSeats(3, 2, 4, 4) });
  assert.deepEqual(
    asked.filter((one) => one.isFilled).map((one) => one.key),
    ["taken W"],
  );
});

test("numbers that come to more than the suit are asked about", () => {
  const { open } = questions(auctionTable(), { ...told, "taken W": 5 });
  assert.equal(open.kind, "sum");
  assert.equal(open.count, 14);
});

test("once a seat has taken all, the others have none", () => {
  const question = takenQuestion(auctionTable(), { "taken N": 13 }, "H", "E");
  assert.equal(question.forced, 0);
});

test("nobody bids more than they hold", () => {
  const chips = atSeats(50, 3, 50, 50);
  const { open } = questions(auctionTable({ chips }), { bidder: "E" });
  assert.deepEqual([open.kind, open.least, open.most], ["bid", 1, 3]);
  assert.ok(!open.fits(4));
});

test("a hand that all passed is over", () => {
  assert.deepEqual(questions(auctionTable(), { bidder: "nobody" }).result, {
    ending: "passed out",
  });
});

test("in a jackpot nobody bids: whoever named the suit names it again", () => {
  const { open } = questions(auctionTable({ jackpot: 1, namer: "E" }), {});
  assert.deepEqual([open.kind, open.seat], ["suit", "E"]);
});

test("where the queen counts, who took her is asked", () => {
  const taken = { "taken N": 3, "taken E": 2, "taken S": 4 };
  const { open } = questions(pointsTable(), taken);
  assert.equal(open.kind, "queen");
  assert.ok(open.fits("unknown"));
});

test("calls are sent in the order of the seats, the dealer last", () => {
  const table = auctionTable();
  const answers = { calls: true, "bid N": "pass", "bid E": 4, "bid S": 6, "bid W": "pass" };
  assert.deepEqual(biddingActions(table, answers, { bidder: "S", bid: 6 }), { calls: "P 4 6 P" });
  assert.deepEqual(biddingActions(table, {}, { bidder: "S", bid: 6 }), { bidder: "S", bid: 6 });
});

test("a hand that was sent is told again by the answers that it came from", () => {
  const { result } = questions(auctionTable(), told);
  assert.deepEqual(questions(auctionTable(), answersOf(result)).result, result);
  assert.deepEqual(answersOf({ ending: "passed out" }), { bidder: "nobody" });
});

test("an answer that is taken back takes along those that hang on it", () => {
  const kept = withoutAnswer({ ...told, "taken W": 4, queen: "N" }, "taken E");
  assert.deepEqual(kept, { bidder: "E", bid: 6, pain: "H", "taken N": 3 });
});

test("one tap for several cards is taken back by one tap", () => {
  const cards = [{ card: "C3" }, { card: "C4" }, { card: "CA", isFilled: true }];
  const answers = withCardsFrom({ "card 0": "C2" }, 1, cards);
  assert.deepEqual(answers, { "card 0": "C2", "run 1": 3, "card 1": "C3", "card 2": "C4" });
  assert.equal(cardTaps(answers), 2);
  assert.deepEqual(withoutLastTap(answers), { "card 0": "C2" });
});

test("cards that were passed lie with whoever got them", () => {
  const table = pointsTable({ passing: "left" });
  assert.ok(isPassed(table));
  assert.ok(!isPassed(pointsTable({ passing: "hold" })));
  const passed = { N: ["HA", "HK", "H3"] };
  assert.deepEqual(holders(table, passed, true), { HA: "E", HK: "E", H3: "E" });
  assert.deepEqual(sentPasses(passed), { N: "HAHKH3" });
});

test("a deal is no longer where it was dealt once cards were passed that nobody noted", () => {
  const deal = Object.fromEntries(SEATS.map((seat, at) => [seat, [["SA", "HA", "DA", "CA"][at]]]));
  const table = { ...pointsTable({ passing: "right" }), deal };
  assert.deepEqual(holders(table, null, true), {});
  assert.deepEqual(holders(table, null, false), { SA: "N", HA: "E", DA: "S", CA: "W" });
  assert.equal(holders(table, { N: ["SA"] }, true).SA, "W");
});
