// A phone that goes on by itself: with its player from table to table, or with the table that it
// lies on from round to round.
import { request } from "./api.js";
import { Closed } from "./fetching.js";
import { isBegun, isClosed } from "./page.js";
import { put } from "./store.js";
import { say } from "./words.js";

const CLOSED = new Set([401, 404, 410]);

// What the phone shows of itself: its own token, or the code of its table in this event.
function shown({ phone, code, event }) {
  if (phone) return { as: `Seat ${phone}`, query: "" };
  return code ? { as: `Seat ${code}`, query: `?event=${event}` } : null;
}

export const isFollowing = (table) => shown(table) !== null;

// What stands between two rounds: where the phone belongs next. Null while nothing is known of it.
// A phone that speaks for nobody learns of the end of its game by that alone. One that came for a
// game that is finished another day stays with it until that is closed.
export function breakOf(table) {
  const { between, speaks, stays, game } = table;
  const isDone = isClosed(table) || (!speaks && !stays && between && between.game !== game);
  return isDone ? (between ?? null) : null;
}

// "Round 3 of 4"; before it is drawn the night alone.
export function breakTitle({ round, rounds, title }) {
  return round ? say("round of", { number: round, rounds }) : title;
}

export const isNightOver = ({ status }) => ["finished", "official"].includes(status);

// Whether the phone looks for its next game: its own is over, or goes on another day without it.
export function looksForNext({ table, closed, news }) {
  const isLeft = !table.speaks || Boolean(news?.adjourned);
  return Boolean(closed) || isClosed(table) || (isLeft && !table.stays);
}

// Whether the phone is to go on to another game now; not from a hand that is being told.
export function hasNextGame({ table, draft }) {
  const game = table.between?.game;
  return Boolean(game) && game !== table.game && !(draft && isBegun(draft) && !isClosed(table));
}

// Ask the server to follow the player in the seat for which this phone speaks, where it has not yet.
export async function claimPlayer(table) {
  const { mine, phone, speaks, code, token } = table;
  if (!mine || phone || !code || !speaks) return null;
  const { status, data } = await request(`/t/own?seat=${speaks}`, {
    as: `Seat ${token}`,
    method: "POST",
  });
  if (status !== 201 || !data) return status < 500 && status !== 429 ? { mine: false } : null;
  return { whole: token, token: data.token, seat: data.seat, phone: data.phone };
}

// Nobody is followed any longer: the phone is one of the table again, and the server is told.
export const withoutPlayer = ({ whole }) => ({ token: whole, seat: null, phone: null, mine: null });

export function stopFollowing({ phone }) {
  return request("/t/leave", { as: `Seat ${phone}`, method: "POST" }).catch(() => null);
}

// What is new between the rounds; null where nothing is. Raises Closed where the phone was ended.
export async function fetchBreak(table) {
  const { as, query } = shown(table);
  const { status, data, headers } = await request(`/t/between${query}`, {
    as,
    tag: table.betweenTag,
  });
  if (CLOSED.has(status)) throw new Closed(data);
  if (status !== 200 || !data) return null;
  const late = data.clock ? Date.now() - Date.parse(data.clock.at) : 0;
  return { between: { ...data, late }, betweenTag: headers.get("ETag") };
}

// The game that is played now where the phone belongs; null while there is none.
export async function openNextGame(table) {
  const { as, query } = shown(table);
  const { status, data } = await request(`/t/follow${query}`, { as, method: "POST" });
  if (status !== 200 || !data) return null;
  const { seating, ...game } = data;
  const { phone, code, event, mine, cards } = table;
  return { ...seating, ...game, phone, code, event, mine, cards, stays: false };
}

export async function updateTable(table, some) {
  Object.assign(table, some);
  await put("tables", table);
}
