// Buttons that copy what the field that they name holds, and say so for a moment.
for (const button of document.querySelectorAll("button.copy")) {
  const field = document.getElementById(button.dataset.from);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // without TLS there is no clipboard to write to
    }
    const label = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
    }, 1600);
  });
}
