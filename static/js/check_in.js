// Check-in: names are found while they are typed, and entered without leaving the page.
import { folder } from "./folding.js";

const people = document.getElementById("people");
const box = /** @type {Field | null} */ (document.getElementById("walk-in"));
const OFFERED = 8; // names at a time

const fold = folder();

const make = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// The list of ticks: counted, and found by name.
const list = people?.querySelector(".tick-list");
const count = () => {
  const many = list.querySelectorAll("input:checked").length;
  people.querySelector(".ticked").textContent = many ? `(${many})` : "";
};
const filter = /** @type {Field | null} */ (document.getElementById("filter"));
if (list && filter) {
  const labels = () => [...list.querySelectorAll("label")];
  filter.addEventListener("input", () => {
    const sought = fold(filter.value);
    for (const label of labels()) label.hidden = !fold(label.textContent).includes(sought);
  });
  // Enter ticks the first that is left, and is ready for the next name.
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !filter.value.trim()) return;
    event.preventDefault();
    const first = labels().find((label) => !label.hidden && !label.querySelector(":disabled"));
    if (!first) return;
    first.querySelector("input").checked = true;
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
    count();
  });
  list.addEventListener("change", count);
  count();
  // Before this script was here, Enter would have sent the form.
  filter.disabled = false;
}

// Everything that a form of these parts changes is on the page that answers it.
let status = people?.querySelector(".said-here");
/**
 * @param {Document} page
 * @param {boolean} isNews
 */
function show(page, isNews = false) {
  for (const part of ["entered", "outdated"]) {
    const [old, fresh] = [document, page].map((one) => one.getElementById(part));
    if (!old || !fresh) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const words = focused?.getAttribute("aria-label");
    const row = focused && [...old.querySelectorAll("li")].indexOf(focused.closest("li"));
    old.replaceChildren(...fresh.childNodes);
    if (!focused) continue;
    /** @type {HTMLElement | null} */
    const again =
      (words && old.querySelector(`[aria-label="${CSS.escape(words)}"]`)) ||
      old.querySelectorAll("li")[row]?.querySelector("button") ||
      box;
    again?.focus();
  }
  people.querySelector(".counts-line").replaceWith(page.querySelector("#people .counts-line"));
  const choices = page.getElementById("choices");
  if (choices) document.getElementById("choices").textContent = choices.textContent;
  if (list) {
    const left = new Set(
      /** @type {Field[]} */ ([...page.querySelectorAll(".tick-list input")]).map(
        (one) => one.value,
      ),
    );
    for (const input of list.querySelectorAll("input")) {
      if (!left.has(input.value)) input.closest("label").remove();
    }
    count();
  }
  // What somebody looks at beside it, and its version, stay as they were seen.
  if (isNews) return;
  const play = [document, page].map((one) => one.getElementById("play"));
  // A round that is played looks after itself (desk.js).
  if (!play.some((one) => !one || one.querySelector("#floor"))) play[0].replaceWith(play[1]);
  for (const name of ["version", "key"]) {
    const fresh = /** @type {Field | null} */ (page.querySelector(`#people input[name=${name}]`))
      ?.value;
    if (fresh === undefined) continue; // a page without forms: the night was ended elsewhere
    for (const field of /** @type {NodeListOf<Field>} */ (
      document.querySelectorAll(`form input[name=${name}]`)
    ))
      field.value = fresh;
  }
}

/**
 * @param {string} form
 * @param {FormData} data
 */
async function send(form, data) {
  const answer = await fetch(form, { method: "POST", body: data, redirect: "follow" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // Signed out, or something that this page does not know: the browser shows it.
  if (!page.getElementById("people")) throw new Error("another page");
  const wrong = page.querySelector("main > .problem, #walk-in-wrong")?.textContent.trim();
  const said = page.querySelector("main > .said-so")?.textContent.trim() ?? "";
  show(page);
  return { page, wrong, said };
}

/** @param {string} words */
function say(words) {
  status.textContent = words;
}

// Leaving, coming back and paying, each with one click and without losing the place.
if (people) {
  status = make("p", { class: "said-here", role: "status" });
  people.querySelector(".add-one")?.append(status);
  people.addEventListener(
    "submit",
    async (/** @type {Sending} */ event) => {
      const button = event.submitter;
      if (!button?.closest("#entered")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const form = event.target;
      if (form.dataset.busy) return;
      form.dataset.busy = "yes";
      const address = button.getAttribute("formaction") ?? form.getAttribute("action");
      const data = new FormData(form);
      data.append(button.name, button.value);
      try {
        const { wrong, said } = await send(address, data);
        say(wrong ?? said);
      } catch {
        say(people.dataset.offline);
      } finally {
        delete form.dataset.busy;
      }
    },
    true,
  );
}

// While the door is open others check in too.
if (people?.dataset.live) {
  setInterval(async () => {
    if (document.hidden || document.querySelector("[data-busy], .saving")) return;
    try {
      const answer = await fetch(location.pathname);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (page.getElementById("people")) show(page, true);
    } catch {
      // no network for the moment: what stands here stays
    }
  }, 5000);
}

// Names: what is typed is looked for, Enter enters it, and the field is ready for the next one.
if (box) {
  const form = box.form;
  const offered = document.getElementById("suggestions");
  const unsettled = document.getElementById("unsettled");
  const words = offered.dataset;
  const queue = [];
  let at = -1;
  let running = false;
  box.removeAttribute("list");
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": offered.id,
    "aria-expanded": "false",
  })) {
    box.setAttribute(name, value);
  }
  // The question that the page came with stays a form of its own.
  const asked = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("who-is-meant"));

  const known = () =>
    JSON.parse(document.getElementById("choices").textContent).map(([player, name, state]) => ({
      player,
      name,
      state,
      folded: fold(name),
    }));

  // Each part that is typed begins another word of the name; the longest has the first choice.
  function begins(parts, name) {
    const own = name.split(/[ \-(]/u);
    return parts.every((part) => {
      const place = own.findIndex((word) => word.startsWith(part));
      return place >= 0 && own.splice(place, 1).length;
    });
  }

  function find(typed) {
    const sought = fold(typed);
    const parts = sought.split(" ").sort((one, other) => other.length - one.length);
    const found = [];
    for (const one of known()) {
      const same = one.folded === sought;
      const isBegun = begins(parts, one.folded);
      if (same || isBegun || one.folded.includes(sought)) {
        // Who is here already is meant less often.
        const late = one.state === "here" ? 0.5 : 0;
        const rank = same ? 0 : one.folded.startsWith(sought) ? 1 : isBegun ? 1.2 : 3;
        found.push({ ...one, rank: rank && rank + late });
      }
    }
    found.sort((one, other) => one.rank - other.rank || one.name.localeCompare(other.name));
    return found.slice(0, OFFERED);
  }

  function close() {
    offered.hidden = true;
    at = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function mark(place) {
    const options = [...offered.children];
    at = options.length ? (place + options.length) % options.length : -1;
    for (const [number, option] of options.entries())
      option.setAttribute("aria-selected", /** @type {any} */ (number === at));
    if (at < 0) return box.removeAttribute("aria-activedescendant");
    box.setAttribute("aria-activedescendant", options[at].id);
    options[at].scrollIntoView({ block: "nearest" });
  }

  function offer() {
    const typed = box.value.trim();
    if (!typed) return close();
    const found = find(typed);
    const options = found.map((one, number) => {
      const option = make(
        "li",
        { role: "option", id: `suggestion-${number}` },
        make("bdi", {}, one.name),
      );
      option.dataset.player = one.player;
      option.dataset.name = one.name;
      option.dataset.state = one.state;
      const state = one.state === "here" ? words.here : one.state === "barred" ? words.barred : "";
      if (state) option.append(" ", make("small", { class: "badge" }, state));
      return option;
    });
    if (!found.some((one) => one.rank === 0)) {
      const text = words.new.replace("{name}", () => typed);
      const option = make("li", { role: "option", id: "suggestion-new", class: "is-new" }, text);
      option.dataset.name = typed;
      options.push(option);
    }
    offered.replaceChildren(...options);
    offered.hidden = false;
    box.setAttribute("aria-expanded", "true");
    // A part of a name in the middle of a word is offered, but not taken by Enter alone.
    mark(found.length && found[0].rank < 3 ? 0 : options.length - 1);
  }

  function choose(option, isSure) {
    const data = new FormData(form);
    data.delete("who");
    data.delete("asked");
    data.set("name", option?.dataset.name ?? box.value.trim());
    if (option?.dataset.player) data.set("player", option.dataset.player);
    else if (isSure) data.set("who", "new");
    box.value = "";
    box.removeAttribute("aria-invalid");
    document.getElementById("walk-in-wrong")?.remove();
    form.elements.later.checked = false;
    asked?.remove();
    close();
    enqueue(data);
  }

  function enqueue(data) {
    const name = data.get("name");
    const item = make(
      "li",
      { class: "saving" },
      words.saving.replace("{name}", () => name),
    );
    unsettled.append(item);
    unsettled.hidden = false;
    queue.push({ data, item, name });
    work();
  }

  function settle(item) {
    const hadFocus = item.contains(document.activeElement);
    item.remove();
    unsettled.hidden = !unsettled.children.length;
    if (hadFocus) box.focus();
  }

  function key(label, act, kind = "alt") {
    const button = make("button", { type: "button", class: `${kind} small` }, label);
    button.addEventListener("click", act);
    return button;
  }

  function keep(one, text, ...buttons) {
    one.item.className = "";
    const drop = key(words.drop, () => settle(one.item), "txt");
    one.item.replaceChildren(make("span", {}, text), ...buttons, drop);
  }

  function ask(one, question) {
    const buttons = [...question.querySelectorAll("input[name=who]")].map((choice) =>
      key(choice.closest("label").textContent.trim().replace(/\s+/gu, " "), () => {
        one.data.set("who", choice.value);
        one.data.set("asked", one.name);
        settle(one.item);
        enqueue(one.data);
      }),
    );
    keep(
      one,
      words.meant.replace("{name}", () => one.name),
      ...buttons,
    );
  }

  async function work() {
    if (running) return;
    running = true;
    while (queue.length) {
      const one = queue[0];
      // Each name is a form of its own; the key of the last page that was read makes it one.
      if (!one.isSent) one.data.set("key", form.elements.key.value);
      one.isSent = true;
      const again = () => {
        settle(one.item);
        one.isSent = false;
        enqueue(one.data);
      };
      try {
        const { page, wrong, said } = await send(form.getAttribute("action"), one.data);
        const question = page.getElementById("who-is-meant");
        if (question) ask(one, question);
        else if (wrong) keep(one, `${one.name}: ${wrong}`, key(words.again, again));
        else settle(one.item);
        if (said) say(said);
      } catch {
        const retry = () => {
          settle(one.item);
          enqueue(one.data);
        };
        keep(
          one,
          words.waiting.replace("{name}", () => one.name),
          key(words.again, retry),
        );
      }
      queue.shift();
    }
    running = false;
  }

  box.addEventListener("input", () => {
    if (asked) asked.hidden = asked.disabled = box.value.trim() !== box.defaultValue.trim();
    offer();
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (offered.hidden) offer();
      else mark(at + (event.key === "ArrowDown" ? 1 : -1));
      box.dataset.moved = "yes";
    } else if (event.key === "Escape") {
      if (offered.hidden) box.value = "";
      close();
    } else if (event.key !== "Enter") {
      delete box.dataset.moved;
    }
  });
  box.addEventListener("blur", close);
  // Not "click", before which the field would have lost its focus.
  offered.addEventListener("pointerdown", (/** @type {EventAt<Element, PointerEvent>} */ event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) choose(option, true);
  });
  form.addEventListener(
    "submit",
    (event) => {
      if (asked && !asked.disabled && form.contains(asked)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const option = offered.hidden ? null : offered.children[at];
      const moved = box.dataset.moved;
      delete box.dataset.moved;
      if (box.value.trim()) choose(option, Boolean(moved));
      box.focus();
    },
    true,
  );
  addEventListener("beforeunload", (event) => {
    if (unsettled.children.length) event.preventDefault();
  });
}
