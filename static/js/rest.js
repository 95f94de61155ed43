// The number of the last seat follows from those of the others, while they are typed.
/** @type {HTMLElement | null} */
const counts = document.querySelector("[data-whole]");

function follow() {
  const suit = /** @type {Form} */ (counts.closest("form")).elements.pain?.value;
  const whole = Number(counts.dataset[`whole${suit ?? ""}`] ?? counts.dataset.whole);
  const taken = [...counts.querySelectorAll("input")].map((input) => Number(input.value) || 0);
  const left = taken.reduce((rest, one) => rest - one, whole);
  const output = counts.querySelector("output");
  output.textContent = String(left).replace("-", "−");
  output.classList.toggle("minus", left < 0);
}

if (counts) {
  counts.closest("form").addEventListener("input", follow);
  follow(); // something may have been typed before this came
}
