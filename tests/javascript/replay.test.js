import assert from "node:assert/strict";
import test from "node:test";

import { extent, lineOf, pace, ranked } from "../../static/js/replay_steps.js";

const cell = (order, label = String(order + 1)) => ({
  order,
  place: order + 1,
  label,
  total: "1",
  bar: 0,
});
const step = (...cells) => ({ round: 1, title: "", leads: "", jackpot: "", cells });
const SIZE = { width: 100, height: 100 };

test("a hand is shown for 2.5 seconds, and all of them for a minute at most", () => {
  assert.equal(pace(6), 2500);
  assert.equal(pace(24), 2500);
  assert.equal(pace(60), 1000);
});

test("a line goes as far as the hand that is shown", () => {
  const steps = [step(cell(0), cell(1)), step(cell(1), cell(0))];
  assert.deepEqual(lineOf(steps, 0, 0, SIZE), ["100,25"]);
  assert.deepEqual(lineOf(steps, 0, 1, SIZE), ["0,25 100,75"]);
});

test("a line is broken where somebody has no place", () => {
  const steps = [step(cell(0)), step(null), step(cell(0))];
  assert.deepEqual(lineOf(steps, 0, 2, SIZE), ["0,50", "100,50"]);
});

test("a bar goes to the left of zero where the total is below it", () => {
  assert.deepEqual(extent(-200, 300), { from: 0.1, length: 0.2 });
  assert.deepEqual(extent(700, 300), { from: 0.3, length: 0.7 });
});

test("who has no place yet is not among the ranked", () => {
  const found = ranked(step(cell(1), null, cell(0)), ["Ann", "Bob", "Carl"]);
  assert.deepEqual(
    found.map(({ name }) => name),
    ["Carl", "Ann"],
  );
});
