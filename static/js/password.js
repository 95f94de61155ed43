// Whoever chooses a password may look at what they type.
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (
  document.querySelectorAll("input[data-show]")
)) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary small reveal";
  button.setAttribute("aria-controls", field.id);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.textContent = isShown ? field.dataset.hide : field.dataset.show;
    button.setAttribute("aria-pressed", String(isShown));
  };
  show(false);
  button.addEventListener("click", () => show(field.type === "password"));
  // Sent as a password, so that the browser offers to keep it and no history of texts has it.
  field.form.addEventListener("submit", () => show(false));
  const row = document.createElement("div");
  row.className = "password-row";
  field.replaceWith(row);
  row.append(field, button);
}
