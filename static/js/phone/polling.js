// How often the server is asked: soon while something happens, seldom while nothing does.
export const INTERVAL = 4000; // milliseconds between two looks at most times
const SELDOM = 12_000;
const LIVELY = 60_000; // so long after something happened

let [livelyUntil, last] = [Date.now() + LIVELY, 0];

export function noteActivity() {
  livelyUntil = Date.now() + LIVELY;
}

export function isActive() {
  return Date.now() < livelyUntil;
}

export function notePoll() {
  last = Date.now();
}

// `waiting`: how much waits to be sent.
export function isDue(waiting) {
  const pause = waiting || isActive() ? INTERVAL : SELDOM;
  return Date.now() - last >= pause - INTERVAL / 2;
}
