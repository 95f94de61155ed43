// Forms of the desk are sent once.
const EVERY = 5000; // milliseconds between two looks at a job

// A form that is on its way is not sent again; the server would not do it twice either.
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll("form[method=post]")
)) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
    document.querySelectorAll("form[data-sent]")
  ))
    delete form.dataset.sent;
});

for (const button of document.querySelectorAll("button.print")) {
  button.addEventListener("click", () => print());
}
addEventListener("beforeprint", () => {
  for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll("details.prints")
  ))
    fold.open = true;
});

// A decision that needs numbers unfolds their fields.
/** @type {({ closest(selector: "form"): Form } & HTMLDetailsElement) | null} */
const needed = document.querySelector("[data-needed-by]");
needed
  ?.closest("form")
  .elements.decision.addEventListener(
    "change",
    (/** @type {EventAt<HTMLInputElement>} */ event) => {
      if (needed.dataset.neededBy.split(" ").includes(event.target.value)) needed.open = true;
    },
  );

// A job that goes on is looked at again; who is typing is left in peace.
if (document.querySelector("[data-busy]")) {
  setInterval(() => {
    const busy = document.activeElement?.matches("input, select, textarea");
    if (!document.hidden && !busy) location.reload();
  }, EVERY);
}

// What says how something is now is looked at again, and replaced where nobody has the focus.
async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-refresh]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || part.contains(document.activeElement)) continue;
    if (part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
  }
}
if (document.querySelector("[data-refresh]")) setInterval(refresh, EVERY);
