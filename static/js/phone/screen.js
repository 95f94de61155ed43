// What the page shows: one line above, and one thing to do below it.
import { clockOf } from "./clock.js";
import { button, el, replace, safely } from "./dom.js";
import { breakOf, breakTitle, isNightOver } from "./following.js";
import { header } from "./header.js";
import { nextState } from "./next_state.js";
import { pad } from "./pad.js";
import { isBegun, isClosed, newDraft, page, screens, tellsEveryCard } from "./page.js";
import { areSealed, openedPapers, paperKinds } from "./papers.js";
import { nameOf, nameTag, setNames } from "./people.js";
import { picture } from "./picture.js";
import { say, sayOr } from "./words.js";

const SEEN = ["phase", "dealer", "jackpot", "namer", "passing"];
const main = document.getElementById("main");
const head = document.getElementById("head");
const over = document.getElementById("sheet");
const overBody = document.getElementById("sheet-body");
const spoken = document.getElementById("spoken");
let seen = "";
let heard = null;
let said = [];

// Draw the page anew if there is anything new to be seen.
export function draw(actions) {
  const { table, queue, ui, reached, isFull, closed, papers, paperHand, others } = page;
  const shownTable = table && { ...table, at: 0, tag: 0 };
  const draft = page.draft && { ...page.draft, kept: 0 };
  const round = page.news?.clock && { ...page.news.clock, at: 0, late: 0 };
  const known = [
    shownTable,
    queue,
    draft,
    ui,
    reached,
    isFull,
    closed,
    papers,
    paperHand,
    others,
    round,
    page.news?.call,
    Boolean(screens),
  ];
  const now = JSON.stringify(known);
  if (now === seen) return;
  seen = now;
  if (!table) {
    show("single", nowhere());
    return;
  }
  setNames(table);
  const found = table.rules ? safely("next hand", () => nextOf(table, queue)) : null;
  const state = found?.next ? found : null;
  document.title = `${table.title} – Painsuit`;
  head.hidden = false;
  const drawn = safely("page", () => (state ? body(state, actions) : ["single", loading(actions)]));
  const [kind, shown] = Array.isArray(drawn) ? drawn : ["single", drawn];
  replace(
    head,
    safely("head", () => topOf(state, actions)),
  );
  show(kind, [el("h1", { class: "away" }, table.title), shown]);
  safely("sheet", () => showSheet(state, actions));
  if (state) safely("spoken", () => speak(state));
}

const stateOf = ({ state }) => sayOr(`state ${state}`, state);

// What has come in is read out with the screen that shows it, and leaves with it. What is there at
// first is not news.
function speak(state) {
  const last = screens?.lastHand();
  const [first] = toBeConfirmed();
  const dispute = screens && openDispute();
  const now = [
    last && `${say("hand", last)}: ${stateOf(last)}. ${last.sentence ?? ""}`,
    first && say("is hand right", first),
    dispute && screens.disputeTitle(dispute, page.table),
    newsOf(state),
  ].filter(Boolean);
  const fresh = now.filter((words) => !heard?.includes(words));
  if (heard && fresh.length) said = fresh;
  else if (said.some((words) => !now.includes(words))) said = [];
  const words = said.join(" ");
  if (spoken.textContent !== words) spoken.textContent = words;
  heard = now;
}

function show(kind, shown) {
  main.className = kind;
  replace(main, shown);
}

// What the next hand finds; in a game that the director closed there is none.
function nextOf(table, queue) {
  const state = nextState(table, queue);
  if (!isClosed(table)) return state;
  return { ...state, next: { ...state.next, phase: "over" } };
}

function topOf(state, actions) {
  const { table, queue, reached } = page;
  const found = breakOf(table);
  const none = { phase: "over" };
  const isEntering = state && page.draft && !isClosed(table);
  const next = found ? none : isEntering ? inherited(page.draft).next : (state?.next ?? none);
  const open = (more = {}) => actions.change({ sheet: true, calling: false, ...more });
  const title = found ? breakTitle(found) : table.title;
  const round = page.news ? page.news.clock : table.clock;
  const clock = !found
    ? clockOf(round, round?.late)
    : isNightOver(found)
      ? null
      : clockOf(found.clock, found.late);
  return header(
    { ...table, title, place: found ? title : table.place },
    {
      next,
      queue,
      reached,
      news: newsOf(state),
      clock,
      open,
      isBetween: Boolean(found),
      call: page.news?.call,
      safe: safeHere() ?? (found ? null : adjournedHere()),
    },
  );
}

// That the game is finished another day, and when; the news of it are newer than the page.
const adjournedHere = () => (page.news ?? page.table).adjourned || null;

// What waits here while there is no network: that it is not lost, and what to do.
function safeHere() {
  const { queue, reached, isKept } = page;
  if (reached !== false || !queue.length || !isKept) return null;
  const count = queue.filter((item) => item.kind === "hand").length;
  return say(count === 1 ? "safe one" : count ? "safe many" : "safe other", { count });
}

// What has happened meanwhile that the page does not show by itself.
function newsOf(state) {
  const { draft, closed } = page;
  if (closed) return say("badge closed");
  if (!state || !draft || !isBegun(draft)) return null;
  if (isOvertaken()) return say("badge overtaken");
  const [other] = otherDrafts(state);
  if (other) return say("tells too", { seat: other.seat ? nameOf(other.seat) : say("the desk") });
  if (openDispute()) return say("badge versions");
  const waiting = toBeConfirmed().length;
  return waiting ? say("badge confirm", { count: waiting }) : null;
}

function showSheet(state, actions) {
  const { ui } = page;
  const isOpen = Boolean(ui.sheet && state && screens);
  const wasOpen = !over.hidden;
  over.hidden = !isOpen;
  main.inert = isOpen;
  head.inert = isOpen;
  if (!isOpen) {
    if (wasOpen) head.querySelector("button")?.focus({ preventScroll: true });
    overBody.replaceChildren();
    return;
  }
  const [first, ...more] = toBeConfirmed();
  const now = page.draft ?? newDraft();
  replace(
    overBody,
    screens.sheet(page, state, actions, {
      notices: [
        ...[safeHere(), adjournedHere()].map((said) => said && el("p", { class: "sheet" }, said)),
        notices(actions),
      ],
      others: otherDrafts(state),
      before: inherited(now),
      confirm: isBegun(now) && first ? [first, ...more] : more,
    }),
  );
  /** @type {HTMLElement | null} */
  const start = overBody.querySelector("[data-first]");
  if (!wasOpen) start?.focus({ preventScroll: true });
}

document.addEventListener("keydown", ({ key }) => {
  /** @type {HTMLElement | null} */
  const close = over.querySelector("[data-focus='close']");
  if (key === "Escape") close?.click();
});

function nowhere() {
  const words = page.closed ? (page.closed.detail ?? say("no table")) : say("scan");
  return [
    el("h1", {}, say("at the table")),
    el("p", { class: "sheet lede" }, words),
    el("p", {}, el("a", { class: "alt", href: "/table" }, say("type a code"))),
  ];
}

function loading(actions) {
  const words = say(page.reached === false ? "no network yet" : "loading");
  const seat = page.table.speaks ? null : chooseSeat(null, actions);
  return [notices(actions), seat ?? el("p", { class: "sheet" }, words)];
}

function notices(actions) {
  const { closed, table, draft } = page;
  const why = closed?.detail ?? "";
  return [
    closed && el("p", { class: "problem", role: "alert" }, say("link closed", { why })),
    table.unfollowed && el("p", { class: "problem" }, table.unfollowed),
    !page.isKept && el("p", { class: "problem" }, say("not kept")),
    page.isFull &&
      page.queue.length > 0 &&
      el("p", { class: "problem", role: "alert" }, say("disk full")),
    isClosed(table) && el("p", { class: "sheet" }, say("game closed")),
    isOvertaken() && overtaken(draft, actions),
  ];
}

// Whether another phone has entered the hand that is being entered here.
function isOvertaken() {
  const { table, draft } = page;
  const isNew = draft && draft.order === undefined && !draft.mends;
  return Boolean(isNew && draft.number < (table.next?.number ?? 0));
}

// Gives the layout, and what is in it.
function body(state, actions) {
  const { table, ui } = page;
  const isBetween = breakOf(table) !== null;
  if ((!table.speaks && !isBetween) || ui.choosing) {
    return ["single", chooseSeat(state.next, actions)];
  }
  if (!screens && !isFirstSight(state.next)) return ["single", loading(actions)];
  const isOver = state.next.phase === "over" && !page.draft;
  const dispute = safely("disputes", openDispute);
  const hasAnswers = page.draft && isBegun(page.draft);
  if (dispute?.id && !hasAnswers && ui.later !== dispute.id) {
    const view = safely("dispute", () => screens.disputeView(dispute, table, actions));
    return ["single versions", view];
  }
  if (isBetween || isClosed(table) || isOver)
    return ["single", screens.ended(state, actions, notices(actions))];
  const now = page.draft ?? newDraft();
  const before = inherited(now);
  const hasDeal = Boolean(before.next.board) && !now.deal;
  const hand = { ...before, hasDeal, speaks: table.speaks, isOvertaken: isOvertaken() };
  if (!isBegun(now)) {
    const [other] = otherDrafts(state);
    if (other) return ["telling", screens.otherDraftView(other, hand, actions)];
    const isPlayed = table.planned && before.counted.round >= table.planned;
    if (isPlayed && screens && !ui.goesOn)
      return ["single", screens.roundPlayed(state, actions, notices(actions))];
  }
  const shown = isBegun(now) ? null : card(state, hand, actions);
  const kind = ["telling", now.answers.cards && "by-card", shown && "carded"];
  return [kind.filter(Boolean).join(" "), pad(hand, now, ui, actions, shown)];
}

// Whether the table can be shown before the other screens have come: a hand is told by its result,
// and nothing was read yet that speaks of another one.
function isFirstSight({ phase }) {
  const { table, draft, others, papers } = page;
  const isDone = phase === "over" || isClosed(table) || breakOf(table);
  const isByCard = draft ? draft.answers.cards : tellsEveryCard(table);
  return !(
    isDone ||
    isByCard ||
    others.length ||
    papers.length ||
    Object.keys(table.details).length
  );
}

// What stands in the place of an empty slip: what waits for a word, or what came of the last hand.
function card(state, before, actions) {
  const found = [...notices(actions), ...recordCards(state, actions)].filter(Boolean);
  if (!found.length) return null;
  return [...found, nextHand(before)];
}

// Who deals and who begins the hand that is told next.
function nextHand({ seats, next }) {
  const values = next.chips ?? next.totals ?? {};
  const first =
    next.phase === "auction" ? seats[(seats.indexOf(next.dealer) + 1) % seats.length] : null;
  const note = (seat) => {
    if (seat === next.dealer) return say("deals");
    return seat === first ? say("bids") : String(values[seat] ?? "");
  };
  const kind = (seat) => (seat === next.dealer ? "deals" : seat === first ? "first" : "");
  const one = (seat) =>
    el("li", { class: kind(seat) }, nameTag(nameOf(seat)), " ", el("small", {}, note(seat)));
  return el(
    "section",
    { class: "next", "aria-label": say("next hand", { number: next.number }) },
    el("h2", {}, say("next hand", { number: next.number })),
    el("ol", { class: "arc" }, seats.map(one)),
  );
}

// Whoever came by the code of the table says, too, whether the phone stays there or is their own.
function chooseSeat(next, actions) {
  const { table, ui } = page;
  const canFollow = Boolean(table.code);
  const stays = ui.stays ?? !(table.mine ?? true);
  const help = !canFollow ? "your seat help" : stays ? "stays help" : "own help";
  const way = (words, isThis, some) =>
    button(say(words), () => actions.change(some), {
      class: "alt",
      "aria-pressed": String(isThis),
      "data-focus": words,
    });
  return el(
    "section",
    { class: "sheet", "aria-labelledby": "question" },
    el("h2", { id: "question" }, say("your seat")),
    canFollow
      ? el(
          "div",
          { class: "ways", role: "group", "aria-label": say("whose phone") },
          way("own phone", !stays, { stays: false }),
          way("table phone", stays, { stays: true }),
        )
      : null,
    el("p", { class: "help" }, say(help)),
    picture(table, next, (seat) => actions.speakFor(seat, canFollow && !stays)),
  );
}

const toBeConfirmed = () => screens?.toBeConfirmed() ?? [];
const openDispute = () => screens?.openDispute() ?? null;
const recordCards = (state, actions) => screens?.recordCards(state, actions) ?? [];

// The next hand as other phones tell it, the latest one first.
function otherDrafts({ next }) {
  const { draft, others, ui } = page;
  if (next.phase === "over") return [];
  const isOther = (one) => one.id !== draft?.hand && !ui.left?.includes(one.id);
  return others
    .filter((one) => one.number === next.number && isOther(one))
    .sort((one, two) => (one.kept_at < two.kept_at ? 1 : -1));
}

// What the hand on the pad finds: the state before it, and its papers where they are open.
function inherited({ number, base, deal }) {
  const { rules, seats, names, marks } = page.table;
  const isNext = number === page.paperHand;
  const [first] = paperKinds(rules);
  const read = (kind) => (isNext ? openedPapers(page.papers, seats, kind) : null);
  const opened = first && first !== "centre" ? read(first) : null;
  const sealed = isNext && first === "insurance" && areSealed(page.papers, seats, first);
  const found = renewed(number, base);
  return { rules, seats, names, marks, ...found, deal, opened, sealed, bids: read("centre") };
}

// Chips and points as they are by now, where a hand before it was ruled on or corrected meanwhile;
// what the hand was played under stays as its table saw it.
function renewed(number, base) {
  const { next, counted } = nextState(page.table, page.queue);
  const isSame = (name) => next[name] === base.next[name];
  if (next.number !== number || !SEEN.every(isSame)) return base;
  return { ...base, next, counted };
}

function overtaken({ number }, actions) {
  const away = button(say("throw away"), actions.throwAway, { class: "link" });
  return el("p", { class: "problem" }, say("overtaken", { number }), " ", away);
}
