// Buttons that copy what the field that they name holds, or the file at their address, and say so.
for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll("button.copy")
)) {
  const news = button.parentElement.querySelector("[role=status]");
  const label = button.textContent;
  let shown;
  button.addEventListener("click", async () => {
    const isCopied = await copy(button);
    const words = isCopied ? button.dataset.done : button.dataset.failed || label;
    // What a button is called is not read out when it changes; a status is.
    (news || button).textContent = words;
    clearTimeout(shown);
    shown = setTimeout(() => {
      if (!news) button.textContent = label;
      else if (isCopied) news.textContent = "";
    }, 1600);
  });
}

/** @param {HTMLElement} button */
async function copy(button) {
  try {
    const text = await textFor(button);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return select(text); // without TLS there is no clipboard to write to
    }
    return true;
  } catch {
    return false;
  }
}

/** @param {HTMLElement} button */
async function textFor(button) {
  if (button.dataset.from)
    return /** @type {Field} */ (document.getElementById(button.dataset.from)).value;
  const answer = await fetch(button.dataset.address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

/** @param {string} text */
function select(text) {
  const field = document.createElement("textarea");
  const before = /** @type {HTMLElement} */ (document.activeElement);
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus();
  return isCopied;
}
