import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";
import { continueDraft, isSaved, isSecret } from "../../static/js/phone/drafts.js";
import { dueSentences, duesOf } from "../../static/js/phone/dues.js";
import { hasNextGame, looksForNext } from "../../static/js/phone/following.js";
import {
  add,
  takeBack,
  tryAgain,
  waiting,
  waitingElsewhere,
} from "../../static/js/phone/outbox.js";
import { isBegun, withMode } from "../../static/js/phone/page.js";
import { areSealed, isWritten, openedPapers, paperKinds } from "../../static/js/phone/papers.js";
import { rulesOf, SEATS } from "./tables.js";

test("papers and passed cards stay on the phone whose they are", () => {
  assert.ok(isSecret("paper N"));
  assert.ok(isSecret("pass N"));
  assert.ok(!isSecret("taken N"));
});

test("a hand is told on from another phone, with what that one could not know", () => {
  const other = { id: "b", number: 3, change: 5, answers: { bidder: "E", "paper S": 2 } };
  const mine = { number: 3, answers: { "paper N": 4, bidder: "W" } };
  const { answers, continues, seen } = continueDraft(other, { hand: "a" }, mine);
  assert.deepEqual(answers, { "paper N": 4, bidder: "E" });
  assert.deepEqual([continues, seen], ["b", 5]);
  assert.deepEqual(continueDraft(other, {}, { ...mine, number: 2 }).answers, { bidder: "E" });
});

test("a draft is saved when the server has its last change", () => {
  assert.ok(isSaved({}));
  assert.ok(isSaved({ kept: 2, change: 2 }));
  assert.ok(!isSaved({ kept: 1, change: 2 }));
});

test("how a hand is told says nothing of it", () => {
  assert.ok(!isBegun({ answers: { cards: true, calls: true } }));
  assert.ok(isBegun({ answers: { cards: true, bidder: "N" } }));
});

test("cards come last among the answers, to be taken back one by one", () => {
  const answers = withMode(true, { "card 0": "C2", bidder: "N" });
  assert.deepEqual(Object.keys(answers), ["cards", "bidder", "card 0"]);
  assert.deepEqual(withMode(false, answers), { bidder: "N", "card 0": "C2" });
});

test("what waits is sent in the order in which it was told, each game by itself", async () => {
  await add({ game: "one", kind: "hand", path: "/first", body: { hand: 1 } });
  await add({ game: "two", kind: "hand", path: "/other", body: {} });
  const order = await add({ game: "one", kind: "word", path: "/second", body: {} });
  const items = await waiting("one");
  assert.deepEqual(
    items.map((item) => item.path),
    ["/first", "/second"],
  );
  assert.equal(items[0].body, '{"hand":1}');
  assert.equal(items[0].state, "waiting");
  assert.notEqual(items[0].key, items[1].key);
  assert.equal(await waitingElsewhere("one"), 1);

  await tryAgain({ ...items[1], state: "refused", problem: { code: "CONFLICT" } });
  assert.deepEqual(
    (await waiting("one")).map((item) => [item.order, item.state, item.key]),
    items.map((item) => [item.order, "waiting", item.key]),
  );
  await takeBack({ order });
  assert.equal((await waiting("one")).length, 1);
});

test("a phone goes on to the next game, but not from a hand that is being told", () => {
  const table = { game: "one", phase: "play", between: { game: "two" } };
  assert.ok(hasNextGame({ table, draft: null }));
  assert.ok(hasNextGame({ table, draft: { answers: { cards: true } } }));
  assert.ok(!hasNextGame({ table, draft: { answers: { bidder: "N" } } }));
  assert.ok(!hasNextGame({ table: { ...table, between: { game: "one" } }, draft: null }));
});

test("the rules say which papers are sealed", () => {
  assert.deepEqual(paperKinds(rulesOf("insurance")), ["insurance", "centre"]);
  assert.deepEqual(paperKinds(rulesOf("standard", { foot: "on" })), ["foot"]);
  assert.deepEqual(paperKinds(rulesOf("bicycle")), []);
});

test("papers are read once all are open", () => {
  const papers = SEATS.map((seat) => ({ kind: "insurance", seat, is_open: true, value: "3" }));
  assert.deepEqual(openedPapers(papers, SEATS, "insurance"), { N: 3, E: 3, S: 3, W: 3 });
  const closed = [...papers.slice(1), { ...papers[0], is_open: false }];
  assert.equal(openedPapers(closed, SEATS, "insurance"), null);
  assert.ok(areSealed(closed, SEATS, "insurance"));
  assert.ok(!areSealed(papers, SEATS, "insurance"));
  assert.equal(openedPapers([{ ...papers[0], value: "F3" }], ["N"], "insurance").N, "F3");
});

test("nobody writes a foot once every seat has used its own", () => {
  const next = { feet_used: ["N", "E", "S"] };
  assert.ok(isWritten("foot", { seats: SEATS, next }));
  assert.ok(!isWritten("foot", { seats: SEATS, next: { feet_used: SEATS } }));
});

test("who owed more than they had is named with what they paid", () => {
  const scores = SEATS.map((seat) => ({ seat }));
  const postings = [
    { payer: "N", payee: "pot", kind: "CAPTURE", amount: 2 },
    { payer: "N", payee: "E", kind: "ADJUST", amount: 7 },
    { payer: "E", payee: "pot", kind: "CAPTURE", amount: 4 },
  ];
  const dues = duesOf({ scores, postings, shortfalls: { N: 3 } });
  assert.deepEqual(dues, [{ seat: "N", bought: 0, owed: 5, paid: 2 }]);
  assert.deepEqual(dueSentences(dues), ["North paid 2 of 5"]);
});

test("a phone leaves a game that is finished another day, unless it came for that game", () => {
  const table = { speaks: "N", phase: "open" };
  assert.ok(!looksForNext({ table, news: { adjourned: false } }));
  assert.ok(looksForNext({ table, news: { adjourned: true } }));
  assert.ok(!looksForNext({ table: { ...table, stays: true }, news: { adjourned: true } }));
  assert.ok(looksForNext({ table: { ...table, stays: true, phase: "closed" }, news: null }));
});
