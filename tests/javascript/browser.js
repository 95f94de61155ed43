// What modules of the phone find in a browser when they are loaded, for tests that draw nothing.
// Import this before them.
import { webcrypto } from "node:crypto";

const WORDS = {
  "seat N": "North",
  "buys in again": "{seat} buys {bought}",
  "paid less": "{seat} paid {paid} of {owed}",
  "paid nothing": "{seat} owes {owed}",
};

globalThis.document = {
  documentElement: { lang: "en" },
  getElementById: (id) => (id === "words" ? { textContent: JSON.stringify(WORDS) } : null),
  querySelectorAll: () => [],
  addEventListener() {},
};
globalThis.crypto ??= webcrypto; // Node.js 18 has it in a module alone

// A clock that ticks keeps no test from ending.
const { setInterval: tick } = globalThis;
globalThis.setInterval = (...call) => tick(...call).unref();
