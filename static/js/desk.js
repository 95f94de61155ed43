// The desk while the round is played: tables refresh by themselves; ticks are counted and found.
const EVERY = 5000; // milliseconds between two looks at the tables
const floor = document.getElementById("floor");

async function look() {
  if (document.hidden) return;
  const focused = document.activeElement?.getAttribute("href");
  try {
    const answer = await fetch(floor.dataset.floor, { headers: { Accept: "text/html" } });
    if (answer.redirected || answer.status === 204) return location.reload();
    if (!answer.ok) return;
    const html = await answer.text();
    if (html === floor.innerHTML) return;
    floor.innerHTML = html;
    if (focused) floor.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  } catch {
    // no network for the moment: the last look stays, with its time
  }
}

if (floor) {
  document.querySelector(".no-script")?.setAttribute("hidden", "");
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}

const filter = document.getElementById("filter");
if (filter) {
  const list = filter.form.querySelector(".tick-list");
  const labels = [...list.querySelectorAll("label")];
  const letters = JSON.parse(document.getElementById("letters").textContent);
  const plain = (text) =>
    text
      .normalize("NFKD")
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{Mn}/gu, "")
      .replace(/[^ -_a-z]/gu, (letter) => letters[letter] ?? letter)
      .replace(/\s+/gu, " ")
      .trim();
  filter.closest(".filter").hidden = false;
  filter.addEventListener("input", () => {
    const sought = plain(filter.value);
    for (const label of labels) label.hidden = !plain(label.textContent).includes(sought);
  });
  // Enter ticks the first that is left, and is ready for the next name.
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !filter.value.trim()) return;
    event.preventDefault();
    const first = labels.find((label) => !label.hidden);
    if (!first) return;
    first.querySelector("input").checked = true;
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
    count();
  });
  const ticked = filter.form.querySelector(".ticked");
  const count = () => {
    const many = list.querySelectorAll("input:checked").length;
    ticked.textContent = many ? `(${many})` : "";
  };
  list.addEventListener("change", count);
  count();
}

// "Who is meant?" was asked about the name that stood there: with another name it is no question.
const meant = document.getElementById("who-is-meant");
if (meant) {
  const name = document.getElementById("walk-in");
  name.addEventListener("input", () => {
    meant.hidden = meant.disabled = name.value.trim() !== name.defaultValue.trim();
  });
}

// A form that is on its way is not sent again; the server would not do it twice either.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

for (const button of document.querySelectorAll("button.print")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// A decision that needs numbers unfolds their fields.
const needed = document.querySelector("[data-needed-by]");
needed?.closest("form").elements.decision.addEventListener("change", (event) => {
  if (needed.dataset.neededBy.split(" ").includes(event.target.value)) needed.open = true;
});

// A job that goes on is looked at again; who is typing is left in peace.
if (document.querySelector("[data-busy]")) {
  setInterval(() => {
    const busy = document.activeElement?.matches("input, select, textarea");
    if (!document.hidden && !busy) location.reload();
  }, EVERY);
}
