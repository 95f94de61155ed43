// A wall: letters as large as the rows allow; what does not fit goes by, a screen at a time.
const wall = document.querySelector(".projector");
const live = document.getElementById("live");
const pause = document.getElementById("pause");
const LOOK = 9000; // milliseconds to read a screen
const SMALLEST = 1.1; // rem: smaller letters are not read across a room
const LARGEST = 3.2;
const STEP = 0.1;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let isPaused = false;

function height() {
  return document.documentElement.scrollHeight;
}

// The standings fit a screen; the tables of the round may come after them.
function isWhole() {
  const standings = wall.querySelector(".standings").getBoundingClientRect();
  return standings.bottom + scrollY <= innerHeight && wall.scrollWidth <= innerWidth;
}

function fit() {
  pause.hidden = false; // it takes room that the standings do not have
  let size = LARGEST + STEP;
  do {
    size -= STEP;
    wall.style.setProperty("--wall", `${size}rem`);
  } while (size - STEP >= SMALLEST && !isWhole());
  pause.hidden = height() <= innerHeight;
}

function goOn() {
  if (isPaused || document.hidden || height() <= innerHeight) return;
  const end = height() - innerHeight;
  const next = scrollY >= end - 2 ? 0 : Math.min(scrollY + innerHeight * 0.8, end);
  scrollTo({ top: next, behavior: still.matches ? "instant" : "smooth" });
}

pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.setAttribute("aria-pressed", String(isPaused));
});

live.addEventListener("painsuit:standings", fit);
addEventListener("resize", fit);
fit();
setInterval(goOn, LOOK);
