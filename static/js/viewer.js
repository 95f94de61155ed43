// The hand viewer beside player.js: the address names the card that is shown, so that a link to it
// can be copied from the browser at any moment.
const answer = document.getElementById("answer");

answer.addEventListener("painsuit:step", () => {
  const place = answer.querySelector(".board").dataset.place;
  const [, trick] = place.split(".");
  const address = new URL(location.href);
  address.search = trick === "0" ? "" : `?at=${place}`;
  address.hash = "";
  if (address.href !== location.href) history.replaceState(null, "", address);
});
