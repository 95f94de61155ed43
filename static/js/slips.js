// Score slips: pictures are sent one by one, and a slip is reviewed with keys and taps.
const SIDE_MAX = 2400; // pixels: what four slips need to be read, and half of what phones take
const BYTES_MIN = 1_200_000; // bytes from which on a picture is made smaller
const POLL = 1000; // milliseconds between two looks at pictures that are being read
const TYPING = 700; // milliseconds in which a second digit belongs to the first

const intake = /** @type {HTMLFormElement | null} */ (document.querySelector(".slip-intake"));
const review = /** @type {HTMLFormElement | null} */ (document.getElementById("slip"));

// Pictures.

/** Make a picture small enough for a slow line; what no browser can open is sent as it is. */
async function shrink(/** @type {File} */ file) {
  if (!file.type.startsWith("image/")) return file;
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(
    () => null,
  );
  const side = picture ? Math.max(picture.width, picture.height) : 0;
  if (!picture || (side <= SIDE_MAX && file.size <= BYTES_MIN)) return file;
  const scale = Math.min(1, SIDE_MAX / side);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return blob ? new File([blob], `${file.name}.jpg`, { type: "image/jpeg" }) : file;
}

/** Show the pile as a page has it now. */
function showPile(/** @type {Document} */ page) {
  const [old, fresh] = [document, page].map((one) => one.getElementById("pile"));
  if (!old || !fresh || old.innerHTML === fresh.innerHTML) return;
  const hadFocus = old.contains(document.activeElement);
  old.replaceWith(fresh);
  if (hadFocus) fresh.querySelector("a")?.focus();
  pollReading();
}

async function readPage(/** @type {Response} */ answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

let timer = 0;
/** Look again while pictures are being read. */
function pollReading() {
  clearTimeout(timer);
  if (!document.querySelector("#pile[data-busy]")) return;
  timer = setTimeout(async () => {
    const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
    if (answer?.ok && !answer.redirected) showPile(await readPage(answer));
    pollReading();
  }, POLL);
}

let sending = Promise.resolve();
let total = 0;
let sent = 0;
/** @type {Map<File, string>} The pictures that did not get through, and why. */
const failed = new Map();

/** Send a picture. Returns why it did not get through, else nothing. */
async function sendPicture(/** @type {File} */ file) {
  const data = new FormData(intake);
  data.delete("pictures");
  data.append("pictures", await shrink(file));
  data.append("take", "1");
  const answer = await fetch(intake.action, { method: "POST", body: data }).catch(() => null);
  const page = answer && (await readPage(answer).catch(() => null));
  const hasPile = Boolean(page?.getElementById("pile")); // the page to sign in has none
  if (page) showPile(page);
  const wrong = page?.querySelector(".field-error, .problem[role=alert]:not([hidden])");
  if (answer?.ok) return hasPile ? "" : intake.dataset.signedOut;
  return wrong?.textContent.trim() || intake.dataset.failed;
}

/** Name the pictures that did not get through. */
function listFailed() {
  const box = /** @type {HTMLElement} */ (intake.querySelector(".slip-failed"));
  const items = [...failed].map(([file, why]) => {
    const item = document.createElement("li");
    item.textContent = `${file.name}: ${why}`;
    return item;
  });
  box.querySelector("ul").replaceChildren(...items);
  box.hidden = failed.size === 0;
}

function send(/** @type {Iterable<File>} */ files, status = intake.querySelector(".said-here")) {
  const say = (/** @type {string} */ words) => {
    status.textContent = words.replace("{n}", String(sent + 1)).replace("{all}", String(total));
  };
  for (const file of files) {
    total += 1;
    sending = sending.then(async () => {
      say(intake.dataset.sending);
      const why = await sendPicture(file).catch(() => intake.dataset.failed);
      sent += 1;
      if (why) failed.set(file, why);
      if (sent < total) return;
      total = sent = 0;
      listFailed();
      say(failed.size ? intake.dataset.missing : intake.dataset.sent);
    });
  }
}

/** Send the pictures again that did not get through; perhaps somebody signed in meanwhile. */
async function sendAgain() {
  const files = [...failed.keys()];
  failed.clear();
  const answer = await fetch(location.href).catch(() => null);
  const page = answer && (await readPage(answer).catch(() => null));
  /** @type {NodeListOf<HTMLInputElement>} */
  const fresh = page?.querySelectorAll(".slip-intake input[type=hidden]") ?? null;
  for (const input of fresh ?? []) {
    const old = intake.elements.namedItem(input.name);
    if (old instanceof HTMLInputElement) old.value = input.value;
  }
  send(files);
  listFailed();
}

function isOfFiles(/** @type {DragEvent} */ event) {
  return [...(event.dataTransfer?.types ?? [])].includes("Files");
}

function setUpIntake() {
  const field = /** @type {HTMLInputElement} */ (intake.elements.namedItem("pictures"));
  field.addEventListener("change", () => {
    send([...field.files]);
    field.value = "";
  });
  intake.noValidate = true;
  intake.addEventListener("submit", (event) => {
    event.preventDefault();
    field.click();
  });
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (/** @type {DragEvent} */ event) => {
      if (!isOfFiles(event)) return;
      event.preventDefault();
      intake.classList.add("is-over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) intake.classList.remove("is-over");
  });
  document.addEventListener("drop", (event) => {
    if (!isOfFiles(event)) return;
    event.preventDefault();
    intake.classList.remove("is-over");
    send([...event.dataTransfer.files]);
  });
  document.addEventListener("paste", (event) => send([...(event.clipboardData?.files ?? [])]));
  intake.querySelector(".slip-failed button").addEventListener("click", sendAgain);
  addEventListener("beforeunload", (event) => {
    if (sent < total || failed.size) event.preventDefault();
  });
}

/** The camera of a laptop, or of a phone on a stand: one picture after the other. */
function setUpCamera() {
  const button = /** @type {HTMLButtonElement} */ (intake.querySelector("[data-camera]"));
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector(".slip-camera"));
  const video = dialog.querySelector("video");
  const status = dialog.querySelector(".said-here");
  if (!navigator.mediaDevices?.getUserMedia) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const wanted = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
    const stream = await navigator.mediaDevices.getUserMedia({ video: wanted }).catch(() => null);
    if (!stream) {
      intake.querySelector(".said-here").textContent = button.dataset.camera;
      return;
    }
    video.srcObject = stream;
    dialog.showModal();
    await video.play();
  });
  dialog.querySelector("[data-take]").addEventListener("click", () => {
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d").drawImage(video, 0, 0);
    canvas.toBlob(
      (blob) => send([new File([blob], "camera.jpg", { type: "image/jpeg" })], status),
      "image/jpeg",
      0.9,
    );
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    for (const track of /** @type {MediaStream | null} */ (video.srcObject)?.getTracks() ?? [])
      track.stop();
    video.srcObject = null;
  });
}

// One slip.

let typed = "";
let typing = 0;

/** Answer with a number as it is written; 1 waits a moment where 12 is an answer too. */
function typeKey(/** @type {string} */ key) {
  clearTimeout(typing);
  const buttons = /** @type {HTMLButtonElement[]} */ ([...review.querySelectorAll("[data-key]")]);
  const starting = (/** @type {string} */ text) =>
    buttons.filter((one) => one.dataset.key.startsWith(text));
  typed = starting(typed + key).length ? typed + key : key;
  const chosen = buttons.find((one) => one.dataset.key === typed);
  const press = () => {
    typed = "";
    chosen?.click();
  };
  if (chosen && starting(typed).length === 1) press();
  else typing = setTimeout(press, TYPING);
}

function press(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter") {
    // A key that is held down accepts one slip, not the whole pile.
    if (event.repeat) event.preventDefault();
    else if (!target.closest("a, button, summary, input")) {
      /** @type {HTMLButtonElement | null} */ (review.querySelector("[data-enter]"))?.click();
    }
  } else if (/^[0-9x]$/.test(event.key) && !event.repeat) {
    typeKey(event.key);
  } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    const links = [...document.querySelectorAll(".slip-strip a")];
    const here = links.findIndex((one) => one.hasAttribute("aria-current"));
    const step = event.key === "ArrowRight" ? 1 : -1;
    /** @type {HTMLAnchorElement | undefined} */ (links[here + step])?.click();
  }
}

function setUpReview() {
  document.addEventListener("keydown", press);
  review.addEventListener("click", (event) => {
    const circle = /** @type {Element} */ (event.target).closest("[data-change]");
    if (!(circle instanceof SVGElement)) return;
    const change = CSS.escape(circle.dataset.change);
    /** @type {HTMLButtonElement | null} */
    (review.querySelector(`button[name=answer][value="${change}"]`))?.click();
  });
  review.addEventListener("submit", (event) => {
    if (review.dataset.sent) event.preventDefault();
    review.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => delete review.dataset.sent);
}

if (intake) {
  setUpIntake();
  setUpCamera();
  pollReading();
}
if (review) setUpReview();
