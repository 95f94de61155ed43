// SHA-256 of a text (FIPS 180-4). The browser's own is not there on a page without TLS.
const FRACTION = 2 ** 32;
const primes = [];
for (let number = 2; primes.length < 64; number += 1) {
  if (primes.every((prime) => number % prime)) primes.push(number);
}
const fraction = (value) => Math.floor((value - Math.floor(value)) * FRACTION) >>> 0;
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function padded(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setUint32(whole.length - 4, bytes.length * 8);
  return new DataView(whole.buffer);
}

function scheduled(view, start) {
  const words = Array.from({ length: 16 }, (_, place) => view.getUint32(start + place * 4));
  for (let place = 16; place < 64; place += 1) {
    const [early, late] = [words[place - 15], words[place - 2]];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[place - 16] + first + words[place - 7] + second) >>> 0);
  }
  return words;
}

function block(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[round] + words[round]) >>> 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + state[place]) >>> 0);
}

// 64 hexadecimal digits.
export function sha256(text) {
  const view = padded(text);
  let state = START;
  for (let start = 0; start < view.byteLength; start += 64) {
    state = block(state, scheduled(view, start));
  }
  return state.map((word) => word.toString(16).padStart(8, "0")).join("");
}
