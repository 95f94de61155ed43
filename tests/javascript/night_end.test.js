import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";

const { countedText } = await import("../../static/js/phone/night_end.js");

test("a total counts up to what it is", () => {
  assert.equal(countedText("9 points", 0), "0 points");
  assert.equal(countedText("9 points", 0.5), "4 points");
  assert.equal(countedText("9 points", 1), "9 points");
});

test("a sign stays before the number, and decimals come at the end", () => {
  assert.equal(countedText("−19 chips", 0.5), "−9 chips");
  assert.equal(countedText("4,5 Punkte", 0.5), "2 Punkte");
  assert.equal(countedText("4,5 Punkte", 1), "4,5 Punkte");
});

test("a total without a number stays as it is", () => {
  assert.equal(countedText("–", 0.5), "–");
});
