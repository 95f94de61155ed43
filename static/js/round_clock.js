// A clock that counts down by the server's time, however wrong the reader's own clock is.
const OFF = 5000; // milliseconds: the reader's clock was set anew
let ahead = null; // milliseconds by which the server's clock is ahead of ours
let timer = 0;
let wasLeft = null; // what was left at the last look, of the time that ends then
/** @type {() => HTMLElement | null} */
const clock = () => document.querySelector(".round-clock");

// What the server's clock showed when it answered, and when the answer began to come. The fastest
// answer says it best: an answer is late, never early.
export function hear(at, here = Date.now()) {
  const found = Date.parse(at) - here;
  if (Number.isNaN(found)) return;
  if (ahead === null || found > ahead || ahead - found > OFF) ahead = found;
  show();
}

/** @param {DOMStringMap} clock */
function secondsLeft({ endsAt, left }) {
  if (!endsAt) return Number(left);
  return Math.max(0, (Date.parse(endsAt) - Date.now() - (ahead ?? 0)) / 1000);
}

export function format(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Zero is told once, of a clock that was seen running.
function tellZero(seconds, endsAt) {
  const isReached = seconds === 0 && wasLeft?.endsAt === endsAt && wasLeft.seconds > 0;
  wasLeft = { endsAt, seconds };
  if (isReached) dispatchEvent(new CustomEvent("painsuit:zero"));
}

export function show() {
  clearTimeout(timer);
  const shown = clock();
  if (!shown) return;
  const exact = secondsLeft(shown.dataset);
  const seconds = Math.ceil(exact);
  shown.querySelector(".time").textContent = format(seconds);
  const share = Number(shown.dataset.seconds)
    ? (100 * exact) / /** @type {any} */ (shown.dataset.seconds)
    : 0;
  shown.querySelector(".left").setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
  shown.classList.toggle("is-up", seconds === 0);
  if (!shown.dataset.endsAt) return;
  tellZero(seconds, shown.dataset.endsAt);
  if (seconds) timer = setTimeout(show, (exact - (seconds - 1)) * 1000 || 1000);
}

// The page itself is the first answer.
const [loading] = /** @type {PerformanceNavigationTiming[]} */ (
  performance.getEntriesByType("navigation")
);
hear(
  /** @type {HTMLElement | null} */ (document.querySelector("[data-at]"))?.dataset.at,
  performance.timeOrigin + (loading?.responseStart ?? 0),
);
show();
document.addEventListener("visibilitychange", show);
