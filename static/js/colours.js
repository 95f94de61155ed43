// Four-colour suits: a choice of the person at this device, kept on this device.
const KEY = "painsuit-suits";
const root = document.documentElement;
const button = document.querySelector(".four-colours");

function remembered() {
  try {
    return localStorage.getItem(KEY) === "four";
  } catch {
    return false; // storage is switched off: the choice lasts for this page
  }
}

function show(four) {
  root.toggleAttribute("data-suits", four);
  if (four) root.dataset.suits = "four";
  button.setAttribute("aria-pressed", String(four));
}

show(remembered());
button.addEventListener("click", () => {
  const four = root.dataset.suits !== "four";
  show(four);
  try {
    localStorage.setItem(KEY, four ? "four" : "two");
  } catch {
    // as above
  }
});
