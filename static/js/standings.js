// Keeps a page's live part as it stands: asks every few seconds, and only what is new is sent.
const live = document.getElementById("live");
const news = document.getElementById("news");
const cut = document.getElementById("cut");
const SLOWEST = 60; // seconds between two tries while there is no connection

const seconds = Number(live.dataset.seconds);
let tag = live.dataset.tag;
let timer = 0;
let wait = seconds;
let asked = 0;

function addressOfPart() {
  const address = new URL(location.href);
  address.hash = "";
  address.searchParams.set("part", "live");
  return address;
}

// The part itself says how often: more often while people play.
function pace() {
  return (
    Number(
      /** @type {HTMLElement | null} */ (live.querySelector("[data-seconds]"))?.dataset.seconds,
    ) || seconds
  );
}

// What the reader did to the old part, so that the new one looks the same.
function kept() {
  const open = [...live.querySelectorAll("details[open][id]")].map((one) => one.id);
  /** @type {[string, number][]} */
  const scrolled = [...live.querySelectorAll(".scroll[id]")].map((one) => [one.id, one.scrollLeft]);
  return {
    open,
    scrolled,
    focus: live.contains(document.activeElement) && document.activeElement.id,
  };
}

function show(html) {
  const { open, scrolled, focus } = kept();
  live.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, left] of scrolled) {
    const found = document.getElementById(id);
    if (found) found.scrollLeft = left;
  }
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  live.dispatchEvent(new CustomEvent("painsuit:standings"));
}

async function ask({ quietly = false } = {}) {
  const mine = ++asked;
  const answer = await fetch(addressOfPart(), { headers: tag ? { "If-None-Match": tag } : {} });
  if (mine !== asked) return; // somebody opened a row meanwhile
  if (answer.status === 304) return;
  if (answer.status === 404 || answer.status === 403) {
    location.reload(); // it is not ours to see any more
    return;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const html = await answer.text();
  if (mine !== asked) return;
  tag = answer.headers.get("ETag");
  show(html);
  if (!quietly) news.textContent = news.dataset.news;
}

async function again() {
  clearTimeout(timer);
  if (!seconds) return;
  if (!document.hidden) {
    try {
      await ask();
      wait = pace();
      cut.hidden = true;
    } catch {
      wait = Math.min(wait * 2, SLOWEST);
      cut.hidden = false;
    }
  }
  clearTimeout(timer);
  timer = setTimeout(again, wait * 1000);
}

// A row opens in its place; its address can be shared, and works without this script.
live.addEventListener("click", async (/** @type {EventAt<Element, MouseEvent>} */ event) => {
  /** @type {HTMLAnchorElement | null} */
  const pressed = event.target.closest("a[data-open]");
  if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", pressed.href.split("#")[0]);
  tag = "";
  try {
    await ask({ quietly: true });
  } catch {
    location.assign(pressed.href);
  }
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) again();
});

if (seconds) timer = setTimeout(again, pace() * 1000);
