// What the table is shown of its hands on record: which of them waits for a word from here, which is
// disputed, and what came of the last one.
import { isAsked } from "./dispute.js";
import { button, el, safely } from "./dom.js";
import { gameEnd } from "./ending.js";
import { breakOf, isNightOver } from "./following.js";
import { nightEnd } from "./night_end.js";
import { isClosed, page } from "./page.js";
import { paperPanel } from "./paper_panel.js";
import { isWritten, paperKinds, secretId } from "./papers.js";
import { confirmation, lastRecorded, objectionForm } from "./recorded_hands.js";
import { picture } from "./picture.js";
import { roundBreak } from "./round_break.js";
import { get } from "./store.js";
import { waitingList } from "./waiting.js";
import { say } from "./words.js";

// Hands of other seats that wait for this one's word.
function unconfirmed() {
  const { table, queue } = page;
  if (table.confirming === "off" || isClosed(table)) return [];
  const said = queue.filter((item) => item.kind === "word").map((item) => item.about);
  const isOpen = (hand) =>
    hand.certainty === "provisional" && hand.state !== "disputed" && hand.settled && !hand.rival_of;
  const isMine = (hand) => hand.seat === table.speaks || hand.said || said.includes(hand.id);
  return Object.values(table.details)
    .filter((hand) => isOpen(hand) && !isMine(hand) && page.draft?.mends?.id !== hand.id)
    .sort((one, two) => one.number - two.number);
}

// The one that is asked about at once: that for which the books wait, else the last one.
export function toBeConfirmed() {
  const all = unconfirmed();
  return page.table.confirming === "required" ? all : all.reverse();
}

// The hand that was played last, whoever entered it. None while it is disputed or waits for a word
// from here, which other cards show.
export function lastHand() {
  const { table } = page;
  const known = Object.values(table.details);
  const number = table.next.number - 1;
  const mine = table.last?.number >= number ? table.last : null;
  const isLatest = (hand) =>
    hand.number === number && !hand.rival_of && hand.state !== "taken back";
  const latest = known.find(isLatest) ?? null;
  const isRival = mine?.rival_of && (mine.agrees || mine.state !== "void");
  const last = isRival ? mine : (latest ?? mine);
  const first = table.details[last?.rival_of] ?? last;
  const isElsewhere =
    last && (first.state === "disputed" || unconfirmed().some((hand) => hand.id === last.id));
  return isElsewhere ? null : last;
}

// Whether this phone has said something of a hand that the server has not heard yet.
const isSaid = (hand) => {
  const ids = [hand.id, ...(hand.dispute?.others ?? []).map((one) => one.hand)];
  return page.queue.some((item) => item.kind === "word" && ids.includes(item.about));
};

// All hands of the table about which something is open, the last one first.
function disputedHands() {
  return Object.values(page.table.details)
    .filter((hand) => hand.state === "disputed" && !hand.rival_of)
    .sort((one, two) => two.number - one.number);
}

// Two records of one hand between which this seat has to say which is right, unless the director
// was called.
export function openDispute() {
  const { table } = page;
  if (isClosed(table)) return null;
  const isOpen = (hand) => hand.dispute?.others.length && !hand.director && !isSaid(hand);
  return disputedHands().find((hand) => isOpen(hand) && isAsked(hand, table.speaks)) ?? null;
}

// Hands on record of which something is to be said or seen: what waits for a word from here, what
// is disputed, and what came of the last one. Each stands by itself.
export function recordCards(state, actions) {
  const [waiting, ...papers] = waitingCards(state, actions);
  return [waiting, ...handCards(actions), ...papers];
}

// What waits on this phone, and the secret papers of the table.
export function waitingCards(state, actions) {
  const list = safely("waiting list", () => waitingList(page, actions));
  return [list, ...secretPapers(state, actions)];
}

function handCards(actions) {
  const { table, ui } = page;
  const [first] = toBeConfirmed();
  const last = lastHand();
  const cards = [
    first && ["confirmation", () => confirmation(first, table, ui, actions)],
    ...objectedHere(first, last).map((hand) => ["objection", () => objectionCard(hand, actions)]),
    ...disputedHands().map((hand) => [
      "disputed hand",
      () => lastRecorded(hand, table, ui, actions),
    ]),
    last && ["last hand", () => lastRecorded(last, table, ui, actions)],
  ];
  return cards.filter(Boolean).map(([part, make]) => safely(part, make));
}

// A hand that no other card shows, and to which somebody here objects in words. The sheet has a
// form of its own.
function objectedHere(first, last) {
  if (page.ui.sheet) return [];
  const hand = page.table.details[page.ui.objecting];
  const isShown = !hand || [first?.id, last?.id].includes(hand.id) || hand.state === "disputed";
  return isShown || isClosed(page.table) ? [] : [hand];
}

function objectionCard(hand, actions) {
  const words = say("hand", { number: hand.number });
  const head = el("p", { class: "answer-head" }, el("b", {}, words));
  const facts = hand.sentence && el("p", { class: "sentence" }, hand.sentence);
  const form = objectionForm(hand, page.table, page.ui, actions);
  return el("section", { class: "sheet confirm", "aria-label": words }, head, facts, form);
}

function secretPapers(state, actions) {
  const { table, queue, ui, papers, paperHand } = page;
  const isTold = paperHand < table.next.number;
  const isNext = state.next.number === paperHand && table.next.phase !== "over";
  const isDone = !isNext && papers.every((paper) => paper.is_open);
  if ((!isTold && !isNext) || isDone) return [];
  const props = { table, papers, queue, ui, actions, number: paperHand };
  const written = paperKinds(table.rules).filter((kind) => !isNext || isWritten(kind, table));
  return written.map((kind) => safely("papers", () => paperPanel(kind, props)));
}

// A hand that is told waits for nobody's tap: what was sealed on this phone is opened (DEC-17).
const opening = new Set();

export async function openOwnPapers(actions) {
  const { table, papers, paperHand } = page;
  if (paperHand >= table.next.number) return;
  const isOwn = ({ seat }) => table.seat === null || seat === table.seat;
  for (const { seat, kind } of papers.filter((paper) => !paper.is_open && isOwn(paper))) {
    const id = secretId(table.game, paperHand, seat, kind);
    if (opening.has(id) || !(await get("secrets", id))) continue;
    opening.add(id);
    actions.open(kind, [seat]); // sent by the next turn
  }
}

// The table where nothing is played: between two rounds, or at the end.
export function ended(state, actions, notices) {
  const { table } = page;
  const found = breakOf(table);
  if (found) {
    return [
      table.unfollowed && el("p", { class: "problem" }, table.unfollowed),
      ...waitingCards(state, actions),
      isNightOver(found) ? nightEnd(table, found, actions) : roundBreak(table, found, actions),
    ];
  }
  const made = isClosed(table)
    ? table.hands.length && gameEnd(table, true)
    : gameEnd(comeTo(table, state.next), false);
  return [notices, ...recordCards(state, actions), made];
}

// A game that is over: what it came to is known where nothing of it waits on this phone.
function comeTo(table, next) {
  const isKnown = table.next.phase === "over";
  return { ...table, next, averaged: isKnown ? table.averaged : null };
}

// The round is over: nothing is told any more, unless the director lets the table play on.
export function roundPlayed(state, actions, notices) {
  const { table } = page;
  return [
    notices,
    ...recordCards(state, actions),
    el("p", { class: "sheet played" }, say("round played", { count: table.planned })),
    picture(table, state.next),
    button(say("one more hand"), () => actions.change({ goesOn: true }), {
      class: "alt",
      "data-focus": "more hands",
    }),
  ];
}
