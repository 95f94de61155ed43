// The text that other sites paste to show a hand: it opens where the play stands here, and can be
// copied.
const field = document.querySelector(".embed .code");
const copy = document.querySelector(".embed .copy");
const board = document.querySelector("#answer .board");

function follow() {
  const source = new URL(field.value.match(/src="([^"]*)"/)[1]);
  const place = board.dataset.place;
  source.search = place.split(".")[1] === "0" ? "" : `?at=${place}`;
  field.value = field.value.replace(/src="[^"]*"/, `src="${source.href}"`);
}

if (board?.dataset.place) follow();
document.getElementById("answer").addEventListener("painsuit:step", follow);

copy.hidden = false;
copy.addEventListener("click", async () => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without TLS there is no clipboard to write to
  }
  const label = copy.textContent;
  copy.textContent = copy.dataset.done;
  setTimeout(() => {
    copy.textContent = label;
  }, 1600);
});
