// The hand that is told next: what the server knows, and the hands that still wait on this phone.
import { bySeat, leftOf } from "./counting.js";
import { direction, forecast } from "./forecast.js";

export function nextState(table, queue) {
  const { rules, seats } = table;
  let state = { rules, seats, next: table.next, counted: table.counted };
  for (const item of queue) {
    if (item.kind !== "hand" || item.number !== state.next.number) continue;
    const came = forecast(state, item.result) ?? unsure(state);
    state = { ...state, ...inRound(state, came, item.result, table.boards ?? []) };
  }
  return state;
}

const NOT_COUNTED = ["redeal", "not played", "abandoned", "foot"];
const DEALT_AGAIN = ["redeal", "foot"];

// What a hand is in its round: whether it counts there, and which board the next one is played with.
function inRound({ seats, rules, counted: then }, came, { ending = "played" }, boards) {
  const isCounted = !NOT_COUNTED.includes(ending);
  const counted = { ...came.counted, round: then.round + (isCounted ? 1 : 0) };
  if (!then.alike) return { next: { ...came.next, board: boards[came.next.number - 1] }, counted };
  const isBehind = !DEALT_AGAIN.includes(ending);
  const deals = then.deals + (isBehind ? 1 : 0);
  const board = boards.includes(deals + 1) ? deals + 1 : null;
  const next = { ...came.next, ...startOfBoard(seats, rules, came.next, deals), board };
  if (isBehind) next.feet_used = [];
  return { next, counted: { ...counted, deals, due: null, pain: null } };
}

// Every table begins a board alike, whatever it played before.
function startOfBoard(seats, rules, { chips }, deals) {
  return {
    dealer: seats[deals % seats.length],
    passing: direction(rules, deals),
    phase: rules.pain === "auction" ? "auction" : "deal",
    pot: 0,
    jackpot: 0,
    namer: null,
    over: null,
    places: null,
    chips: chips && bySeat(seats, () => Number(rules.starting_chips)),
  };
}

// Only the server can settle it; who deals is sure all the same.
function unsure({ seats, next, counted }) {
  const after = {
    ...next,
    number: next.number + 1,
    dealer: leftOf(seats, next.dealer),
    totals: null,
  };
  return { next: after, counted };
}
