// The form of a night: only tables that the house rules allow are offered, a choice of other house
// rules brings what was usual under them, in fields that nobody has changed, and the server says
// anew what the answers come to.
const PAUSE = 400; // milliseconds without a change before it is asked
const data = JSON.parse(document.getElementById("rule-data").textContent);
const form = /** @type {Field} */ (document.getElementById("id_rule_set")).form;
const changed = new Set();

function chosen() {
  const values = [form.elements.rule_set.value];
  for (const field of /** @type {NodeListOf<Field>} */ (
    form.querySelectorAll("[name^=round_rules_rounds_]")
  )) {
    const rules = form.elements[field.name.replace("_rounds_", "_chosen_")];
    if (field.value.trim() && rules.value) values.push(rules.value);
  }
  return values.filter((value) => data[value]);
}

function offerSizes() {
  const rules = chosen().map((value) => data[value].sizes);
  for (const box of /** @type {NodeListOf<Field>} */ (form.querySelectorAll("[name=sizes]"))) {
    const isAllowed = rules.every((sizes) => sizes.includes(Number(box.value)));
    box.closest("label").hidden = !isAllowed;
    box.disabled = !isAllowed;
    if (!isAllowed) box.checked = false;
  }
}

function fillIn(usual) {
  for (const [name, value] of Object.entries(usual)) {
    if (changed.has(name)) continue;
    for (const field of /** @type {NodeListOf<Field>} */ (
      form.querySelectorAll(`[name="${CSS.escape(name)}"]`)
    )) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.type !== "checkbox") field.value = value ?? "";
      else if (Array.isArray(value)) field.checked = value.includes(Number(field.value));
      else field.checked = Boolean(value);
    }
  }
}

let waiting;
let last = 0;

async function read() {
  const number = ++last;
  const body = new FormData(form);
  body.set("read", "1");
  try {
    const answer = await fetch(form.dataset.reads, { method: "POST", body });
    if (answer.redirected || !answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number === last) show(page);
  } catch {
    // no network for the moment: the words are those of before
  }
}

function show(page) {
  const fresh = page.querySelectorAll(".consequence, .more > summary .help");
  const shown = form.querySelectorAll(".consequence, .more > summary .help");
  for (const [place, words] of shown.entries()) words.textContent = fresh[place].textContent;
}

form.addEventListener("input", (/** @type {EventAt<Field>} */ { target }) => {
  changed.add(target.name);
  clearTimeout(waiting);
  waiting = setTimeout(read, PAUSE);
});
form.addEventListener("change", (/** @type {EventAt<Field>} */ { target }) => {
  if (target.name === "rule_set") fillIn(data[target.value]?.usual ?? {});
  if (/^(rule_set|round_rules_)/.test(target.name)) offerSizes();
});
offerSizes();
