// A play as it is told, card by card: whose turn it is, who takes what, and which cards are legal as
// far as that can be known (rules.md K5, A4-A6, D3-D5). Mostly nobody has written the deal down;
// `holders` are the seats of cards that are known to be theirs.
import { bySeat, leftOf, pack } from "./counting.js";

const RANKS = "23456789TJQKA";
const height = (card) => RANKS.indexOf(card[1]);

export class Playing {
  constructor({ rules, seats }, leader, pain, holders = {}) {
    this.rules = rules;
    this.seats = seats;
    this.pain = pain;
    this.holders = holders;
    this.left = pack(rules, seats.length).flat();
    this.trick = [];
    this.done = [];
    this.turn = leader;
    this.broken = false;
    this.taken = bySeat(seats, () => 0);
    this.queen = null;
    // Suits that a seat has shown to lack, each with the place in the play where it did.
    this.voids = bySeat(seats, () => new Map());
    this.lowClub = lowClub(rules, seats.length);
    this.found = null;
  }

  copy() {
    const same = Object.assign(Object.create(Playing.prototype), this);
    same.taken = { ...this.taken };
    same.voids = bySeat(this.seats, (seat) => new Map(this.voids[seat]));
    return same;
  }

  get isFirst() {
    return this.done.length === 0;
  }

  get isOver() {
    return this.left.length === 0;
  }

  // Whether the last trick begins.
  get isLast() {
    return !this.trick.length && this.left.length === this.seats.length;
  }

  // The suit that was led, or null.
  get led() {
    return this.trick[0]?.card[0] ?? null;
  }

  // How many cards were played.
  get place() {
    return this.done.length * this.seats.length + this.trick.length;
  }

  penalty(card) {
    return card[0] === this.pain || (this.rules.queen === "on" && card === "SQ");
  }

  // Seats that can have each card that is left.
  get owners() {
    this.found ??= ownersOf(this);
    return this.found;
  }

  // Whose card it must be, by all that is known; null where it can be several people's.
  owner(card) {
    const seats = this.owners[card];
    return seats.length === 1 ? seats[0] : null;
  }

  mayHave(card) {
    return this.owners[card].includes(this.turn);
  }

  // The only card that can follow, or null. Whoever may break a rule because they have nothing else
  // is not known to have anything else.
  get forced() {
    if (this.left.length === 1) return this.left[0];
    const [first, ...more] = this.legal();
    if (!first || more.length) return null;
    const isAlone = this.left.filter((card) => this.mayHave(card)).length === 1;
    const isSure = isAlone || this.owner(first) === this.turn;
    return isSure || (this.opensLow && first === this.lowClub) ? first : null;
  }

  get opensLow() {
    const isOpening = this.isFirst && !this.trick.length;
    return isOpening && this.rules.first_leader === "low_club" && this.left.includes(this.lowClub);
  }

  // Who wins every trick from here on, whatever anybody plays; null where that is not known.
  get sure() {
    const isMine = (card) => this.owner(card) === this.turn;
    const isKnown = this.left.every((card) => this.owner(card));
    const isBeaten = (card) =>
      this.left.some((one) => !isMine(one) && one[0] === card[0] && height(one) > height(card));
    const [mine, due] = [this.left.filter(isMine), this.left.length / this.seats.length];
    return isKnown && mine.length === due && !mine.some(isBeaten) ? this.turn : null;
  }

  // Who wins the last trick, however its cards lie; null where that is not known.
  get lastWinner() {
    if (!this.isLast) return null;
    const winners = new Set(endings(this));
    return winners.size === 1 ? [...winners][0] : null;
  }

  // Why this card can hardly have been played now, by what was told before; null where it can.
  doubt(card) {
    if (this.legal().includes(card)) return null;
    const { turn: seat, led } = this;
    const shown = this.voids[seat].get(card[0]);
    if (shown !== undefined) return { kind: "void", suit: card[0], shown };
    const holder = this.owner(card);
    if (holder && holder !== seat) return { kind: "held", holder };
    if (led && this.left.some((one) => one[0] === led && this.owner(one) === seat)) {
      return { kind: "follow", suit: led };
    }
    if (this.opensLow) return { kind: "opening", low: this.lowClub };
    const isBanned = !led && card[0] === this.pain && this.rules.pain_lead === "after_broken";
    return { kind: isBanned && !this.broken ? "unbroken" : "early" };
  }

  // Cards that would be legal, those that follow first; a play is only known as it is told.
  legal() {
    const own = this.left.filter((card) => this.mayHave(card));
    if (this.trick.length) return this.follows(own);
    if (this.opensLow) return [this.lowClub];
    const early = this.isFirst && this.rules.first_trick_penalty === "forbidden";
    const unbroken = !this.broken && this.rules.pain_lead === "after_broken";
    const isBanned = (card) => (early && this.penalty(card)) || (unbroken && card[0] === this.pain);
    const counts = (card) => this.rules.hearts_plus_queen !== "may_lead_heart" || card !== "SQ";
    return allowed(own, isBanned, counts);
  }

  follows(own) {
    const { led } = this;
    const early = this.isFirst && this.rules.first_trick_penalty === "forbidden";
    const same = own.filter((card) => card[0] === led);
    if (same.some((card) => this.owner(card) === this.turn)) return same;
    const other = own.filter((card) => card[0] !== led);
    return [...same, ...allowed(other, (card) => early && this.penalty(card))];
  }

  // Whose turn it is has none of the suit that was led.
  sayVoid() {
    const { led, turn: seat, place } = this;
    if (!this.voids[seat].has(led)) this.voids[seat].set(led, place);
    this.found = null;
  }

  play(card) {
    const { turn: seat, led } = this;
    if (led && card[0] !== led) this.sayVoid();
    this.voids[seat].delete(card[0]); // after all
    this.found = null;
    const queenBreaks = this.rules.broken_by === "heart_or_queen" && card === "SQ";
    this.broken = this.broken || card[0] === this.pain || queenBreaks;
    this.left = this.left.filter((one) => one !== card);
    this.trick = [...this.trick, { seat, card }];
    this.turn = leftOf(this.seats, seat);
    if (this.trick.length === this.seats.length) this.finish();
  }

  finish() {
    const winner = winnerOf(this.trick);
    this.take(
      winner,
      this.trick.map(({ card }) => card),
    );
    this.done = [...this.done, { cards: this.trick, winner }];
    this.trick = [];
    this.turn = winner;
  }

  take(seat, cards) {
    this.taken[seat] += cards.filter((card) => card[0] === this.pain).length;
    if (cards.includes("SQ")) this.queen = seat;
  }

  // One seat takes all that is left.
  claim(seat) {
    this.take(seat, this.left);
    this.left = [];
    this.found = null;
  }
}

// The lowest club in the pack, which leads first (D3, E3).
export function lowClub(rules, players) {
  const clubs = pack(rules, players)
    .flat()
    .filter((card) => card[0] === "C");
  return clubs.reduce((low, one) => (height(one) < height(low) ? one : low));
}

// What is not banned, or everything where nothing else is left that counts.
function allowed(cards, isBanned, counts = () => true) {
  const rest = cards.filter((card) => !isBanned(card));
  return rest.some(counts) ? rest : cards;
}

// Who wins a trick, [{ seat, card }].
function winnerOf(trick) {
  const led = trick[0].card[0];
  return trick
    .filter(({ card }) => card[0] === led)
    .reduce((high, one) => (height(one.card) > height(high.card) ? one : high)).seat;
}

// Who can have which of the cards that are left: by what was dealt and passed, by suits that
// somebody lacks, and by how many cards each has. What was told can contradict itself after a
// revoke; then nothing is known of that card.
function ownersOf({ seats, left, trick, holders, voids }) {
  const each = (left.length + trick.length) / seats.length;
  const isIn = (seat) => trick.some((one) => one.seat === seat);
  const due = bySeat(seats, (seat) => each - (isIn(seat) ? 1 : 0));
  const able = seats.filter((seat) => due[seat] > 0);
  const open = (card) => {
    const free = able.filter((seat) => !voids[seat].has(card[0]));
    return free.length ? free : able;
  };
  const found = Object.fromEntries(
    left.map((card) => [card, holders[card] ? [holders[card]] : open(card)]),
  );
  if (!left.every((card) => holders[card]))
    while (able.some((seat) => settled(found, seat, due[seat])));
  return found;
}

// Draws one conclusion from how many cards a seat has; whether there was any.
function settled(found, seat, count) {
  const can = Object.keys(found).filter((card) => found[card].includes(seat));
  const must = can.filter((card) => found[card].length === 1);
  if (must.length === can.length || can.length < count || must.length > count) return false;
  if (can.length === count) {
    for (const card of can) found[card] = [seat];
    return true;
  }
  if (must.length < count) return false;
  for (const card of can) {
    if (found[card].length > 1) found[card] = found[card].filter((one) => one !== seat);
  }
  return true;
}

// Who wins the last trick, for every way in which its cards can lie.
function* endings(playing, trick = []) {
  const { seats, left, owners, turn } = playing;
  if (trick.length === seats.length) {
    yield winnerOf(trick);
    return;
  }
  const seat = leftOf(seats, turn, trick.length);
  for (const card of left) {
    if (!owners[card].includes(seat) || trick.some((one) => one.card === card)) continue;
    yield* endings(playing, [...trick, { seat, card }]);
  }
}
