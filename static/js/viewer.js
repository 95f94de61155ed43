// The hand viewer beside player.js: the address names the trick that is shown, so that a link to
// it can be copied from the browser at any moment; notes outside the table lead to their trick.
const answer = document.getElementById("answer");

answer.addEventListener("painsuit:step", () => {
  const place = answer.querySelector(".board").dataset.place;
  const [, trick] = place.split(".");
  const address = new URL(location.href);
  address.search = trick === "0" ? "" : `?at=${place}`;
  address.hash = "";
  if (address.href !== location.href) history.replaceState(null, "", address);
});

for (const link of document.querySelectorAll(".made [data-goto], .made [data-goto-trick]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const { goto, gotoTrick } = link.dataset;
    const twin = goto
      ? null
      : answer.querySelector(`.tricks [data-goto-trick="${gotoTrick}"]`);
    if (!twin) return; // the link itself leads there
    event.preventDefault();
    twin.click();
  });
}
