// A play as it is told, card by card: whose turn it is, who takes what, and which cards are legal as
// far as that can be known (rules.md K5, A4-A6, D3-D5). Mostly nobody has written the deal down;
// `holders` are the seats of cards that are known to be theirs.
import { bySeat, leftOf, pack } from "./counting.js";

const RANKS = "23456789TJQKA";
const height = (card) => RANKS.indexOf(card[1]);

export class Playing {
  constructor({ rules, seats }, leader, pain, holders = {}) {
    const whole = pack(rules, seats.length).flat();
    Object.assign(this, { rules, seats, pain, holders, left: whole, trick: [], done: [] });
    this.turn = leader;
    this.broken = false;
    this.taken = bySeat(seats, () => 0);
    this.queen = null;
    this.voids = bySeat(seats, () => new Set()); // suits that a seat has shown to lack
    this.lowClub = lowClub(rules, seats.length);
  }

  copy() {
    const same = Object.assign(Object.create(Playing.prototype), this);
    same.taken = { ...this.taken };
    same.voids = bySeat(this.seats, (seat) => new Set(this.voids[seat]));
    return same;
  }

  get isFirst() {
    return this.done.length === 0;
  }

  get isOver() {
    return this.left.length === 0;
  }

  penalty(card) {
    return card[0] === this.pain || (this.rules.queen === "on" && card === "SQ");
  }

  mayHave(card) {
    const holder = this.holders[card];
    return holder === undefined ? !this.voids[this.turn].has(card[0]) : holder === this.turn;
  }

  // The only card that can follow, or null.
  get forced() {
    if (this.left.length === 1) return this.left[0];
    const [first, ...more] = this.legal();
    return first && !more.length ? first : null;
  }

  // Who wins every trick from here on, whatever anybody plays; null where that is not known.
  get sure() {
    const isMine = (card) => this.holders[card] === this.turn;
    const isKnown = this.left.every((card) => this.holders[card]);
    const isBeaten = (card) =>
      this.left.some((one) => !isMine(one) && one[0] === card[0] && height(one) > height(card));
    const [mine, due] = [this.left.filter(isMine), this.left.length / this.seats.length];
    return isKnown && mine.length === due && !mine.some(isBeaten) ? this.turn : null;
  }

  // Cards that would be legal, those that follow first; a play is only known as it is told.
  legal() {
    const own = this.left.filter((card) => this.mayHave(card));
    if (this.trick.length) return this.follows(own);
    const isFirst = this.isFirst && this.rules.first_leader === "low_club";
    if (isFirst && this.left.includes(this.lowClub)) return [this.lowClub];
    const early = this.isFirst && this.rules.first_trick_penalty === "forbidden";
    const unbroken = !this.broken && this.rules.pain_lead === "after_broken";
    const isBanned = (card) => (early && this.penalty(card)) || (unbroken && card[0] === this.pain);
    const counts = (card) => this.rules.hearts_plus_queen !== "may_lead_heart" || card !== "SQ";
    return allowed(own, isBanned, counts);
  }

  follows(own) {
    const led = this.trick[0].card[0];
    const early = this.isFirst && this.rules.first_trick_penalty === "forbidden";
    const same = own.filter((card) => card[0] === led);
    if (same.some((card) => this.holders[card] === this.turn)) return same;
    const other = own.filter((card) => card[0] !== led);
    return [...same, ...allowed(other, (card) => early && this.penalty(card))];
  }

  play(card) {
    const seat = this.turn;
    const led = this.trick[0]?.card[0];
    if (led && card[0] !== led) this.voids[seat].add(led);
    const queenBreaks = this.rules.broken_by === "heart_or_queen" && card === "SQ";
    this.broken = this.broken || card[0] === this.pain || queenBreaks;
    this.left = this.left.filter((one) => one !== card);
    this.trick = [...this.trick, { seat, card }];
    this.turn = leftOf(this.seats, seat);
    if (this.trick.length === this.seats.length) this.finish();
  }

  finish() {
    const led = this.trick[0].card[0];
    const best = this.trick
      .filter(({ card }) => card[0] === led)
      .reduce((high, one) => (height(one.card) > height(high.card) ? one : high));
    this.take(
      best.seat,
      this.trick.map(({ card }) => card),
    );
    this.done = [...this.done, { cards: this.trick, winner: best.seat }];
    this.trick = [];
    this.turn = best.seat;
  }

  take(seat, cards) {
    this.taken[seat] += cards.filter((card) => card[0] === this.pain).length;
    if (cards.includes("SQ")) this.queen = seat;
  }

  // One seat takes all that is left.
  claim(seat) {
    this.take(seat, this.left);
    this.left = [];
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
