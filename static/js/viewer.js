// The hand viewer beside player.js: the address names the card that is shown, so that a link to it
// can be copied from the browser at any moment.
const answer = document.getElementById("answer");
/** @param {string} place */
const trickOf = (place) => Number(place.split(".")[1]);

answer.addEventListener("painsuit:step", () => {
  const places = /** @type {HTMLElement[]} */ ([
    ...answer.querySelectorAll(".board[data-place]"),
  ]).map((one) => one.dataset.place);
  // Where one of two tables has played to its end, the other goes on.
  const place = places.reduce((one, other) => (trickOf(other) > trickOf(one) ? other : one));
  const address = new URL(location.href);
  address.search = trickOf(place) ? `?at=${place}` : "";
  address.hash = "";
  if (address.href !== location.href) history.replaceState(null, "", address);
});
