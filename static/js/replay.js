// The replay of a night: lines and places hand by hand. It can be stopped and moved at any time,
// and does not begin by itself where motion is not wanted.
import { across, extent, lineOf, pace, ranked } from "./replay_steps.js";

const MARGIN = 16; // left of the lines
const NAMES = 9; // right of them, in the size of their letters
const ROUNDS = 28; // below them, for the numbers of the rounds
const TOP = 12; // rows on a phone, where all others but the one who is followed are left out
const HEROES = 3; // those who end on the podium are coloured
const BACK = 15_000; // milliseconds on a wall, then its table comes back
const SVG = "http://www.w3.org/2000/svg";

const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id).textContent);
const part = (/** @type {string} */ name) => document.getElementById(`replay-${name}`);
/** @type {string[]} */
const names = read("replay-names");
/** @type {import("./replay_steps.js").Step[]} */
const steps = read("replay-steps");
const words = document.getElementById("replay").dataset;
const slider = /** @type {HTMLInputElement} */ (part("at"));
const button = /** @type {HTMLButtonElement} */ (part("pause"));
const lines = part("lines");
const own = /** @type {HTMLSelectElement} */ (part("own"));
const zero = Number(words.zero);
const last = steps.length - 1;
const time = pace(steps.length);

let at = 0;
let timer = 0;

function make(name, settings, text = "") {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(settings)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

const isFollowed = (/** @type {number} */ player) => own.value === String(player);

const styleOf = (/** @type {number} */ player) =>
  isFollowed(player) ? "own" : player < HEROES ? `hero-${player + 1}` : "other";

// The lines have as much room as the places beside them leave.
function size() {
  const { width, height } = lines.getBoundingClientRect();
  const names_ = NAMES * Number.parseFloat(getComputedStyle(lines).fontSize);
  return { width: Math.max(width - MARGIN - names_, 1), height: Math.max(height - ROUNDS, 1) };
}

function drawLines() {
  const room = size();
  const drawn = names.flatMap((_name, player) =>
    lineOf(steps, player, at, room).map((points) =>
      make("polyline", { points, class: styleOf(player) }),
    ),
  );
  const begun = steps
    .slice(0, at + 1)
    .flatMap(({ round }, number) => (number && round === steps[number - 1].round ? [] : [number]));
  const rounds = begun.flatMap((number) => {
    const x = at ? across(number, at, room.width) : 0;
    const words_ = `${words.round} ${steps[number].round}`;
    return [
      make("line", { class: "round", x1: x, x2: x, y1: 0, y2: room.height }),
      make("text", { class: "round", x: x + 4, y: room.height + ROUNDS - 8 }, words_),
    ];
  });
  const ends = ranked(steps[at], names).flatMap(({ player, name, order }) => {
    const y = (room.height * (order + 0.5)) / names.length;
    const end = { class: styleOf(player) };
    return [
      make("circle", { ...end, cx: room.width, cy: y, r: 4 }),
      make("text", { ...end, x: room.width + 10, y: y + 5 }, name),
    ];
  });
  const group = make("g", { transform: `translate(${MARGIN} 0)` });
  group.append(...rounds, ...drawn.reverse(), ...ends);
  lines.replaceChildren(group);
}

function drawRanks() {
  const rows = ranked(steps[at], names).map(({ player, name, label, total, bar, order }) => {
    const row = document.createElement("li");
    row.className = styleOf(player);
    row.classList.toggle("is-beyond", order >= TOP && !isFollowed(player));
    const cells = ["span", "bdi", "div", "b"].map((kind) => document.createElement(kind));
    const [place, called, bars, value] = cells;
    place.textContent = label;
    called.textContent = name;
    const { from, length } = extent(bar, zero);
    bars.className = "bars";
    bars.style.setProperty("--zero", String(zero / 1000));
    bars.style.setProperty("--from", String(from));
    bars.style.setProperty("--bar", String(length));
    bars.append(document.createElement("i"));
    value.textContent = total;
    row.append(...cells);
    return row;
  });
  part("ranks").replaceChildren(...rows);
}

const seconds = (/** @type {number} */ count) => Math.round((count * time) / 1000);

function draw() {
  const { title, leads, jackpot } = steps[at];
  const hand = document.createElement("b");
  hand.textContent = title;
  const won = document.createElement("strong");
  won.textContent = jackpot;
  part("now").replaceChildren(hand, ` ${leads} `, won);
  part("time").textContent = `${seconds(at + 1)} / ${seconds(steps.length)} s`;
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", `${title}. ${leads}`);
  button.textContent = timer ? words.pause : at === last ? words.again : words.play;
  drawRanks();
  drawLines();
}

function stop() {
  clearInterval(timer);
  timer = 0;
}

function end() {
  stop();
  at = last;
  if (document.body.classList.contains("on-wall")) setTimeout(leave, BACK);
}

function play() {
  if (at === last) at = 0;
  timer = setInterval(() => {
    if (document.hidden) return;
    at += 1;
    if (at === last) end();
    draw();
  }, time);
}

function leave() {
  if (!timer && at === last)
    location.assign(/** @type {HTMLAnchorElement} */ (document.querySelector(".replay a")).href);
}

button.addEventListener("click", () => {
  if (timer) stop();
  else play();
  draw();
});
slider.addEventListener("input", () => {
  stop();
  at = Number(slider.value);
  draw();
});

part("ranks").style.setProperty("--rows", String(names.length));
own.addEventListener("change", draw);
addEventListener("resize", drawLines);

for (const [number, step] of steps.entries()) {
  if (!step.jackpot) continue;
  const mark = document.createElement("i");
  mark.style.setProperty("--at", String(number / Math.max(last, 1)));
  part("marks").append(mark);
}
if (last > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
else end();
draw();
