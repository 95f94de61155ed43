// The course of telling every card of a hand: the passed cards, who leads, and the play.
import { biddingActions } from "./bidding.js";
import { askShooter } from "./captures.js";
import { lowClub, Playing } from "./cards.js";
import { turns } from "./counting.js";
import { askPasses, holders, isPassed, sentPasses } from "./passing.js";

// The cards that were passed, seat by seat; null where none are in this hand.
export function* askPassed(table) {
  return isPassed(table) ? yield* askPasses(table) : null;
}

// Every card; the result is what follows from them, and `actions` is what is sent.
export function* askPlay(table, result, { pain, passed, answers }) {
  const known = holders(table, passed, isPassed(table));
  const leader = yield* whoLeads(table, result, known);
  const playing = new Playing(table, leader, pain, known);
  const [played, doubts] = [[], []];
  let claimed = null;
  while (!playing.isOver) {
    const { led, place } = playing;
    if (led && answers[`void ${place}`] === led) playing.sayVoid();
    const card = yield oneCard(playing, result);
    claimed = card.startsWith("claim ") ? card.slice("claim ".length) : null;
    if (claimed) break;
    const doubt = playing.doubt(card);
    if (doubt) doubts.push({ ...doubt, seat: playing.turn, card, place });
    playing.play(card);
    played.push(card);
  }
  if (claimed) playing.claim(claimed);
  result.taken = playing.taken;
  if (table.rules.queen === "on") result.queen = playing.queen;
  const more = yield* askShooter(table, result, pain);
  const { bought, centre } = result;
  /** @type {Record<string, unknown>} */
  const actions = { ...more, bought, centre, play: `${leader}:${played.join(" ")}` };
  if (passed) actions.pass = sentPasses(passed);
  if (claimed) actions.claim = claimed;
  if (table.rules.pain === "auction")
    Object.assign(actions, biddingActions(table, answers, result), { pain });
  return { ...result, ...more, doubts, actions };
}

// Where only one card can follow it is filled in; another one can still be told. Of the last trick
// only who wins it is asked, and not even that where it is certain.
function oneCard(playing, { bidder = null, bid = null }) {
  const { turn: seat, place, trick, done, left, rules, isLast } = playing;
  const legal = playing.legal();
  const other = left.filter((card) => !legal.includes(card));
  const claims = trick.length || rules.claims === "off" ? [] : playing.seats;
  const fits = (card) => left.includes(card) || claims.some((one) => card === `claim ${one}`);
  const question = { key: `card ${place}`, kind: "card", seat, place, trick, done, legal, other };
  const sure = claims.length ? playing.sure : null;
  const isAskedWinner = isLast && claims.length > 0 && !left.every((card) => playing.owner(card));
  const winner = isAskedWinner ? playing.lastWinner : null;
  const forced = isAskedWinner ? winner && `claim ${winner}` : playing.forced;
  return { ...question, claims, sure, forced, fits, playing, bidder, bid, isAskedWinner };
}

function* whoLeads({ rules, seats, next }, { bidder }, known) {
  if (rules.first_leader === "low_club") {
    const holder = known[lowClub(rules, seats.length)];
    if (holder) return holder;
    const fits = (value) => seats.includes(value);
    return yield { key: "leader", kind: "leader", options: seats, fits };
  }
  const eldest = turns(seats, next.dealer)[0];
  if (rules.first_leader === "eldest") return eldest;
  return bidder ?? next.namer ?? eldest;
}
