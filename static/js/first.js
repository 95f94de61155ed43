// The pages of the first night: the code comes with the address, a list is read as it is pasted.
const PAUSE = 250; // milliseconds without a key before the list is read
const code = /** @type {Field | null} */ (document.getElementById("id_code"));

function takeCode() {
  // Behind the # of an address stands what browsers send to no server.
  const found = decodeURIComponent(location.hash.slice(1));
  if (found) code.value = found;
}

if (code) {
  if (!code.value) takeCode();
  window.addEventListener("hashchange", takeCode);
  // A redirect would carry it on into the addresses of the pages that follow.
  code.form.addEventListener("submit", () => history.replaceState(null, "", location.pathname));
}

/** @type {Form | null} */
const form = document.querySelector("form[data-reads]");
if (form) {
  const parts = ["reading", "plan"].map((id) => document.getElementById(id));
  let waiting;
  let last = 0;

  const read = async () => {
    const number = ++last;
    const body = new FormData(form);
    body.set("read", "1");
    try {
      const answer = await fetch(form.dataset.reads, { method: "POST", body });
      if (answer.redirected) return location.reload();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (number !== last || !answer.ok) return;
      show(page);
    } catch {
      // no network for the moment: the button that starts reads the list as well
    }
  };

  const show = (page) => {
    const names = /** @type {Field} */ (document.getElementById("id_names"));
    const file = /** @type {Field} */ (document.getElementById("id_file"));
    if (file.files.length) {
      names.value = page.getElementById("id_names").value;
      if (!page.getElementById("id_file_error")) file.value = "";
    }
    const focused = /** @type {Field | null} */ (document.activeElement);
    const mark = focused?.closest("#reading") && [focused.name, focused.value];
    for (const part of parts) {
      const fresh = page.getElementById(part.id).innerHTML;
      if (fresh !== part.innerHTML) part.innerHTML = fresh;
    }
    const error = page.querySelector("#id_names_error, #id_file_error");
    form.querySelector(".list-error").textContent = error?.textContent ?? "";
    if (!mark) return;
    const same = `input[name="${CSS.escape(mark[0])}"][value="${CSS.escape(mark[1])}"]`;
    /** @type {Field | null} */ (document.querySelector(same))?.focus();
  };

  form.addEventListener("input", (/** @type {EventAt<Field, InputEvent>} */ event) => {
    clearTimeout(waiting);
    if (event.target.type === "file") return;
    const isPasted = event.inputType?.startsWith("insertFromPaste");
    waiting = setTimeout(read, isPasted || event.target.type === "radio" ? 0 : PAUSE);
  });
  document.getElementById("id_file").addEventListener("change", read);
  // A form that is on its way is not sent again; the server would not do it twice either.
  form.addEventListener("submit", (event) => {
    clearTimeout(waiting);
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", () => delete form.dataset.sent);
  // What the browser kept.
  if (/** @type {Field} */ (document.getElementById("id_names")).value.trim()) read();
}
