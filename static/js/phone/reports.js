// What failed on this page is reported to the log of the service when there is a network.
import { failures } from "./dom.js";
import { authorization, request } from "./api.js";
import { page } from "./page.js";

const LETTERS_MOST = 500;
const STACK_MOST = 4000;

export async function sendFailures() {
  const { table } = page;
  while (table?.token && failures.length) {
    const [{ message, stack }] = failures;
    const body = JSON.stringify({
      message: message.slice(0, LETTERS_MOST),
      stack: stack.slice(0, STACK_MOST),
    });
    await request("/t/failures", { as: authorization(table), body });
    failures.shift();
  }
}
