// A shared record: the link follows the trick that is shown, and can be copied; paper.
const answer = document.getElementById("answer");
const link = /** @type {HTMLInputElement} */ (document.getElementById("link"));
const print = document.querySelector(".print");
const plain = link.value;

function address() {
  const place =
    /** @type {HTMLElement | null} */ (answer.querySelector(".board"))?.dataset.place ?? "1.0.0";
  const [record, trick, card] = /** @type {any[]} */ (place.split(".").map(Number));
  const url = new URL(plain);
  if (record > 1) url.searchParams.set("record", record);
  if (trick) url.searchParams.set("trick", trick);
  if (trick && card) url.searchParams.set("card", card);
  return url;
}

function follow() {
  const url = address();
  link.value = url.href;
  history.replaceState(null, "", url.pathname + url.search);
}

if (new URLSearchParams(location.search).has("trick")) {
  answer.querySelector(".board")?.scrollIntoView({ block: "start" });
}
if (/** @type {HTMLElement | null} */ (answer.querySelector(".board"))?.dataset.place) follow();
answer.addEventListener("painsuit:step", follow);

print.addEventListener("click", () => window.print());
