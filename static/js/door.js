// Check-in at the door: the list of names gets shorter while one is typed.
import { folder } from "./folding.js";

const filter = /** @type {HTMLInputElement | null} */ (document.getElementById("door-filter"));
if (filter) {
  const fold = folder();
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".choices li")]);
  /** @type {HTMLElement} */
  const nobody = document.querySelector(".no-match");
  filter.addEventListener("input", () => {
    const sought = fold(filter.value);
    for (const item of items) item.hidden = !fold(item.textContent).includes(sought);
    nobody.hidden = items.some((item) => !item.hidden);
  });
  // Enter here must not press the first of all names: it goes to the one that is left.
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const left = items.filter((item) => !item.hidden);
    if (left.length === 1) left[0].querySelector("button").focus();
  });
  // Before this script was here, Enter would have sent the form.
  filter.disabled = false;
}
