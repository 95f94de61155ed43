// The phone at the table: opens it, keeps it, shows it, and sends what waits.
import { ahead } from "./ahead.js";
import { lastAnswer, played, toConfirm } from "./answers.js";
import { NoNetwork } from "./api.js";
import { button, el, replace } from "./dom.js";
import { uuid7 } from "./identifiers.js";
import * as outbox from "./outbox.js";
import { pad } from "./pad.js";
import { kinds, openedPapers, paperPanel, sealed, secretId } from "./papers.js";
import { Closed, detail, papers, read, seating, told } from "./reading.js";
import { all, drop, get, isKept, put } from "./store.js";
import { strip } from "./strip.js";
import { waitingList } from "./waiting.js";
import { say, sayOr, seatName } from "./words.js";

const EVERY = 4000; // milliseconds between two looks at the server
const CURRENT = "painsuit-table";
const page = { table: null, queue: [], draft: null, papers: [], ui: {}, reached: null, closed: null };
const main = document.getElementById("main");
const head = document.getElementById("strip");
const spoken = document.getElementById("spoken");
let drawn = "";

// Opening

async function open() {
  const token = location.pathname.slice("/t/".length);
  if (token) {
    // Out of the address at once, so that no history and no screenshot shows it.
    history.replaceState(null, "", "/t/");
    await openLink(decodeURIComponent(token));
  } else {
    await openLast();
  }
  navigator.serviceWorker?.register("/t/worker.js", { scope: "/t/" }).catch(() => {});
  navigator.storage?.persist?.().catch(() => {});
  page.isKept = await isKept();
  await turn();
  setInterval(() => document.hidden || turn(), EVERY);
  window.addEventListener("online", turn);
  document.addEventListener("visibilitychange", () => document.hidden || turn());
}

async function openLink(token) {
  const tables = await all("tables");
  const known = tables.find((table) => table.token === token);
  if (known) {
    await sitDown(known);
    return;
  }
  try {
    const sat = await seating(token);
    if (!sat) throw new NoNetwork("busy");
    const before = tables.find((table) => table.game === sat.game);
    const speaks = sat.seat ?? before?.speaks ?? null;
    await sitDown({ hands: [], details: {}, ...before, ...sat, token, speaks, tag: null });
  } catch (error) {
    if (error instanceof Closed) page.closed = error.problem;
    else if (error instanceof NoNetwork) setTimeout(() => openLink(token).then(turn), EVERY);
    else throw error;
  }
}

async function openLast() {
  const tables = await all("tables");
  const last = tables.sort((one, two) => (two.at ?? 0) - (one.at ?? 0))[0];
  if (last) await sitDown(last);
}

async function sitDown(table) {
  page.table = { ...table, at: Date.now() };
  page.closed = null;
  await put("tables", page.table);
  await refreshKept();
}

async function refreshKept() {
  const { game } = page.table;
  page.queue = await outbox.waiting(game);
  page.elsewhere = await outbox.waitingElsewhere(game);
  page.draft = (await get("drafts", game)) ?? null;
  const sent = [...page.queue.map((item) => item.hand), ...page.table.hands.map((hand) => hand.id)];
  if (page.draft && sent.includes(page.draft.hand)) await forget();
}

// One turn: send, read, show. Never two at once.

let turning = null;
let again = false;

function turn() {
  if (turning) {
    again = true;
    return turning;
  }
  turning = turnOnce().finally(() => {
    turning = null;
    if (again) {
      again = false;
      turn();
    }
  });
  return turning;
}

async function turnOnce() {
  if (!page.table) return show();
  await refreshKept();
  show();
  try {
    await sendAll();
    show();
    if (!page.closed && page.table.speaks) await readAll();
  } catch (error) {
    if (error instanceof NoNetwork) page.reached = false;
    else if (error instanceof Closed) page.closed = error.problem ?? {};
    else throw error;
  }
  show();
}

async function sendAll() {
  if (!page.queue.length && !page.elsewhere) return;
  const said = await outbox.flush();
  if (said.reached !== null) page.reached = said.reached;
  page.closed = said.closed[page.table.game] ?? page.closed;
  for (const { item, data } of said.answered) if (data && item.game === page.table.game) await answered(item, data);
  if (said.answered.length) page.table.tag = null;
  await refreshKept();
}

async function answered(item, data) {
  if (item.kind === "opening" && data.fits === false) page.ui.lost = true;
  if (!["hand", "word"].includes(item.kind)) return;
  page.table.last = { ...told(data), result: item.result ?? null, seat: item.speaks };
  await put("tables", page.table);
  speak(`${say("hand", { number: data.number })}: ${sayOr(`state ${data.state}`, data.state)}. ${data.settlement?.sentence ?? ""}`);
}

async function readAll() {
  const now = await read(page.table);
  page.reached = true;
  if (now) {
    const last = now.last && now.details[now.last.id];
    page.table = { ...now, last: last ?? now.last };
    await put("tables", page.table);
  }
  page.papers = (await papers(page.table)) ?? page.papers;
}

// What people do

const acts = {
  async tell(answers) {
    const base = page.draft ?? fresh();
    page.draft = { ...base, answers };
    page.ui.chosen = [];
    page.ui.more = false;
    show();
    await put("drafts", page.draft);
  },
  async send(result) {
    const { game, number, hand, base, answers } = page.draft;
    const { speaks } = page.table;
    const path = `/api/v1/games/${game}/hands`;
    const body = { id: hand, number, result };
    await outbox.add({ game, speaks, kind: "hand", path, body, number, hand, result, base, answers });
    await forget();
    await turn();
  },
  change(some) {
    Object.assign(page.ui, some);
    show();
  },
  keep(some) {
    Object.assign(page.ui, some);
  },
  typed(why) {
    page.ui.why = why;
  },
  async word(hand, why) {
    const { game, speaks } = page.table;
    const path = `/api/v1/hands/${hand.id}/${why ? "objection" : "confirmation"}`;
    const body = why ? { version: hand.version, why } : { version: hand.version };
    await outbox.add({ game, speaks, kind: "word", path, body, number: hand.number, about: hand.id });
    Object.assign(page.ui, { objecting: null, why: "" });
    await turn();
  },
  async look(hand) {
    const isOpen = page.ui.hand === hand.id;
    acts.change({ hand: isOpen ? null : hand.id });
    if (isOpen || page.table.details[hand.id]) return;
    const found = await detail(hand.id, page.table).catch(() => null);
    if (found) page.table.details[hand.id] = found;
    show();
  },
  async reopen(item) {
    const isTelling = page.draft && Object.keys(page.draft.answers).length > 0;
    if (isTelling) {
      acts.change({ busy: item.order });
      return;
    }
    page.draft = { game: item.game, number: item.number, base: item.base, answers: item.answers, hand: uuid7() };
    await put("drafts", page.draft);
    await outbox.takeBack(item);
    await turn();
  },
  async again(item) {
    await outbox.tryAgain(item);
    await turn();
  },
  async giveUp(item) {
    await outbox.takeBack(item);
    page.ui.giving = null;
    await turn();
  },
  async seal(kind, seat, value) {
    const { game, next } = page.table;
    const paper = sealed(value);
    const id = secretId(game, next.number, seat, kind);
    if (!(await get("secrets", id))) await put("secrets", { id, ...paper });
    const { seal } = await get("secrets", id);
    const body = { hand: next.number, seat, kind, seal };
    await outbox.add({ game, speaks: seat, kind: "seal", path: `/api/v1/games/${game}/papers`, body, number: next.number, seat, paper: kind });
    page.ui.pen = null;
    await turn();
  },
  async open(kind, seats) {
    const { game, next } = page.table;
    for (const seat of seats) {
      const kept = await get("secrets", secretId(game, next.number, seat, kind));
      if (!kept) {
        page.ui.lost = true;
        continue;
      }
      const body = { hand: next.number, seat, kind, value: kept.value, salt: kept.salt };
      await outbox.add({ game, speaks: seat, kind: "opening", path: `/api/v1/games/${game}/papers/opening`, body, number: next.number, seat, paper: kind });
    }
    await turn();
  },
  async speakFor(seat) {
    page.table = { ...page.table, speaks: seat, tag: null, details: {} };
    page.ui = {};
    await put("tables", page.table);
    await turn();
  },
};

function fresh() {
  const { next, counted } = ahead(page.table, page.queue);
  return { game: page.table.game, number: next.number, base: { next, counted }, answers: {}, hand: uuid7() };
}

async function forget() {
  await drop("drafts", page.table.game);
  page.draft = null;
}

function speak(text) {
  spoken.textContent = text;
}

// Showing

function show() {
  const { table, queue, draft, ui, reached, closed } = page;
  const now = JSON.stringify([table && { ...table, at: 0, tag: 0 }, queue, draft, ui, reached, closed, page.papers]);
  if (now === drawn) return;
  drawn = now;
  if (!table) {
    replace(main, nowhere());
    return;
  }
  const state = table.rules ? ahead(table, queue) : null;
  head.hidden = false;
  document.title = `${table.title} – Painsuit`;
  replace(head, state ? strip(table, { ahead: state, queue, reached, toggle: () => acts.change({ waiting: !ui.waiting }), changeSeat: () => acts.change({ choosing: true }) }) : el("div", { class: "strip-top" }, el("p", { class: "where" }, el("b", {}, table.title))));
  replace(main, el("h1", { class: "away" }, table.title), notices(), body(state));
}

function nowhere() {
  const words = page.closed ? (page.closed.detail ?? say("no table")) : say("scan");
  return [el("h1", {}, say("at the table")), el("p", { class: "sheet lede" }, words)];
}

function notices() {
  const { closed, table } = page;
  return [
    closed ? el("p", { class: "problem", role: "alert" }, say("link closed", { why: closed.detail ?? "" })) : null,
    page.isKept === false ? el("p", { class: "problem" }, say("not kept")) : null,
    table.phase === "closed" || table.phase === "official" ? el("p", { class: "sheet" }, say("game closed")) : null,
  ].filter(Boolean);
}

function body(state) {
  const { table, queue, ui } = page;
  if (!table.speaks || ui.choosing) return chooseSeat(table);
  if (!state) return [waitingList(table, queue, ui, acts), el("p", { class: "sheet" }, say(page.reached === false ? "no network yet" : "loading"))].filter(Boolean);
  return [
    waitingList(table, queue, ui, acts),
    ...unconfirmed().map((hand) => toConfirm(hand, table, ui, acts)),
    shownLast(),
    ...secretPapers(state),
    thePad(state),
    played(table, ui, acts),
  ].filter(Boolean);
}

function chooseSeat(table) {
  const choose = (seat) => button([el("b", {}, seatName(seat)), el("span", { class: "name" }, table.names[seat] ?? "")], () => acts.speakFor(seat), { class: "key seat", "data-focus": `sit ${seat}` });
  return [el("section", { class: "sheet", "aria-labelledby": "question" }, el("h2", { id: "question" }, say("your seat")), el("p", { class: "help" }, say("your seat help")), el("div", { class: "keys pairs" }, table.seats.map(choose)))];
}

// Hands of other seats that wait for this one's word.
function unconfirmed() {
  const { table, queue } = page;
  if (table.confirming === "off") return [];
  const spoken = queue.filter((item) => item.kind === "word").map((item) => item.about);
  return Object.values(table.details)
    .filter((hand) => hand.certainty === "provisional" && !hand.rival_of && hand.state !== "disputed" && hand.settled)
    .filter((hand) => hand.seat !== table.speaks && !hand.said && !spoken.includes(hand.id))
    .sort((one, two) => one.number - two.number);
}

function shownLast() {
  const { table } = page;
  const rival = Object.values(table.details).find((hand) => hand.rivals?.length && hand.state === "disputed");
  const last = rival ?? table.last;
  const isOld = last && !rival && last.number < table.next.number - 1;
  return last && !isOld && !unconfirmed().some((hand) => hand.id === last.id) ? lastAnswer(last, table) : null;
}

function secretPapers(state) {
  const { table, queue, ui } = page;
  if (table.next.phase === "over" || state.next.number !== table.next.number) return [];
  return kinds(table.rules).map((kind) => paperPanel(kind, { table, papers: page.papers, queue, ui, acts }));
}

function thePad(state) {
  const { table, draft, ui } = page;
  if (state.next.phase === "over" && !draft) return el("p", { class: "sheet" }, say("game over"));
  if (["closed", "official"].includes(table.phase)) return null;
  const now = draft ?? fresh();
  const { next, counted } = now.base;
  const [first] = kinds(table.rules);
  const isNext = now.number === table.next.number;
  const opened = isNext && first !== "centre" ? openedPapers(page.papers, table.seats, first) : null;
  const bids = isNext ? openedPapers(page.papers, table.seats, "centre") : null;
  const before = { rules: table.rules, seats: table.seats, names: table.names, next, counted, opened, bids };
  const overtaken = draft && draft.number < state.next.number ? el("p", { class: "problem" }, say("overtaken", { number: draft.number }), " ", button(say("throw away"), () => forget().then(turn), { class: "link" })) : null;
  const made = pad(before, now, ui, acts);
  if (overtaken) made.prepend(overtaken);
  return made;
}

open();
