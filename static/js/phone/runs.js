// What is left of a trick as one tap, where little can happen in it: every way it can end. Cards that
// cannot be others stand in it, but are filled in as always.
const MOST = 41; // taps of a hand whose deal is known
const ROOM = { 2: 12, 3: 9, 4: 6, 5: 4, 6: 3 }; // ways of so many cards: three lines on a phone

// Ways of `playing` to the end of its trick; none where they are too many, and none
// that one card tells anyway.
// `taps` have told what was played so far.
export function runs(playing, taps) {
  const count = playing.seats.length - playing.trick.length;
  if (count < 2) return [];
  const room = isLate(playing, taps) ? Infinity : ROOM[count];
  return ways(playing, count, room).filter((way) => freely(way) > 1);
}

const freely = (way) => way.filter((one) => !one.isFilled).length;

// Whether two taps for the last two cards of this trick, and from then on one tap for the last two of
// every trick, would be too many.
function isLate({ seats, trick, left, holders }, taps) {
  const isKnown = left.every((card) => holders[card]);
  if (!isKnown || trick.length !== seats.length - 2) return false;
  const tricksAfter = (left.length - 2) / seats.length;
  return taps + 2 + (seats.length - 1) * Math.max(tricksAfter - 1, 0) > MOST;
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
