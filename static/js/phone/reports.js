// What failed on this page is reported to the log of the service, once each, when there is a network.
import { authorization, request } from "./api.js";
import { failures } from "./failures.js";
import { page } from "./page.js";

const MOST = 5; // different failures of one page; more say nothing new
const LETTERS_MOST = 500;
const STACK_MOST = 4000;
const known = new Set();

export async function sendFailures() {
  const { table } = page;
  if (!table?.token) return;
  while (failures.length) {
    const [part, error] = failures[0];
    const message = `${part}: ${error?.message ?? error}`.slice(0, LETTERS_MOST);
    const body = JSON.stringify({ message, stack: String(error?.stack ?? "").slice(0, STACK_MOST) });
    if (!known.has(message) && known.size < MOST) {
      await request("/t/failures", { as: authorization(table), body });
      known.add(message);
    }
    failures.shift();
  }
}
