// A wall: letters as large as the rows allow; what does not fit goes by, a screen at a time.
const wall = document.querySelector(".projector");
const live = document.getElementById("live");
const pause = document.getElementById("pause");
const LOOK = 9000; // milliseconds to read a screen
const SMALLEST = 1.1; // rem: smaller letters are not read across a room
const LARGEST = 3.2;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let isPaused = false;

function height() {
  return document.documentElement.scrollHeight;
}

function fit() {
  let size = LARGEST;
  do {
    wall.style.setProperty("--wall", `${size}rem`);
    size -= 0.1;
  } while (size >= SMALLEST && (height() > innerHeight || wall.scrollWidth > innerWidth));
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
