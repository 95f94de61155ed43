import assert from "node:assert/strict";
import test from "node:test";

import { lowClub, Playing } from "../../static/js/phone/cards.js";
import { auctionTable, pointsTable, rulesOf } from "./tables.js";

const RANKS = [..."AKQJT98765432"];
const suit = (letter) => RANKS.map((rank) => letter + rank);

// Each seat holds a whole suit, North spades.
const SUIT_EACH = Object.fromEntries(
  [
    ["N", "S"],
    ["E", "H"],
    ["S", "D"],
    ["W", "C"],
  ].flatMap(([seat, letter]) => suit(letter).map((card) => [card, seat])),
);

function played(playing, cards) {
  for (const card of cards.split(" ")) playing.play(card);
  return playing;
}

test("the two of clubs leads, and no other card", () => {
  const playing = new Playing(pointsTable(), "N", "H");
  assert.equal(lowClub(playing.rules, 4), "C2");
  assert.deepEqual(playing.legal(), ["C2"]);
  assert.deepEqual(playing.doubt("CA"), { kind: "opening", low: "C2" });
});

test("three players without the two of clubs begin with the three", () => {
  assert.equal(lowClub(rulesOf("hoyle_auction"), 3), "C3");
});

test("the highest card of the suit that was led wins, and leads next", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2 CK CA S2");
  assert.equal(playing.done[0].winner, "S");
  assert.equal(playing.turn, "S");
  assert.equal(playing.place, 4);
  assert.equal(playing.left.length, 48);
});

test("hearts and the queen of spades count for whoever takes them", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2 C3 C4 CA SA SQ H2 H3");
  assert.equal(playing.done[1].winner, "W");
  assert.deepEqual(playing.taken, { N: 0, E: 0, S: 0, W: 2 });
  assert.equal(playing.queen, "W");
});

test("hearts are not led before they are broken", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2 C3 C4 CA");
  assert.ok(!playing.legal().some((card) => card[0] === "H"));
  assert.deepEqual(playing.doubt("HA"), { kind: "unbroken" });
  played(playing, "D2 D3 H2 D4");
  assert.ok(playing.legal().includes("HA"));
});

test("no penalty card is played to the first trick while there is another one", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2");
  assert.ok(!playing.legal().includes("SQ"));
  assert.ok(!playing.legal().includes("H2"));
  assert.ok(playing.legal().includes("S2"));
  assert.deepEqual(playing.doubt("SQ"), { kind: "early" });
});

test("whoever holds nothing but hearts may play them to the first trick", () => {
  const playing = new Playing(pointsTable(), "W", "H", SUIT_EACH);
  played(playing, "C2 S2");
  assert.deepEqual([...playing.legal()].sort(), suit("H").sort());
});

test("whoever holds the suit follows it", () => {
  const holders = { ...SUIT_EACH, C3: "N", S2: "W" };
  const playing = played(new Playing(pointsTable(), "W", "H", holders), "C2");
  assert.deepEqual(playing.legal(), ["C3"]);
  assert.equal(playing.forced, "C3");
  assert.deepEqual(playing.doubt("SA"), { kind: "follow", suit: "C" });
});

test("a seat that did not follow is asked when it plays that suit after all", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2 D2 C4 CA C5 C6");
  assert.equal(playing.turn, "E");
  assert.deepEqual(playing.doubt("C7"), { kind: "void", suit: "C", shown: 1 });
});

test("a card that was dealt to somebody else is doubted, with the name of who holds it", () => {
  const playing = played(new Playing(auctionTable(), "N", "S", SUIT_EACH), "S2");
  assert.deepEqual(playing.doubt("C2"), { kind: "held", holder: "W" });
});

test("the last trick is no question where its cards can only lie in one way", () => {
  const playing = new Playing(auctionTable(), "N", "H", SUIT_EACH);
  for (let trick = 0; trick < 12; trick += 1) {
    played(playing, ["S", "H", "D", "C"].map((letter) => letter + RANKS[12 - trick]).join(" "));
  }
  assert.ok(playing.isLast);
  assert.equal(playing.lastWinner, "N");
  assert.equal(playing.forced, "SA");
  assert.equal(playing.sure, "N");
});

test("a claim gives all that is left to one seat", () => {
  const playing = played(new Playing(pointsTable(), "N", "H"), "C2 C3 C4 CA");
  playing.claim("E");
  assert.ok(playing.isOver);
  assert.deepEqual(playing.taken, { N: 0, E: 13, S: 0, W: 0 });
  assert.equal(playing.queen, "E");
});

test("a copy of a play goes its own way", () => {
  const playing = new Playing(pointsTable(), "N", "H");
  const other = played(playing.copy(), "C2 D2 C4 CA");
  assert.equal(other.place, 4);
  assert.equal(playing.place, 0);
  assert.equal(playing.voids.E.size, 0);
});
