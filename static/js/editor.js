// The text box: line numbers with marks, jumps to a line, files dropped in, checking as you type.
const form = /** @type {Form} */ (document.getElementById("check"));
const box = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
const file = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const answer = document.getElementById("answer");
/** @type {HTMLElement} */
const gutter = form.querySelector(".gutter");
/** @type {HTMLElement} */
const drop = form.querySelector(".drop");
const working = form.querySelector(".working");
const ORDER = ["error", "ruling", "warning", "info"];
const LINES_MAX = 5000;
const BYTES_MAX = 1024 * 1024;

let refused = ""; // why the last file was not taken

const say = (words) => {
  working.textContent = words;
};

// The gutter

function marks() {
  const found = new Map();
  /** @type {HTMLElement | null} */
  const listing = answer.querySelector(".listing");
  for (const mark of listing?.dataset.marks.split(" ").filter(Boolean) ?? []) {
    const [line, severity] = mark.split(":");
    const before = found.get(Number(line));
    if (!before || ORDER.indexOf(severity) < ORDER.indexOf(before)) {
      found.set(Number(line), severity);
    }
  }
  return found;
}

function drawGutter() {
  const lines = Math.min(box.value.split("\n").length, LINES_MAX);
  const marked = marks();
  gutter.textContent = "";
  let plain = "";
  for (let line = 1; line <= lines; line += 1) {
    const severity = marked.get(line);
    if (!severity) {
      plain += `${line}\n`;
      continue;
    }
    gutter.append(plain);
    plain = "";
    const mark = document.createElement("b");
    mark.className = `mark is-${severity}`;
    mark.textContent = String(line);
    mark.title = form.dataset[severity];
    mark.dataset.line = String(line);
    gutter.append(mark);
  }
  gutter.append(plain);
  gutter.scrollTop = box.scrollTop;
}

box.addEventListener("scroll", () => {
  gutter.scrollTop = box.scrollTop;
});

gutter.addEventListener("click", (/** @type {EventAt<Element>} */ event) => {
  /** @type {HTMLElement | null} */
  const mark = event.target.closest(".mark");
  const finding = mark && answer.querySelector(`.to-line[data-line="${mark.dataset.line}"]`);
  finding?.closest(".finding").scrollIntoView({ block: "center", behavior: "smooth" });
});

// To a line

function jump(line, from, to) {
  const lines = box.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const length = lines[line - 1]?.length ?? 0;
  const high = parseFloat(getComputedStyle(box).lineHeight);
  box.focus({ preventScroll: true });
  box.setSelectionRange(start + Math.min(from - 1, length), start + Math.min(to - 1, length));
  box.scrollTop = Math.max(0, (line - 5) * high);
  form.scrollIntoView({ block: "nearest" });
}

answer.addEventListener("click", (/** @type {EventAt<Element, MouseEvent>} */ event) => {
  /** @type {HTMLElement | null} */
  const link = event.target.closest(".to-line");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { line, col, end } = link.dataset;
  jump(Number(line), Number(col), Math.max(Number(end), Number(col) + 1));
});

// Checking as you type

let waiting = 0;
let running = null;
let offline = false; // the last check found no network

function place() {
  /** @type {HTMLElement | null} */
  const board = answer.querySelector(".board");
  return board?.dataset.place ?? (board ? `${board.dataset.record}.0.0` : "");
}

async function recheck(at) {
  clearTimeout(waiting);
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const data = new FormData(form);
  data.set("part", "answer");
  if (at) data.set("at", at);
  answer.setAttribute("aria-busy", "true");
  say("…");
  try {
    const reply = await fetch(form.action, { method: "POST", body: data, signal });
    if (!reply.ok) throw new Error(String(reply.status));
    answer.innerHTML = await reply.text();
    say(refused);
    offline = false;
    drawGutter();
    answer.dispatchEvent(new CustomEvent("painsuit:answer"));
  } catch (error) {
    if (error.name === "AbortError") return;
    offline = !navigator.onLine;
    say(offline ? form.dataset.offline : form.dataset.failed);
  } finally {
    if (!signal.aborted) answer.removeAttribute("aria-busy");
  }
}

addEventListener("online", () => {
  if (offline) recheck(place());
});

function showAnswer() {
  const first = answer.firstElementChild;
  if (first?.getBoundingClientRect().top > innerHeight * 0.7) {
    first.scrollIntoView({ behavior: "smooth" });
  }
}

// On a phone the record lies below the list that it was chosen from.
function showRecord() {
  const title = document.getElementById("record-title");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  title.scrollIntoView({ block: "start" });
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => recheck(place()), box.value.length > 65536 ? 1500 : 500);
}

box.addEventListener("input", () => {
  refused = "";
  file.value = ""; // what is typed counts from now on
  drawGutter();
  soon();
});
for (const name of ["rules", "mode", "house"]) {
  form.elements[name].addEventListener("change", () => recheck(place()));
}

form.addEventListener("submit", (/** @type {Sending} */ event) => {
  const pressed = event.submitter;
  if (pressed?.hasAttribute("formaction") && !pressed.name) return; // sharing goes to a page
  event.preventDefault();
  recheck(pressed?.name === "at" ? pressed.value : "").then(showAnswer);
});

// Buttons of the answer belong to the form too: another record of the text, another hand.
answer.addEventListener("click", (/** @type {EventAt<Element, MouseEvent>} */ event) => {
  /** @type {HTMLButtonElement | null} */
  const button = event.target.closest('button[name="at"]');
  if (!button || event.defaultPrevented) return;
  event.preventDefault();
  const chosen = button.closest(".choices, .game");
  recheck(button.value).then(() => chosen && showRecord());
});

// Files

function decode(bytes) {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes);
  }
}

/** @param {File | undefined} chosen */
async function take(chosen) {
  if (!chosen) return;
  if (chosen.size > BYTES_MAX) {
    refused = form.dataset.long;
    say(refused);
    file.value = "";
    return;
  }
  refused = "";
  box.value = decode(await chosen.arrayBuffer());
  drawGutter();
  recheck("").then(showAnswer); // the file itself is sent, so not a byte of it is lost
}

file.addEventListener("change", () => take(file.files[0]));

const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

document.addEventListener("dragover", (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  drop.hidden = false;
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.hidden = true;
});
document.addEventListener("drop", (event) => {
  drop.hidden = true;
  if (!carriesFile(event)) return;
  event.preventDefault();
  file.files = event.dataTransfer.files;
  take(file.files[0]);
});

gutter.hidden = false;
drawGutter();
