import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import "./browser.js";
import { cardName } from "../../static/js/phone/hand_text.js";
import { random, uuid4, uuid7 } from "../../static/js/phone/identifiers.js";
import { isActive, isDue, notePoll } from "../../static/js/phone/polling.js";
import { sha256 } from "../../static/js/phone/sha256.js";
import { cardOf, withKey } from "../../static/js/phone/shorthand.js";

test("a seal is the SHA-256 that every other program makes", () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 200]) {
    const text = "é".repeat(length);
    assert.equal(
      sha256(text),
      createHash("sha256").update(text).digest("hex"),
      `${length} letters`,
    );
  }
});

test("the id of a hand begins with the time in milliseconds", () => {
  const id = uuid7(1_795_000_000_123);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), 1_795_000_000_123);
  assert.ok(uuid7(1_000_000) < uuid7(1_000_001));
});

test("keys of requests are random and never the same", () => {
  const keys = new Set(Array.from({ length: 100 }, uuid4));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
  assert.match(random(16), /^[0-9a-f]{32}$/);
});

test("a card is typed by suit and rank in either order", () => {
  assert.deepEqual(["sq", "QS", "10h", "h10", "th"].map(cardOf), ["SQ", "SQ", "HT", "HT", "HT"]);
  assert.deepEqual(["s", "1", "11", "x2", ""].map(cardOf), [null, null, null, null, null]);
});

test("keys make a card, and one that cannot begins a new one", () => {
  assert.equal([..."s10"].reduce(withKey, ""), "s10");
  assert.equal(withKey("s", "d"), "d");
  assert.equal(withKey("s", "x"), "s");
});

test("a card is shown by its sign, the ten by its number", () => {
  assert.deepEqual(["SQ", "HT", "D2"].map(cardName), ["♠Q", "♥10", "♦2"]);
});

test("the server is asked again after a while, sooner while something happens", () => {
  assert.ok(isActive()); // a page that has just been opened
  assert.ok(isDue(0));
  notePoll();
  assert.ok(!isDue(0));
  assert.ok(!isDue(3));
});
