// The floor while a round is played: only what changed is replaced, in its place.
import { hear, show } from "./round_clock.js";
import { bell } from "./sound.js";

const EVERY = 5000; // milliseconds between two looks at the tables
const SELDOM = 20_000; // where nobody sees the page, but its title
const floor = document.getElementById("floor");
const news = document.getElementById("floor-news");
const form = /** @type {Form} */ (document.getElementById("clock-form"));
const title = document.title;
let known = null; // the tasks that were told
let looked = 0;
let sending = Promise.resolve();

const parts = (root) => root.querySelectorAll("[data-live]");
const tasksIn = (root) => [...root.querySelectorAll("[data-task]")];

// Nothing moves under a finger: whoever points at the list, or has the focus in it, keeps it.
function isHeld(part) {
  return part.dataset.live === "tasks" && part.matches(":hover, :focus-within");
}

// What comes meanwhile stands below what they look at.
function append(part, fresh) {
  const there = new Set(tasksIn(part).map((one) => one.dataset.task));
  const added = tasksIn(fresh).filter((one) => !there.has(one.dataset.task));
  if (there.size) part.append(...added);
  else part.replaceChildren(...fresh.children);
}

function selectorOf(element) {
  const { href, value } = element;
  if (href) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  return value ? `[value="${CSS.escape(value)}"]` : "button, input, summary";
}

function replace(part, fresh) {
  const { scrollTop } = part;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceWith(fresh);
  fresh.scrollTop = scrollTop;
  if (!focused) return;
  const again = focused === part ? fresh : fresh.querySelector(selectorOf(focused));
  (again ?? fresh.querySelector("button, a"))?.focus({ preventScroll: true });
}

function tell() {
  const tasks = tasksIn(floor);
  document.title = tasks.length ? `(${tasks.length}) ${title}` : title;
  const added = known && tasks.filter((one) => !known.has(one.dataset.task));
  known = new Set(tasks.map((one) => one.dataset.task));
  if (!added?.length) return;
  news.textContent = added
    .map(
      (one) =>
        `${one.querySelector("b").textContent}: ${one.querySelector(".task-text").textContent}`,
    )
    .join(" ");
  bell();
}

function isTyping() {
  const fields = /** @type {Field[]} */ ([
    ...document.querySelectorAll("input:not([type=hidden]), textarea"),
  ]);
  return fields.some(
    (one) =>
      one === document.activeElement ||
      one.value !== one.defaultValue ||
      one.checked !== one.defaultChecked,
  );
}

function take(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const [before, after] = [floor, fresh.content].map(
    (root) => /** @type {HTMLElement} */ (root.querySelector(".band")).dataset,
  );
  if (before.round !== after.round) {
    if (!isTyping()) location.reload(); // another round, or none: another page
    return;
  }
  form.elements.key.value = after.key;
  const found = new Map([...parts(fresh.content)].map((part) => [part.dataset.live, part]));
  for (const part of parts(floor)) {
    const now = found.get(part.dataset.live);
    if (!now) continue;
    if (part.dataset.live === "clock") {
      if (stateOf(part) !== stateOf(now)) replace(part, now);
    } else if (part.innerHTML !== now.innerHTML || part.className !== now.className) {
      if (isHeld(part)) append(part, now);
      else replace(part, now);
    }
  }
  tell();
}

// The clock goes by itself; it is another one only where somebody did something to it.
function stateOf(part) {
  const { endsAt, left, seconds } = part.querySelector(".round-clock")?.dataset ?? {};
  return [endsAt, left, seconds].join();
}

async function look() {
  if (document.hidden && Date.now() - looked < SELDOM) return;
  looked = Date.now();
  try {
    const answer = await fetch(floor.dataset.floor, { headers: { Accept: "text/html" } });
    const here = Date.now();
    if (answer.redirected || answer.status === 404) return location.reload();
    if (!answer.ok) return;
    const html = await answer.text();
    take(html);
    hear(html.match(/data-at="([^"]+)"/)?.[1], here);
    show();
  } catch {
    // no network for the moment: the last look stays, with its time
  }
}

// A button of the clock, without leaving the page. What is refused is shown by the page itself.
/** @param {HTMLButtonElement} button */
async function press(button) {
  const body = new FormData(form);
  body.set(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
  if (answer.type !== "opaqueredirect") return form.submit();
  await look();
}

if (floor) {
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  addEventListener("painsuit:zero", () => {
    news.textContent = news.dataset.up;
    look();
  });
  form.addEventListener("submit", (/** @type {Sending} */ event) => {
    event.preventDefault();
    sending = sending.then(() => press(event.submitter)).catch(() => {});
  });
  tell();
}
