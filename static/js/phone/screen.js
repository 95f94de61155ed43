// What the page shows, from top to bottom.
import { ahead } from "./ahead.js";
import { lastAnswer, played, rivals, toConfirm } from "./answers.js";
import { button, el, replace } from "./dom.js";
import { ending } from "./ending.js";
import { pad } from "./pad.js";
import { offered } from "./drafts.js";
import { fresh, isBegun, isClosed, page } from "./page.js";
import { areSealed, isWritten, kinds, openedPapers, paperPanel } from "./papers.js";
import { sitter } from "./sitters.js";
import { strip } from "./strip.js";
import { waitingList } from "./waiting.js";
import { say, seatName } from "./words.js";

const SEEN = ["phase", "dealer", "jackpot", "namer", "passing"];
const main = document.getElementById("main");
const head = document.getElementById("strip");
let drawn = "";

// Draw the page anew if there is anything new to be seen.
export function draw(acts) {
  const { table, queue, ui, reached, closed, papers, paperHand, others } = page;
  const seen = table && { ...table, at: 0, tag: 0 };
  const draft = page.draft && { ...page.draft, kept: 0 };
  const now = JSON.stringify([seen, queue, draft, ui, reached, closed, papers, paperHand, others]);
  if (now === drawn) return;
  drawn = now;
  if (!table) {
    replace(main, nowhere());
    return;
  }
  const state = table.rules ? nextOf(table, queue) : null;
  document.title = `${table.title} – Painsuit`;
  head.hidden = false;
  replace(head, state ? topOf(state, acts) : bareTop(table));
  replace(main, el("h1", { class: "away" }, table.title), notices(), body(state, acts));
}

// What the next hand finds; in a game that the director closed there is none.
function nextOf(table, queue) {
  const state = ahead(table, queue);
  if (!isClosed(table)) return state;
  return { ...state, next: { ...state.next, phase: "over" } };
}

function topOf(state, acts) {
  const { table, queue, reached, ui } = page;
  const toggle = () => acts.change({ waiting: !ui.waiting });
  const changeSeat = () => acts.change({ choosing: true });
  return strip(table, { ahead: state, queue, reached, toggle, changeSeat });
}

function bareTop({ title }) {
  return el("div", { class: "strip-top" }, el("p", { class: "where" }, el("b", {}, title)));
}

function nowhere() {
  const words = page.closed ? (page.closed.detail ?? say("no table")) : say("scan");
  return [el("h1", {}, say("at the table")), el("p", { class: "sheet lede" }, words)];
}

function notices() {
  const { closed, table } = page;
  const why = closed?.detail ?? "";
  return [
    closed && el("p", { class: "problem", role: "alert" }, say("link closed", { why })),
    !page.isKept && el("p", { class: "problem" }, say("not kept")),
    isClosed(table) && el("p", { class: "sheet" }, say("game closed")),
  ];
}

function body(state, acts) {
  const { table, queue, ui } = page;
  if (!table.speaks || ui.choosing) return chooseSeat(table, acts);
  const waits = waitingList(table, queue, ui, acts);
  if (!state) {
    const words = say(page.reached === false ? "no network yet" : "loading");
    return [waits, el("p", { class: "sheet" }, words)];
  }
  const [first, ...more] = toBeConfirmed();
  return [
    waits,
    first && toConfirm(first, table, ui, acts),
    shownLast(),
    ...secretPapers(state, acts),
    ...elsewhere(state, acts),
    thePad(state, acts),
    alsoToConfirm(more, acts),
    played(table, ui, acts),
  ];
}

function chooseSeat(table, acts) {
  const choose = (seat) =>
    button([el("b", {}, seatName(seat)), sitter(seat, table)], () => acts.speakFor(seat), {
      class: "key seat",
      "data-focus": `sit ${seat}`,
    });
  return el(
    "section",
    { class: "sheet", "aria-labelledby": "question" },
    el("h2", { id: "question" }, say("your seat")),
    el("p", { class: "help" }, say("your seat help")),
    el("div", { class: "keys pairs" }, table.seats.map(choose)),
  );
}

// Hands of other seats that wait for this one's word.
function unconfirmed() {
  const { table, queue } = page;
  if (table.confirming === "off" || isClosed(table)) return [];
  const said = queue.filter((item) => item.kind === "word").map((item) => item.about);
  const isOpen = (hand) =>
    hand.certainty === "provisional" && hand.state !== "disputed" && hand.settled && !hand.rival_of;
  const isMine = (hand) => hand.seat === table.speaks || hand.said || said.includes(hand.id);
  return Object.values(table.details)
    .filter((hand) => isOpen(hand) && !isMine(hand))
    .sort((one, two) => one.number - two.number);
}

// The one that is asked about at once: that for which the books wait, else the last one.
function toBeConfirmed() {
  const all = unconfirmed();
  return page.table.confirming === "required" ? all : all.reverse();
}

// The others are there, but not in the way of the next hand.
function alsoToConfirm(hands, acts) {
  const { table, ui } = page;
  if (!hands.length) return null;
  return el(
    "details",
    {
      class: "otherwise older",
      open: ui.unsaid === true,
      ontoggle: (event) => acts.keep({ unsaid: event.target.open }),
    },
    el("summary", {}, say("also to confirm", { count: hands.length })),
    hands.map((hand) => toConfirm(hand, table, ui, acts)),
  );
}

// The hand that was played last, whoever entered it; one with two records, as long as it has.
function shownLast() {
  const { table } = page;
  const known = Object.values(table.details);
  const number = table.next.number - 1;
  const rival = known.find((hand) => hand.state === "disputed" && rivals(hand, table).length);
  const mine = table.last?.number >= number ? table.last : null;
  const latest = known.find((hand) => hand.number === number && !hand.rival_of) ?? null;
  const last = rival ?? (mine?.rival_of ? mine : (latest ?? mine));
  const waits = last && unconfirmed().some((hand) => hand.id === last.id);
  return last && !waits ? lastAnswer(last, table) : null;
}

function secretPapers(state, acts) {
  const { table, queue, ui, papers, paperHand } = page;
  const isLast = paperHand === table.next.number - 1;
  const isNext = state.next.number === paperHand && table.next.phase !== "over";
  const isDone = !isNext && papers.every((paper) => paper.is_open);
  if ((!isLast && !isNext) || isDone) return [];
  const told = { table, papers, queue, ui, acts, number: paperHand };
  const written = kinds(table.rules).filter((kind) => !isNext || isWritten(kind, table));
  return written.map((kind) => paperPanel(kind, told));
}

// The next hand as other phones tell it.
function elsewhere({ next }, acts) {
  const { draft, others, ui } = page;
  if (next.phase === "over") return [];
  const isOther = (one) => one.id !== draft?.hand && !ui.left?.includes(one.id);
  const now = draft?.number === next.number ? draft : fresh();
  const [last, ...older] = others
    .filter((one) => one.number === next.number && isOther(one))
    .sort((one, two) => (one.kept_at < two.kept_at ? 1 : -1))
    .map((one) => offered(one, inherited(now), draft, acts));
  if (!older.length) return [last];
  return [last, olderOnes(older)];
}

// What was told of the hand before that, mostly by the same people: still there, but out of the way.
function olderOnes(older) {
  const { ui } = page;
  return el(
    "details",
    {
      class: "otherwise older",
      open: ui.older === true,
      ontoggle: (event) => Object.assign(ui, { older: event.target.open }),
    },
    el("summary", {}, say("told before", { count: older.length })),
    older,
  );
}

function thePad(state, acts) {
  const { table, draft, ui } = page;
  if (isClosed(table)) return table.hands.length ? ending(table, true) : null;
  if (state.next.phase === "over" && !draft) return ending(comeTo(table, state.next), false);
  const now = draft ?? fresh();
  const before = inherited(now);
  const hasDeal = Boolean(before.next.board) && !now.deal;
  const made = pad({ ...before, hasDeal }, now, ui, acts);
  const { planned } = table;
  const isPlayed = planned && before.counted.round >= planned && !isBegun(now);
  if (isPlayed) made.prepend(el("p", { class: "played" }, say("round played", { count: planned })));
  const isLate = draft && draft.order === undefined && draft.number < table.next.number;
  if (isLate) made.prepend(overtaken(draft, acts));
  return made;
}

// A game that is over: what it came to is known where nothing of it waits on this phone.
function comeTo(table, next) {
  const isKnown = table.next.phase === "over";
  return { ...table, next, averaged: isKnown ? table.averaged : null };
}

// What the hand on the pad finds: the state before it, and its papers where they are open.
function inherited({ number, base, deal }) {
  const { rules, seats, names, marks } = page.table;
  const isNext = number === page.paperHand;
  const [first] = kinds(rules);
  const read = (kind) => (isNext ? openedPapers(page.papers, seats, kind) : null);
  const opened = first && first !== "centre" ? read(first) : null;
  const sealed = isNext && first === "insurance" && areSealed(page.papers, seats, first);
  const found = renewed(number, base);
  return { rules, seats, names, marks, ...found, deal, opened, sealed, bids: read("centre") };
}

// Chips and points as they are by now, where a hand before it was ruled on or corrected meanwhile;
// what the hand was played under stays as its table saw it.
function renewed(number, base) {
  const { next, counted } = ahead(page.table, page.queue);
  const isSame = (name) => next[name] === base.next[name];
  if (next.number !== number || !SEEN.every(isSame)) return base;
  return { ...base, next, counted };
}

function overtaken({ number }, acts) {
  const away = button(say("throw away"), acts.throwAway, { class: "link" });
  return el("p", { class: "problem" }, say("overtaken", { number }), " ", away);
}
