// Reading the table from the server: the game, its hands, and what stands in the last of them.
import { authorization, request } from "./api.js";
import { withOffset } from "./clock.js";
import { duesOf } from "./dues.js";
import { paperKinds } from "./papers.js";
import { language } from "./words.js";

const CLOSED = new Set([401, 404, 410]);
const LOOKED_AT = 4; // hands whose records are read without being asked for
const DISPUTED = new Set(["disputed"]);
const OPEN = new Set(["draft", "disputed"]);
const ASKED_WHY = new Set(["disputed", "ruled"]);
const LONG = 12; // pages of a list that nobody needs more of

export class Closed extends Error {
  constructor(problem) {
    super(problem?.detail ?? "closed");
    this.problem = problem;
  }
}

async function get(path, as, tag) {
  const answer = await request(path, { as, tag });
  if (CLOSED.has(answer.status)) throw new Closed(answer.data);
  return answer;
}

// Who sits at the table of a token: the beginning of everything.
export async function fetchSeating(token) {
  const answer = await get("/t/seating", `Seat ${token}`);
  return answer.status === 200 ? { ...answer.data, clock: withOffset(answer.data.clock) } : null;
}

// What has changed at the table since `tag`, as marks and the tag of them all; null where nothing
// has, or the server is busy.
export async function fetchNews(table, tag) {
  const { status, data, headers } = await get("/t/news", authorization(table), tag);
  return status === 200 && data
    ? { ...data, clock: withOffset(data.clock), tag: headers.get("ETag") }
    : null;
}

// The table as it stands now; the same one where nothing changed, null where the server is busy.
export async function fetchTable(table) {
  const as = authorization(table);
  const path = `/api/v1/games/${table.game}`;
  // What was read in another language is read again.
  const before = table.language === language ? table : { ...table, tag: null, details: {} };
  const game = await get(path, as, before.tag);
  if (game.status === 304) return table;
  if (game.status !== 200) return null;
  const [sat, hands] = await Promise.all([
    fetchSeating(table.token),
    list(`${path}/hands?limit=100`, as),
  ]);
  if (!sat || !hands) return null;
  const { rules, next, confirming, phase } = game.data;
  const now = {
    ...before,
    ...sat,
    language,
    rules,
    next,
    confirming,
    phase,
    hands,
    tag: game.headers.get("ETag"),
  };
  now.details = await details(now, as);
  return now;
}

async function list(path, as) {
  const items = [];
  for (let page = 0; path && page < LONG; page += 1) {
    const answer = await get(path, as);
    if (answer.status !== 200) return null;
    items.push(...answer.data.items);
    path = answer.data.next;
  }
  return items;
}

async function details(table, as) {
  const numbers = table.hands.map((hand) => hand.number);
  const latest = Math.max(0, ...numbers) - LOOKED_AT;
  const wanted = table.hands.filter((hand) => hand.number > latest || DISPUTED.has(hand.state));
  const known = {};
  for (const hand of table.hands) {
    const old = table.details?.[hand.id];
    const isSame = old?.revision === hand.revision && old.state === hand.state;
    if (isSame && !DISPUTED.has(hand.state)) known[hand.id] = old;
  }
  const missing = wanted.filter((hand) => !known[hand.id]);
  const found = await Promise.all(missing.map((hand) => fetchHand(hand.id, table, as)));
  for (const one of found) if (one) known[one.id] = one;
  return known;
}

// One hand: how it was judged, who entered it, and what this seat has said of it.
export async function fetchHand(id, table, as = authorization(table)) {
  const path = `/api/v1/hands/${id}`;
  const [hand, history] = await Promise.all([get(path, as), get(`${path}/versions`, as)]);
  if (hand.status !== 200 || history.status !== 200) return null;
  const isAsked = ASKED_WHY.has(hand.data.state) && !hand.data.rival_of;
  const dispute = isAsked ? await get(`${path}/dispute`, as) : null;
  const found = remembered(hand.data, history.data, table);
  return dispute?.status === 200 ? { ...found, dispute: dispute.data } : found;
}

// The result that a hand on record comes to, however it was told; null where nobody can read it.
export async function fetchResult({ id }, table) {
  const answer = await get(`/api/v1/hands/${id}/dispute`, authorization(table)).catch(() => null);
  return answer?.status === 200 ? answer.data.first.result : null;
}

function remembered(hand, { versions, words }, table) {
  const current = versions.find((one) => one.number === hand.version);
  const mine = words.filter((word) => word.version === hand.version && word.seat === table.speaks);
  return {
    ...handSummary(hand),
    seat: current?.seat ?? null,
    result: current?.form === "result" ? JSON.parse(current.sent) : null,
    said: mine.length > 0,
  };
}

// What is shown of an answer about a hand.
export function handSummary(hand) {
  const { settlement } = hand;
  const after = settlement?.next;
  return {
    id: hand.id,
    number: hand.number,
    version: hand.version,
    revision: hand.revision,
    state: hand.state,
    certainty: hand.certainty,
    reason: hand.reason,
    rival_of: hand.rival_of,
    agrees: hand.agrees,
    director: hand.director_called_at ?? null,
    settled: settlement !== null,
    sentence: settlement?.sentence ?? null,
    dues: settlement ? duesOf(settlement) : [],
    findings: settlement?.diagnostics.map(finding) ?? [],
    after: after ?? null,
    chips: after?.chips ?? after?.totals ?? null,
    inChips: Boolean(after?.chips),
    gained: gained(settlement?.scores, Boolean(after?.chips)),
  };
}

// What was found at a hand, by its code, and who did it with which card in which trick.
const finding = ({ severity, message, hint, name, seat, card, trick }) => ({
  ...{ severity, message, hint, name },
  ...{ seat, card, trick },
});

function gained(scores, inChips) {
  if (!scores) return null;
  const worth = ({ After, Before, Points }) =>
    inChips && After !== undefined ? After - Before : Points;
  return Object.fromEntries(scores.map(({ seat, values }) => [seat, worth(values) ?? 0]));
}

// The secret papers of the next hand, or of one that was told before all that were sealed are open.
export async function fetchPapers(table) {
  const { number } = table.next;
  if (!paperKinds(table.rules).length) return { hand: number, papers: [] };
  const waiting = table.hands.filter((hand) => OPEN.has(hand.state) && !hand.rival_of);
  for (const hand of waiting.slice(0, LOOKED_AT)) {
    const told = await papersOf(table, hand.number);
    if (!told) return null;
    if (told.some((paper) => !paper.is_open)) return { hand: hand.number, papers: told };
  }
  const found = await papersOf(table, number);
  return found && { hand: number, papers: found };
}

async function papersOf(table, number) {
  const path = `/api/v1/games/${table.game}/papers?hand=${number}`;
  const answer = await get(path, authorization(table));
  return answer.status === 200 ? answer.data.papers : null;
}
