// What failed on this page is reported to the log of the service when there is a network.
import { failures } from "./dom.js";
import { authorization, request } from "./api.js";
import { page } from "./page.js";

const LETTERS_MAX = 500;
const STACK_MAX = 4000;

export async function sendFailures() {
  const { table } = page;
  while (table?.token && failures.length) {
    const [{ message, stack }] = failures;
    const body = JSON.stringify({
      message: message.slice(0, LETTERS_MAX),
      stack: stack.slice(0, STACK_MAX),
    });
    await request("/t/failures", { as: authorization(table), body });
    failures.shift();
  }
}
