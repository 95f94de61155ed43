// The replay of a night: lines and places hand by hand. It can be stopped and moved at any time,
// and does not begin by itself where motion is not wanted.
import { lineOf, pace, ranked } from "./replay_steps.js";

const SIZE = { width: 860, height: 600 }; // of the 1000 units across names have the rest
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

const styleOf = (/** @type {number} */ player) =>
  player < HEROES ? `hero-${player + 1}` : "other";

function drawLines() {
  const drawn = names.flatMap((_name, player) =>
    lineOf(steps, player, at, SIZE).map((points) =>
      make("polyline", { points, class: styleOf(player) }),
    ),
  );
  const x = (SIZE.width * (at + 0.5)) / steps.length;
  const ends = ranked(steps[at], names).flatMap(({ player, name, order }) => {
    const y = (SIZE.height * (order + 0.5)) / names.length;
    const end = { class: styleOf(player) };
    return [
      make("circle", { ...end, cx: x, cy: y, r: 6 }),
      make("text", { ...end, x: x + 14, y: y + 6 }, name),
    ];
  });
  lines.replaceChildren(...drawn.reverse(), ...ends);
}

function drawRanks() {
  const rows = ranked(steps[at], names).map(({ player, name, label, total, bar }) => {
    const row = document.createElement("li");
    row.className = styleOf(player);
    const cells = ["span", "bdi", "i", "b"].map((kind) => document.createElement(kind));
    const [place, called, length, value] = cells;
    place.textContent = label;
    called.textContent = name;
    length.style.setProperty("--bar", String(bar / 1000));
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
  drawLines();
  drawRanks();
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

for (const [number, step] of steps.entries()) {
  if (!step.jackpot) continue;
  const mark = document.createElement("i");
  mark.style.setProperty("--at", String(number / Math.max(last, 1)));
  part("marks").append(mark);
}
if (last > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
else end();
draw();
