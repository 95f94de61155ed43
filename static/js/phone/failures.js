// What fails on this page takes nothing else with it: it is shown in its place, kept, and reported
// to the log of the service as soon as there is a network.
import { authorization, NoNetwork, request } from "./api.js";
import { el } from "./dom.js";
import { page } from "./page.js";
import { sayOr } from "./words.js";

const KEPT = 5; // different failures of one page; more say nothing new
const LETTERS_MOST = 500;
const STACK_MOST = 4000;
const known = new Set();
let unsent = [];

// Draw one part of the page; where it cannot be drawn, gives a sentence in its place.
export function safely(part, make) {
  try {
    return make();
  } catch (error) {
    noteFailure(part, error);
    return el("p", { class: "problem", role: "alert" }, sayOr("part failed", part));
  }
}

export function noteFailure(part, error) {
  const message = `${part}: ${error?.message ?? error}`;
  if (known.has(message)) return;
  known.add(message);
  console.error(error);
  if (known.size <= KEPT) unsent.push({ message: message.slice(0, LETTERS_MOST), stack: String(error?.stack ?? "").slice(0, STACK_MOST) });
}

export async function sendFailures() {
  const { table } = page;
  if (!table?.token || !unsent.length) return;
  const [now, ...more] = unsent;
  const body = JSON.stringify(now);
  try {
    await request("/t/failures", { as: authorization(table), body });
    unsent = more;
  } catch (error) {
    if (!(error instanceof NoNetwork)) throw error;
  }
}
