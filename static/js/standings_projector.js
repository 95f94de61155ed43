// A wall: the clock goes on, and where there are more columns than fit, they go by, a screen at a
// time. Nothing is measured or moved when the page opens.
import { hear, show as showClock } from "./round_clock.js";
import "./sound.js";

const live = document.getElementById("live");
const pause = document.getElementById("pause");
const LOOK = 9000; // milliseconds to read a screen
const wide = matchMedia("(min-width: 48rem)");

let isPaused = false;
let shown = 0;

const screens = () => [...live.querySelectorAll(".screen")];

function show() {
  const all = screens();
  shown = all.length ? shown % all.length : 0;
  for (const [number, screen] of all.entries())
    screen.classList.toggle("is-shown", number === shown);
  live.querySelector(".wall-screens").classList.add("is-turning");
  pause.hidden = all.length < 2 || !wide.matches;
}

pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.setAttribute("aria-pressed", String(isPaused));
});

live.addEventListener("painsuit:standings", () => {
  hear(/** @type {HTMLElement} */ (live.querySelector("[data-at]")).dataset.at);
  showClock();
  show();
});
wide.addEventListener("change", show);
show();
setInterval(() => {
  if (isPaused || document.hidden) return;
  shown += 1;
  show();
}, LOOK);
