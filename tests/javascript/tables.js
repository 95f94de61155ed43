// Tables as the server describes them to a phone: rules, seats, and what the next hand finds.
import { readFileSync } from "node:fs";

const PRESETS = JSON.parse(readFileSync(new URL("./presets.json", import.meta.url), "utf8"));
export const SEATS = ["N", "E", "S", "W"];

export const rulesOf = (preset, changes = {}) => ({ ...PRESETS[preset], ...changes });
export const atSeats = (...values) =>
  Object.fromEntries(SEATS.map((seat, at) => [seat, values[at]]));

const counted = { deals: 0, hands: 0, dealt: atSeats(0, 0, 0, 0), pain: null, due: null, round: 0 };
const next = { number: 1, dealer: "W", passing: null, feet_used: [], over: null, places: null };

export function auctionTable(changes = {}, rules = {}) {
  const pot = { pot: 0, jackpot: 0, namer: null, totals: null, phase: "auction" };
  const chips = atSeats(50, 50, 50, 50);
  return {
    rules: rulesOf("bicycle", rules),
    seats: SEATS,
    next: { ...next, ...pot, chips, ...changes },
    counted,
  };
}

export function pointsTable(changes = {}, rules = {}) {
  const totals = atSeats(0, 0, 0, 0);
  return {
    rules: rulesOf("standard", rules),
    seats: SEATS,
    next: { ...next, pot: 0, jackpot: 0, namer: null, phase: "deal", totals, ...changes },
    counted,
  };
}
