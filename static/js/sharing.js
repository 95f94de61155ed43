// A shared record: the link follows the trick that is shown, and can be copied; paper.
const answer = document.getElementById("answer");
const link = document.getElementById("link");
const copy = document.querySelector(".copy");
const print = document.querySelector(".print");
const plain = link.value;

function address({ record, trick, card }) {
  const url = new URL(plain);
  if (record > 1) url.searchParams.set("record", record);
  if (trick) url.searchParams.set("trick", trick);
  if (trick && card) url.searchParams.set("card", card);
  return url;
}

let begun = false;

answer.addEventListener("painsuit:step", ({ detail }) => {
  const url = address(detail);
  link.value = url.href;
  // The first step is the page itself: its address stays as it was opened.
  if (begun) history.replaceState(null, "", url.pathname + url.search);
  begun = true;
});

copy.hidden = false;
copy.addEventListener("click", async () => {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    document.execCommand("copy"); // without TLS there is no clipboard to write to
  }
  const label = copy.textContent;
  copy.textContent = copy.dataset.done;
  setTimeout(() => {
    copy.textContent = label;
  }, 1600);
});

print.hidden = false;
print.addEventListener("click", () => window.print());
