// The text that other sites paste to show a hand: it opens where the play stands here, and can be
// copied.
/** @type {HTMLTextAreaElement} */
const field = document.querySelector(".embed .code");
/** @type {HTMLElement | null} */
const board = document.querySelector("#answer .board");

function follow() {
  const source = new URL(field.value.match(/src="([^"]*)"/)[1]);
  const place = board.dataset.place;
  source.search = place.split(".")[1] === "0" ? "" : `?at=${place}`;
  field.value = field.value.replace(/src="[^"]*"/, `src="${source.href}"`);
}

if (board?.dataset.place) follow();
document.getElementById("answer").addEventListener("painsuit:step", follow);
