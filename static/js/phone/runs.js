// What is left of a trick as one tap, where little can happen in it: every way it can end. Cards that
// cannot be others stand in it, but are filled in as always.
const TAPS_MAX = 41; // taps of a hand whose deal is known
const NEAR = 4; // so many taps before they would be too many
const ROOM = { 2: 12, 3: 9, 4: 6, 5: 4, 6: 3 }; // ways of so many cards: three lines on a phone

// Ways of `playing` to the end of its trick; none where they are too many, and none
// that one card tells anyway.
// `taps` have told what was played so far.
export function runs(playing, taps) {
  const count = playing.seats.length - playing.trick.length;
  if (count < 2) return [];
  return ways(playing, count, roomFor(playing, taps, count)).filter((way) => freely(way) > 1);
}

const freely = (way) => way.filter((one) => !one.isFilled).length;

// How many ways are shown. Were two taps for the last two cards of this trick too many, with one for
// the last two of every trick after it, then it is all of them; somewhat before that, twice as many.
function roomFor({ seats, trick, left, holders }, taps, count) {
  const isKnown = left.every((card) => holders[card]);
  if (!isKnown || trick.length !== seats.length - 2) return ROOM[count];
  const tricksAfter = (left.length - 2) / seats.length;
  const spare = TAPS_MAX - taps - 2 - (seats.length - 1) * Math.max(tricksAfter - 1, 0);
  if (spare < 0) return Infinity;
  return spare < NEAR ? 2 * ROOM[count] : ROOM[count];
}

// Every way as its cards, [{ seat, card, isFilled }]; none at all where they are more than `most`.
function ways(playing, count, most) {
  if (!count) return [[]];
  const { forced, turn: seat } = playing;
  const found = [];
  for (const card of forced ? [forced] : playing.legal()) {
    const after = playing.copy();
    after.play(card);
    const ends = ways(after, count - 1, most - found.length);
    if (!ends.length) return [];
    found.push(...ends.map((end) => [{ seat, card, isFilled: Boolean(forced) }, ...end]));
    if (found.length > most) return [];
  }
  return found;
}
