// A double tap counts once: the second one was meant for what stood there before the first.
const PAUSE = 250; // milliseconds
const NEAR = 24; // pixels: two taps of one finger
let last = { at: -PAUSE, x: 0, y: 0 };

export function noteTap(event) {
  if (!event.detail) return; // a key, or a program
  const { timeStamp: at, clientX: x, clientY: y } = event;
  const isSamePlace = Math.hypot(x - last.x, y - last.y) < NEAR;
  if (at - last.at >= PAUSE || !isSamePlace) {
    last = { at, x, y };
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener("click", noteTap, true);
