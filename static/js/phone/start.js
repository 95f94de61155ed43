// The phone at the table: opens it, keeps it, and takes turns at sending, reading and showing.
import { el, noteFailure } from "./dom.js";
import { makeActions } from "./actions.js";
import { NoNetwork } from "./api.js";
import { withOffset } from "./clock.js";
import { fetchOtherDrafts, isSaved, saveDraft } from "./drafts.js";
import {
  Closed,
  fetchNews,
  fetchPapers,
  fetchSeating,
  fetchTable,
  handSummary,
} from "./fetching.js";
import {
  claimPlayer,
  fetchBreak,
  hasNextGame,
  looksForNext,
  isFollowing,
  openNextGame,
  updateTable,
  withoutPlayer,
} from "./following.js";
import { nextState } from "./next_state.js";
import * as outbox from "./outbox.js";
import { clearPad, dropStoredDraft, isBegun, page, screens, setScreens } from "./page.js";
import * as rhythm from "./polling.js";
import { draw } from "./screen.js";
import { all, get, isKept, put } from "./store.js";
import { language } from "./words.js";

const { INTERVAL } = rhythm;
const PRESS = 5000; // milliseconds that a finger stays on a button at most
const RELEASE = 100; // until the tap is there
const DOUBLE = 250; // milliseconds of a double tap at most
const NEAR = 24; // pixels between its two places
const actions = makeActions(turn, show, lookUp);
let pressedAt = 0;

// Not while a finger is down: the button below it has to be there when it goes up.
function show() {
  const left = PRESS - (Date.now() - pressedAt);
  if (left > 0) setTimeout(show, left);
  else draw(actions);
}

// A double tap counts once: the second one was meant for what stood there before the first.
let tapped = { timeStamp: -DOUBLE };

function noteTap(event) {
  if (!event.detail) return; // a key
  const isNear = Math.hypot(event.clientX - tapped.clientX, event.clientY - tapped.clientY) < NEAR;
  if (event.timeStamp - tapped.timeStamp < DOUBLE && isNear) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else tapped = event;
}

function pressed() {
  pressedAt = Date.now();
}

function released() {
  pressedAt = 0;
  setTimeout(show, RELEASE);
}

// Opening

async function open() {
  const token = onThePage()?.token ?? location.pathname.slice("/t/".length);
  // Out of the address at once, so that no history and no screenshot shows it.
  if (token) history.replaceState(null, "", "/t/");
  document.addEventListener("click", noteTap, true);
  document.addEventListener("pointerdown", pressed);
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, released);
  page.isKept = await isKept();
  await (token ? openLink(decodeURIComponent(token)) : openLast());
  await turn();
  // Only now, so that nothing is in the way of the first sight.
  const href = document.documentElement.dataset.typeface;
  document.head.append(el("link", { rel: "stylesheet", href }));
  navigator.serviceWorker?.register("/t/worker.js", { scope: "/t/" }).catch(() => {});
  askToKeep().catch(() => {});
  setInterval(() => document.hidden || !rhythm.isDue(page.queue.length) || turn(), INTERVAL);
  window.addEventListener("online", turn);
  document.addEventListener("click", takenUp);
  // Also when it is put away: what was told just before may be wanted on another phone.
  document.addEventListener("visibilitychange", turn);
}

// Ask the browser once not to clear what waits here, as some ask the person then.
async function askToKeep() {
  if (localStorage.getItem("painsuit-asked-to-keep")) return;
  localStorage.setItem("painsuit-asked-to-keep", "yes");
  await navigator.storage?.persist?.();
}

// Who takes the phone up again sees what has happened meanwhile.
function takenUp() {
  const isQuiet = !rhythm.isActive();
  rhythm.noteActivity();
  if (isQuiet) turn();
}

async function openLink(token) {
  const tables = await all("tables");
  const shown = onThePage();
  if (shown) {
    await sitDownAt(shown, token, tables);
    return;
  }
  const known = tables.find((table) => table.token === token);
  if (known) {
    await sitDown(known);
    return;
  }
  try {
    const sat = await fetchSeating(token);
    if (!sat) throw new NoNetwork("busy");
    await sitDownAt(sat, token, tables);
  } catch (error) {
    if (error instanceof Closed) page.closed = error.problem;
    else if (error instanceof NoNetwork) setTimeout(() => openLink(token).then(turn), INTERVAL);
    else throw error;
  }
}

async function sitDownAt(sat, token, tables) {
  const before = tables.find((table) => table.game === sat.game);
  if (before?.phone && sat.seat === null) {
    // Somebody's own phone stays theirs, whatever code it scans at this table.
    const { seat, token: own } = before;
    await sitDown({ ...before, ...sat, seat, token: own, whole: token, scanned: true, tag: null });
    return;
  }
  const speaks = sat.seat ?? (before?.unfollowed ? null : (before?.speaks ?? null));
  await sitDown({ hands: [], details: {}, ...before, ...sat, token, speaks, tag: null });
}

// All other screens, fetched as soon as the first one stands, so that an open page has them when the
// network goes. Where they could not be fetched, the next turn tries again. Imported here alone: no
// file may name itself through others, since its name holds its hash.
async function fetchScreens() {
  if (!screens) await import("./screens.js").then(setScreens, () => {});
}

// The table as it stood when the server sent the page, so that nothing has to be asked first.
function onThePage() {
  const text = document.getElementById("table")?.textContent;
  if (!text) return null;
  const { seating: sat, ...game } = JSON.parse(text);
  return { ...sat, ...game, clock: withOffset(sat.clock) };
}

async function openLast() {
  const tables = await all("tables");
  const last = tables.sort((one, two) => (two.at ?? 0) - (one.at ?? 0))[0];
  if (last) await sitDown(last);
}

async function sitDown(table) {
  page.table = { ...table, at: Date.now() };
  Object.assign(page, { closed: null, news: null });
  page.draft = (await get("drafts", table.game)) ?? null;
  // What was read of the table before may need any of them.
  if (table.hands.length) await fetchScreens();
  await lookUp();
  await put("tables", page.table);
}

// What waits on this phone; a hand that waits or is on record is not being told any longer. All of it
// is known before any of it is taken up, and shown at once: no tap may fall on what was before.
async function lookUp() {
  const { game } = page.table;
  let seen;
  let queue;
  let elsewhere;
  let stored;
  do {
    seen = page.changes;
    queue = await outbox.waiting(game);
    elsewhere = await outbox.waitingElsewhere(game);
    stored = await get("drafts", game);
  } while (seen !== page.changes);
  const sent = [...queue.map((item) => item.hand), ...page.table.hands.map((hand) => hand.id)];
  const draft = latest([page.draft, stored].filter((one) => one && !sent.includes(one.hand)));
  if (draft !== page.draft) clearPad();
  Object.assign(page, { queue, elsewhere, draft });
  show();
  if (stored && sent.includes(stored.hand)) await dropStoredDraft(stored.hand);
}

// Another window of this phone may have told more of the same hand.
/** @param {any[]} drafts */
function latest([draft, stored]) {
  if (!draft || !stored) return draft ?? null;
  const isNewer = stored.hand === draft.hand && (stored.change ?? 0) > (draft.change ?? 0);
  return isNewer ? stored : draft;
}

// One turn: send, read, show. Never two at once.

let turning = null;
let isWanted = false;

function turn() {
  if (turning) {
    isWanted = true;
    return turning;
  }
  turning = turnOnce().finally(() => {
    turning = null;
    if (!isWanted) return;
    isWanted = false;
    turn();
  });
  return turning;
}

async function turnOnce() {
  if (!page.table) {
    show();
    return;
  }
  rhythm.notePoll();
  await lookUp();
  const { token } = page.table;
  await fetchScreens();
  try {
    await sendAll();
    if (!page.closed && page.table.speaks) await keepDraft();
    const isSeen = !document.hidden || !page.table.rules;
    if (isSeen && !page.closed && page.table.speaks) {
      await claimSeat();
      await readAll();
    }
    if (isSeen) await goOn();
  } catch (error) {
    if (error instanceof NoNetwork) page.reached = false;
    else if (!(error instanceof Closed)) noteFailure("reading", error);
    // Said of the link that was shown, which somebody may have changed meanwhile.
    if (error instanceof Closed && page.table.token === token) page.closed = error.problem ?? {};
    if (error instanceof Closed) isWanted = true; // to go on where it belongs now
  }
  // After all else, so that a failure of reading is reported too; without a network by a later turn.
  await screens?.sendFailures().catch(() => {});
  show();
}

async function sendAll() {
  const isDue = page.queue.length > 0 || page.elsewhere > 0;
  if (!isDue || Date.now() < page.notBefore) return;
  const said = await outbox.flush();
  page.notBefore = Date.now() + said.later * 1000;
  page.reached = said.reached ?? page.reached;
  page.isFull = said.isFull;
  const { game } = page.table;
  page.closed = said.closed[game] ?? page.closed;
  for (const { item, data } of said.answered) {
    if (data && item.game === game) await answered(item, data);
  }
  if (said.answered.length) page.table.tag = null;
  await lookUp();
}

async function answered(item, data) {
  if (item.kind === "opening" && data.fits === false) page.ui.lost = true;
  if (!["hand", "word"].includes(item.kind)) return;
  const { table } = page;
  table.last = { ...handSummary(data), result: item.result ?? null, seat: item.speaks };
  const about = table.details[item.about];
  if (about) table.details[item.about] = { ...about, said: true };
  // Until the table is read again, a hand that was taken back comes next, and a hand that was sent
  // is what the next one stands on.
  const back = data.state === "taken back" && table.hands?.find((hand) => hand.id === item.about);
  if (back && back.number === table.next.number - 1) {
    Object.assign(table, screens?.stateBefore(back, table));
  } else if (item.kind === "hand" && !data.rival_of) {
    const { next, counted } = nextState(table, [item]);
    Object.assign(table, { next, counted });
  }
  await put("tables", table);
}

async function keepDraft() {
  const { draft, table } = page;
  if (!draft || draft.mends || isSaved(draft) || !(isBegun(draft) || draft.kept)) return;
  const kept = await saveDraft(draft, table);
  if (!kept || page.draft?.hand !== draft.hand) return;
  // What was told meanwhile waits for the next turn.
  const { hand, continues, seen } = kept;
  page.draft = { ...page.draft, hand, continues, seen, kept: kept.kept };
  show();
  await put("drafts", page.draft);
}

// The phone is somebody's own: from now on it follows them.
async function claimSeat() {
  const asked = page.table;
  const made = await claimPlayer(asked);
  if (!made || page.table !== asked) return;
  await updateTable(asked, made);
  show();
}

// Where nothing is played any more the phone asks where it belongs next, and goes there by itself.
async function goOn() {
  const asked = page.table;
  if (!looksForNext(page) || !isFollowing(asked)) return;
  try {
    const found = await fetchBreak(asked);
    page.reached = true;
    if (page.table !== asked) return;
    if (found) {
      rhythm.noteActivity();
      await updateTable(asked, found);
      show();
    }
    if (!hasNextGame(page)) return;
    const next = await openNextGame(asked);
    if (!next || page.table !== asked) return;
    await sitDownAt(next, next.token, await all("tables"));
    page.ui = {};
    isWanted = true;
  } catch (error) {
    if (!(error instanceof Closed)) throw error;
    // Whoever has scanned the code of the table again comes in as anybody there.
    const some = asked.scanned
      ? { ...withoutPlayer(asked), speaks: null, scanned: false, tag: null, details: {} }
      : { phone: null, mine: null };
    if (asked.scanned) page.closed = null;
    await updateTable(asked, { ...some, unfollowed: error.problem?.detail ?? "" });
  }
}

// What is new at the table; mostly nothing is, and then nothing else is asked for.
async function readAll() {
  const asked = page.table;
  const before = asked.tag && asked.language === language ? page.news : null;
  const found = await fetchNews(asked, before?.tag);
  page.reached = true;
  if (!found || page.table !== asked) return;
  rhythm.noteActivity();
  const isNew = (mark) => found[mark] !== before?.[mark];
  const isRead =
    (!isNew("game") || (await readTable(asked))) &&
    (!(isNew("game") || isNew("drafts")) || (await readOthers())) &&
    (!(isNew("game") || isNew("papers")) || (await readPapers()));
  if (isRead) page.news = found;
}

// Each of them: whether it is known now. It is shown at once, whatever the next one takes.

async function readTable(asked) {
  const now = await fetchTable(asked);
  if (!now || page.table !== asked) return false; // another seat or another table meanwhile
  if (now === asked) return true;
  const last = now.last && now.details[now.last.id];
  const { draft } = page;
  const isOnRecord = draft && now.hands.some((hand) => hand.id === draft.hand);
  if (isOnRecord || isMended(draft, now)) page.draft = null;
  if (!page.draft && now.next.number !== asked.next?.number) clearPad();
  // The phone of a player speaks for the seat that they hold now.
  const speaks = now.seat ?? now.speaks;
  page.table = { ...now, speaks, cards: page.table.cards, last: last ?? now.last };
  show();
  await put("tables", page.table);
  return true;
}

// A hand that was to be told otherwise, and stands otherwise by now.
function isMended(draft, { hands }) {
  if (!draft?.mends) return false;
  const { id, version } = draft.mends;
  return !hands.some((hand) => hand.id === id && hand.version === version);
}

async function readOthers() {
  const found = await fetchOtherDrafts(page.table);
  page.others = found ?? page.others;
  show();
  return found !== null;
}

async function readPapers() {
  const found = await fetchPapers(page.table);
  if (found) {
    Object.assign(page, { papers: found.papers, paperHand: found.hand });
    await screens?.openOwnPapers(actions);
  }
  show();
  return Boolean(found);
}

open();
