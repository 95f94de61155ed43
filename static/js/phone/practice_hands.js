// A game of practice: one person plays hand after hand against bots, by the rules of a club. All of
// it happens on the phone, and nothing is sent.
import { askContract } from "./bidding.js";
import { askPassed, askPlay } from "./card_questions.js";
import { bySeat, leftOf, pack, turns, within } from "./counting.js";
import { forecast } from "./forecast.js";
import { isPassed, passesTo } from "./passing.js";

const PAPER_MAX = 6;
const RANKS = "23456789TJQKA";

// A game before its first hand, for so many players, by rules as the page brings them.
export function newGame({ rules, tables }, players, random = Math.random) {
  const { seats, next } = tables.find((one) => one.seats.length === players);
  const counted = { deals: 0, hands: 0, dealt: bySeat(seats, () => 0), pain: null, due: null };
  const dealer = seats[Math.floor(random() * seats.length)];
  return { rules, seats, speaks: seats[0], next: { ...next, dealer, number: 1 }, counted };
}

// A hand of sorted cards for each seat.
export function dealCards({ rules, seats }, random = Math.random) {
  const sorted = pack(rules, seats.length).flat();
  const shuffled = [...sorted];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  const isDealtTo = (seat) => (card) => seats[shuffled.indexOf(card) % seats.length] === seat;
  return bySeat(seats, (seat) => sorted.filter(isDealtTo(seat)));
}

// A hand that is being played: `told` are the values that its questions were answered with so far,
// from which all else follows, so that a hand can be kept, gone on with, and taken back.
export class PracticeHand {
  /** @type {any} */
  question = null;
  /** @type {any} */
  result = null;

  constructor(table, deal, told = []) {
    this.before = { ...table, deal };
    this.told = [];
    this.answers = { cards: true, calls: true };
    this.steps = playHand(this.before, this.answers);
    this.take(this.steps.next());
    for (const value of told) this.answer(value);
  }

  /** @param {any} step */
  take(step) {
    this.question = step.done ? null : step.value;
    this.result = step.done ? step.value : null;
  }

  get isOver() {
    return this.question === null;
  }

  // The play as it stands; null before the first lead.
  get playing() {
    return this.question?.playing ?? null;
  }

  answer(value) {
    this.told = [...this.told, value];
    this.answers[this.question.key] = value;
    this.take(this.steps.next(value));
  }

  hasAnswered(seat) {
    return this.withoutLastOf(seat) !== this;
  }

  // The cards that a seat holds now; those that are passed to it come once everybody has passed.
  cardsOf(seat) {
    const { before, playing, question } = this;
    if (playing) return playing.left.filter((card) => playing.owner(card) === seat);
    if (!isPassed(before) || question?.kind === "pass" || question?.kind === "paper")
      return before.deal[seat];
    return [];
  }

  // The same hand before the last of one's own answers; itself where there was none.
  withoutLastOf(seat) {
    const { before, told } = this;
    for (let count = told.length - 1; count >= 0; count -= 1) {
      const earlier = new PracticeHand(before, before.deal, told.slice(0, count));
      if (earlier.question.seat === seat) return earlier;
    }
    return this;
  }

  // What the hand comes to, and what the next one inherits.
  get outcome() {
    return forecast(this.before, this.result);
  }

  // The table at which the next hand is dealt.
  get after() {
    const { deal: _deal, ...table } = this.before;
    const { next, counted } = this.outcome;
    return { ...table, next, counted };
  }
}

// All questions of a hand, in the order in which a table answers them.
function* playHand(table, answers) {
  const { rules } = table;
  const papers = rules.insurance === "on" ? { papers: yield* writePapers(table) } : {};
  const passed = yield* askPassed(table);
  const result = rules.settlement === "pot" ? yield* askContract(table, answers) : {};
  if (result.ending) return result;
  const pain = result.pain ?? "H";
  return {
    ...(yield* askPlay(table, { ...result, ...papers }, { pain, passed, answers })),
    ...papers,
  };
}

// Each seat writes its number before cards are passed, and shows it after the last trick (D9).
function* writePapers({ seats }) {
  const papers = {};
  for (const seat of seats) {
    const fits = within(0, PAPER_MAX);
    papers[seat] = yield { key: `paper ${seat}`, kind: "paper", seat, most: PAPER_MAX, fits };
  }
  return papers;
}

const LEFT_OUT = [null, undefined, ""];

// A finished hand as a record in the notation of the library, which settles it anew.
export function recordOf({ before, result }, { variant, overrides }, event) {
  const { rules, seats, deal, next } = before;
  const { actions, pain, bidder, papers } = result;
  const tags = {
    Event: event,
    Board: next.number,
    Dealer: next.dealer,
    Declarer: bidder ?? next.namer ?? "",
    Detail: "full",
    Jackpot: next.jackpot || null,
    PainSuit: rules.settlement === "pot" ? (pain ?? "H") : null,
    Pass: rules.passing === "cycle" ? next.passing : null,
    Rules: overrides && [`${variant}/1`, overrides].join(";"),
    Seats: seats.join(" "),
    Termination: "normal",
    Variant: variant,
  };
  const tag = ([key, value]) => `[${key} "${value}"]`;
  const isTold = ([, value]) => !LEFT_OUT.includes(value);
  const [leader, cards] = actions.play.split(":");
  const order = seats.map((_, at) => leftOf(seats, leader, at));
  const tables = {
    Deal: [["Seat", "S", "H", "D", "C"], ...seats.map((seat) => [seat, ...suitsOf(deal[seat])])],
    Insurance: papers && [seats, seats.map((seat) => papers[seat])],
    Pass: actions.pass && [
      ["From", "To", "Cards"],
      ...Object.entries(actions.pass).map(([seat, passed]) => [
        seat,
        passesTo(before, seat),
        passed,
      ]),
    ],
    Auction: actions.calls && [
      turns(seats, next.dealer),
      actions.calls.split(" ").map((call) => (call === "P" ? "Pass" : call)),
    ],
    Play: [order, ...tricksBySeat(cards.split(" "), order)],
  };
  const rows = ([key, made]) => {
    const [columns, ...lines] = made;
    return [`[${key}Table "${columns.join(";")}"]`, ...lines.map((line) => line.join(" "))];
  };
  const lines = [
    "% PHN 1.0",
    ...Object.entries(tags).filter(isTold).map(tag),
    ...Object.entries(tables)
      .filter(([, made]) => made)
      .flatMap(rows),
  ];
  return `${lines.join("\n")}\n`;
}

// The ranks of a hand by suit, spades first.
const suitsOf = (cards) =>
  ["S", "H", "D", "C"].map(
    (suit) =>
      cards
        .filter((card) => card[0] === suit)
        .map((card) => card[1])
        .join("") || "-",
  );

// Cards in the order in which they were played as tricks with a fixed column for each seat.
function tricksBySeat(cards, order) {
  const found = [];
  let leader = 0;
  for (let at = 0; at < cards.length; at += order.length) {
    const trick = cards.slice(at, at + order.length);
    found.push(order.map((_, column) => trick[(column - leader + order.length) % order.length]));
    const led = trick[0][0];
    const height = (card) => (card[0] === led ? RANKS.indexOf(card[1]) : -1);
    const best = trick.reduce((high, one) => (height(one) > height(high) ? one : high));
    leader = (leader + trick.indexOf(best)) % order.length;
  }
  return found;
}
