// A gong, for whoever wants one: browsers let a page sound only after somebody pressed something.
const KEY = "painsuit-sound";
const GONG = [880, 660, 880]; // hertz, one stroke after the other
const BELL = [1320];
const STROKE = 0.45; // seconds
const button = document.querySelector("button.sound");
let context = null;

function isWanted() {
  return button?.getAttribute("aria-pressed") === "true";
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is switched off: the choice lasts for this page
  }
}

function remember(wanted) {
  try {
    localStorage.setItem(KEY, wanted ? "on" : "off");
  } catch {
    // as above
  }
}

// Called by what somebody presses; a browser lets no other call succeed.
function wake() {
  if (!isWanted()) return;
  context ??= new AudioContext();
  context.resume();
}

function play(strokes) {
  if (!isWanted() || context?.state !== "running") return;
  strokes.forEach((hertz, number) => {
    const start = context.currentTime + number * STROKE;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0.4, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + STROKE);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + STROKE);
  });
}

export const gong = () => play(GONG);
export const bell = () => play(BELL);

if (button && "AudioContext" in globalThis) {
  button.setAttribute("aria-pressed", String(remembered()));
  button.addEventListener("click", () => {
    const wanted = !isWanted();
    button.setAttribute("aria-pressed", String(wanted));
    remember(wanted);
    wake();
    bell();
  });
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
}
addEventListener("painsuit:zero", gong);
