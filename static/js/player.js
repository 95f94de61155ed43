// Steps through the tricks. The server has drawn every card; this only shows and hides.
const answer = document.getElementById("answer");
const SWIPE = 36; // pixels sideways before a touch is a swipe

const all = (within, selector) => [...within.querySelectorAll(selector)];
const number = (element, name) => Number(element.dataset[name]);

function parts() {
  const board = answer.querySelector(".board");
  if (!board) return null;
  const played = all(board, ".played");
  return played.length ? { board, played } : null;
}

function targets({ board, played }) {
  const cursor = number(board, "cursor");
  const ends = [0, ...played.filter((p) => "last" in p.dataset).map((p) => number(p, "play") + 1)];
  const end = played.length;
  return {
    first: 0,
    "trick-back": Math.max(0, ...ends.filter((e) => e < cursor)),
    back: Math.max(cursor - 1, 0),
    on: Math.min(cursor + 1, end),
    "trick-on": Math.min(end, ...ends.filter((e) => e > cursor)),
    last: end,
  };
}

function show(cursor) {
  const found = parts();
  if (!found) return;
  const { board, played } = found;
  const at = Math.min(Math.max(cursor, 0), played.length);
  const now = at ? played[at - 1] : null;
  const trick = now ? number(now, "trick") : 0;
  const complete = Boolean(now) && "last" in now.dataset;
  board.dataset.cursor = at;
  for (const card of all(board, ".played, .fault-note")) {
    card.hidden = number(card, "trick") !== trick || number(card, "play") >= at;
  }
  for (const held of all(board, ".fan li[data-play]")) {
    held.classList.toggle("gone", number(held, "play") < at);
  }
  const done = complete ? trick : Math.max(trick - 1, 0);
  for (const tally of all(board, ".tally")) {
    tally.querySelector("b").textContent = tally.dataset.taken.split(" ")[done];
  }
  const felt = board.querySelector(".felt");
  felt.classList.toggle("complete", complete);
  steadily(board.querySelector(".controls"), () => felt.classList.toggle("bare", !now));
  board.querySelector(".said").textContent = now ? now.dataset.said : board.dataset.opening;
  for (const row of all(answer, ".tricks tbody tr")) {
    if (number(row, "trick") === trick) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  askNext(board, played[at]);
  const place = now ? played.filter((p) => number(p, "trick") === trick).indexOf(now) + 1 : 0;
  board.dataset.place = [board.dataset.record, trick, complete ? 0 : place].join(".");
  answer.dispatchEvent(new CustomEvent("painsuit:step"));
}

// The felt grows with its first card: what stands below it stays where it was pressed.
function steadily(below, change) {
  const before = below.getBoundingClientRect().top;
  change();
  const moved = below.getBoundingClientRect().top - before;
  if (moved) scrollBy({ top: moved, behavior: "instant" });
}

// Marks whose turn it is and, on demand, what the next card could legally be.
function askNext(board, next) {
  const asked = board.querySelector(".show-legal").checked && next;
  const legal = new Set(next ? next.dataset.legal.split(" ") : []);
  board.classList.toggle("asking", Boolean(asked && legal.size));
  for (const seat of all(board, ".seat")) {
    const turn = Boolean(next) && seat.dataset.seat === next.dataset.seat;
    seat.classList.toggle("turn", turn);
    seat.classList.toggle("is-asked", Boolean(asked) && turn);
    for (const held of all(seat, ".fan li")) {
      held.classList.toggle("allowed", Boolean(asked) && turn && legal.has(held.dataset.card));
    }
  }
}

function go(step) {
  const found = parts();
  if (found) show(targets(found)[step]);
}

function goToTrick(trick) {
  const row = answer.querySelector(`.tricks tr[data-trick="${trick}"]`);
  if (row) show(number(row, "end"));
}

answer.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-step], [data-goto], [data-goto-trick]");
  if (!pressed || event.ctrlKey || event.metaKey || !parts()) return;
  event.preventDefault();
  if (pressed.dataset.step) go(pressed.dataset.step);
  else if (pressed.dataset.goto) show(number(pressed, "goto") + 1);
  else goToTrick(pressed.dataset.gotoTrick);
  if (!pressed.dataset.step) answer.querySelector(".board").scrollIntoView({ block: "nearest" });
});

answer.addEventListener("change", (event) => {
  if (event.target.matches(".show-legal")) show(number(answer.querySelector(".board"), "cursor"));
});

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A text is edited, and a wide table or list is scrolled, with the same keys.
  if (event.target.matches("input:not([type=checkbox]), textarea, select, .scroll")) return;
  let step = KEYS[event.key];
  if (event.shiftKey && step === "back") step = "trick-back";
  if (event.shiftKey && step === "on") step = "trick-on";
  if (!step || !parts()) return;
  event.preventDefault();
  go(step);
});

let touch = null;

answer.addEventListener(
  "touchstart",
  (event) => {
    const inside = event.target.closest(".felt") && event.touches.length === 1;
    touch = inside ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
  },
  { passive: true },
);

answer.addEventListener("touchend", (event) => {
  if (!touch) return;
  const sideways = event.changedTouches[0].clientX - touch.x;
  const down = event.changedTouches[0].clientY - touch.y;
  touch = null;
  if (Math.abs(sideways) >= SWIPE && Math.abs(sideways) > 1.5 * Math.abs(down)) {
    go(sideways < 0 ? "on" : "back");
  }
});

function begin() {
  for (const option of all(answer, ".options")) option.hidden = false;
  const board = answer.querySelector(".board");
  if (board) show(number(board, "cursor"));
}

answer.addEventListener("painsuit:answer", begin);
begin();
