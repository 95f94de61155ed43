// The course of a replay: how long a hand is shown, and the lines that are drawn until then.

/**
 * @typedef {{ order: number, place: number, label: string, total: string, bar: number }} Cell
 * @typedef {{ round: number, title: string, leads: string, jackpot: string, cells: (Cell | null)[] }} Step
 */

const HAND = 2500; // milliseconds
const WHOLE = 60_000;

/**
 * Milliseconds for each hand: 2.5 seconds, or less so that all of them take a minute.
 * @param {number} steps
 */
export const pace = (steps) => Math.min(HAND, WHOLE / Math.max(steps, 1));

/**
 * How far to the right a step is drawn: the one that is shown is at the edge, and earlier ones make room.
 * @param {number} number
 * @param {number} at
 * @param {number} width
 */
export const across = (number, at, width) => (at ? (width * number) / at : width);

/**
 * Where a bar begins and how long it is, as parts of the width of all: to the left of zero below it.
 * @param {number} bar
 * @param {number} zero
 */
export const extent = (bar, zero) => ({
  from: (zero + Math.min(bar, 0)) / 1000,
  length: Math.abs(bar) / 1000,
});

/**
 * The points of a player's line up to a step, as pieces: it is broken where they had no place.
 * @param {Step[]} steps
 * @param {number} player
 * @param {number} at
 * @param {{ width: number, height: number }} size
 */
export function lineOf(steps, player, at, { width, height }) {
  const rows = Math.max(...steps.map(({ cells }) => cells.length));
  /** @type {string[][]} */
  const pieces = [[]];
  for (const [number, { cells }] of steps.slice(0, at + 1).entries()) {
    const cell = cells[player];
    const x = across(number, at, width);
    if (cell) pieces.at(-1).push(`${round(x)},${round((height * (cell.order + 0.5)) / rows)}`);
    else if (pieces.at(-1).length) pieces.push([]);
  }
  return pieces.filter((piece) => piece.length).map((piece) => piece.join(" "));
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/**
 * The players of a step in their places; who has none yet is left out.
 * @param {Step} step
 * @param {string[]} names
 */
export const ranked = ({ cells }, names) =>
  cells
    .map((cell, player) => ({ ...cell, player, name: names[player] }))
    .filter(({ place }) => place)
    .sort((one, other) => one.order - other.order);
