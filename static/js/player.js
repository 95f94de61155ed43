// Steps through bids, papers, passes and tricks. The server has drawn every card; this only shows
// and hides. Tables side by side stand at the same card: the position counts the cards that have
// been played, and below 0 the steps before the first card that are still to come.
const answer = document.getElementById("answer");
const SWIPE = 36; // pixels sideways before a touch is a swipe
const LEAD_UP_MAX = 12; // steps of one group that find room on the felt
let position = 0;

const all = (within, selector) => [...within.querySelectorAll(selector)];
const number = (element, name) => Number(element.dataset[name]);
const between = (least, wanted, most) => Math.min(Math.max(wanted, least), most);

function tables() {
  const found = all(answer, ".board").map((board) => ({
    board,
    played: all(board, ".played"),
    leadUp: all(board, ".lead-up li"),
  }));
  return found.filter(({ played }) => played.length);
}

function targets(found) {
  const first = Math.min(...found.map(({ leadUp }) => -leadUp.length));
  const last = Math.max(...found.map(({ played }) => played.length));
  const lasts = found.flatMap(({ played }) => played.filter((p) => "last" in p.dataset));
  const ends = [first, 0, ...lasts.map((p) => number(p, "play") + 1)];
  const points = all(answer, ".timeline [data-points]").map((trick) => number(trick, "end"));
  return {
    first,
    "trick-back": Math.max(first, ...ends.filter((e) => e < position)),
    back: Math.max(position - 1, first),
    on: Math.min(position + 1, last),
    "trick-on": Math.min(last, ...ends.filter((e) => e > position)),
    last,
    points: Math.min(last, ...points.filter((e) => e > position)),
  };
}

function show(wanted) {
  const found = tables();
  if (!found.length) return;
  const { first, last } = targets(found);
  position = between(first, wanted, last);
  found.forEach(showTable);
  answer.dispatchEvent(new CustomEvent("painsuit:step"));
}

function showTable({ board, played, leadUp }) {
  const at = between(0, position, played.length);
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
  for (const count of all(board, "[data-by-trick]")) {
    const texts = count.dataset.byTrick.split(" ");
    count.textContent = texts[Math.min(done, texts.length - 1)];
  }
  const felt = board.querySelector(".felt");
  felt.classList.toggle("complete", complete);
  felt.classList.toggle("bare", !now);
  const said = showLeadUp(board, leadUp, now);
  board.querySelector(".said").textContent = now ? now.dataset.said : said;
  const told = all(answer, ".tricks tbody tr, .made [data-trick]");
  for (const row of [...all(board, ".timeline li"), ...told]) {
    if (number(row, "trick") === trick) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  for (const one of all(board, ".timeline li")) {
    one.classList.toggle("done", number(one, "trick") <= done);
  }
  askNext(board, played[at]);
  const place = now ? played.filter((p) => number(p, "trick") === trick).indexOf(now) + 1 : 0;
  board.dataset.place = [board.dataset.record, trick, complete ? 0 : place].join(".");
}

// The steps of the newest group so far, and what the newest of them says.
function showLeadUp(board, leadUp, now) {
  const known = between(0, leadUp.length + position, leadUp.length);
  const newest = leadUp[known - 1];
  leadUp.forEach((step, place) => {
    const told = !now && place < known && step.dataset.group === newest.dataset.group;
    step.hidden = !told || place < known - LEAD_UP_MAX;
    step.classList.toggle("newest", step === newest && known < leadUp.length);
  });
  return known < leadUp.length && newest ? newest.dataset.said : board.dataset.opening;
}

// Marks whose turn it is and, on demand, what the next card could legally be.
function askNext(board, next) {
  const asked =
    /** @type {HTMLInputElement} */ (answer.querySelector(".show-legal")).checked && next;
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

// Others' cards lie face down; what everybody has seen them play does not.
function seeAs(seat) {
  for (const one of all(answer, ".board .seat")) {
    const covered = Boolean(seat) && one.dataset.seat !== seat;
    one.classList.toggle("covered", covered);
    const fan = one.querySelector(".fan");
    if (fan) fan.setAttribute("aria-hidden", String(covered));
  }
  for (const choice of all(answer, "[name=seen-by]")) choice.checked = choice.value === seat;
}

function go(step) {
  const found = tables();
  if (found.length) show(targets(found)[step]);
}

function goToTrick(trick) {
  const row = answer.querySelector(`:is(.timeline, .tricks) [data-trick="${trick}"]`);
  if (row) show(number(row, "end"));
}

let timer = null;

function stop() {
  clearInterval(timer);
  timer = null;
  const button = answer.querySelector(".step.play");
  if (button) drawPlay(button, false);
}

function drawPlay(button, playing) {
  button.setAttribute("aria-pressed", String(playing));
  const icon = button.querySelector("use");
  icon.setAttribute("href", icon.getAttribute("href").replace(/#.*/, playing ? "#pause" : "#play"));
}

function tick() {
  const found = tables();
  if (!found.length) return stop();
  const { on, last } = targets(found);
  show(on);
  return on === last ? stop() : undefined;
}

function start() {
  const found = tables();
  if (!found.length || !answer.querySelector(".step.play")) return;
  const { first, last } = targets(found);
  if (position === last) show(first);
  timer = setInterval(
    tick,
    Number(/** @type {HTMLSelectElement} */ (answer.querySelector(".play-speed")).value),
  );
  drawPlay(answer.querySelector(".step.play"), true);
}

function toggle() {
  if (timer) stop();
  else start();
}

answer.addEventListener("click", (/** @type {EventAt<Element, MouseEvent>} */ event) => {
  if (event.target.closest(".step.play")) return toggle();
  /** @type {HTMLElement | null} */
  const pressed = event.target.closest("[data-step], [data-goto], [data-goto-trick]");
  if (!pressed || event.ctrlKey || event.metaKey || !tables().length) return undefined;
  event.preventDefault();
  stop();
  if (pressed.dataset.step) go(pressed.dataset.step);
  else if (pressed.dataset.goto) show(number(pressed, "goto") + 1);
  else goToTrick(pressed.dataset.gotoTrick);
  if (!pressed.dataset.step) answer.querySelector(".board").scrollIntoView({ block: "nearest" });
  return undefined;
});

answer.addEventListener("change", (/** @type {EventAt<Field>} */ event) => {
  if (event.target.matches(".show-legal")) show(position);
  else if (event.target.matches("[name=seen-by]")) seeAs(event.target.value);
  else if (event.target.matches(".play-speed") && timer) {
    stop();
    start();
  } else if (event.target.matches(".letter-keys")) {
    rememberLetters(event.target.checked);
  }
});

function lettersAreOff() {
  try {
    return localStorage.getItem("painsuit-letters") === "off";
  } catch {
    return false; // storage is switched off: the choice lasts for this page
  }
}

function rememberLetters(on) {
  try {
    localStorage.setItem("painsuit-letters", on ? "on" : "off");
  } catch {
    // as above
  }
}

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const SHIFTED = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };
const HANDS = { b: "prev", n: "next", B: "first", N: "last" };

// Letters and digits can be switched off, for those who speak to their computer.
function pressLetter(event) {
  /** @type {HTMLInputElement | null} */
  const letters = answer.querySelector(".letter-keys");
  if (!letters?.checked) return false;
  const seats = all(answer, "[name=seen-by]");
  if (event.key === "p" || event.key === "P") go("points");
  else if (/^[0-9]$/.test(event.key) && seats[Number(event.key)]) {
    seeAs(seats[Number(event.key)].value);
  } else {
    /** @type {HTMLElement | null} */
    const link = HANDS[event.key] && document.querySelector(`[data-hand="${HANDS[event.key]}"]`);
    if (!link) return false;
    link.click();
  }
  return true;
}

document.addEventListener("keydown", (/** @type {EventAt<Element, KeyboardEvent>} */ event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !tables().length) return;
  // A text is edited, and a wide table or list is scrolled, with the same keys.
  const typing = "input:not([type=checkbox], [type=radio]), textarea, select, .scroll";
  if (event.target.matches(typing)) return;
  const arrow = event.key.startsWith("Arrow");
  if (arrow && event.target.matches("input[type=radio]")) return;
  const step = (event.shiftKey && SHIFTED[event.key]) || KEYS[event.key];
  if (step) {
    stop();
    go(step);
  } else if (
    event.key === " " &&
    answer.querySelector(".step.play") &&
    !event.target.matches("a, button, input, summary")
  ) {
    toggle();
  } else if (!pressLetter(event)) return;
  event.preventDefault();
});

let touch = null;

answer.addEventListener(
  "touchstart",
  (/** @type {EventAt<Element, TouchEvent>} */ event) => {
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
    stop();
    go(sideways < 0 ? "on" : "back");
  }
});

function begin() {
  stop();
  for (const box of all(answer, ".letter-keys")) {
    box.checked = !lettersAreOff();
  }
  show(Math.max(...all(answer, ".board").map((board) => number(board, "cursor"))));
}

answer.addEventListener("painsuit:answer", begin);
begin();
