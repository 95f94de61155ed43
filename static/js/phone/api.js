// Asking the server: an answer, or the knowledge that there is no network.
import { language } from "./words.js";

const PATIENCE = 20_000; // milliseconds

export class NoNetwork extends Error {}

// Who asks: the link, and the seat it speaks for where it is the whole table's.
export function authorization(table) {
  const speaks = table.seat === null && table.speaks ? ` ${table.speaks}` : "";
  return `Seat ${table.token}${speaks}`;
}

/**
 * @param {string} path
 * @param {{ as?: string, method?: string, body?: string, key?: string, tag?: string | null }} [settings]
 */
export async function request(path, { as, method, body, key, tag } = {}) {
  const headers = {
    Authorization: as,
    Accept: "application/json",
    "Accept-Language": language,
  };
  if (key) headers["Idempotency-Key"] = key;
  if (body) headers["Content-Type"] = "application/json";
  if (tag) headers["If-None-Match"] = tag;
  const leave = new AbortController();
  const clock = setTimeout(() => leave.abort(), PATIENCE);
  try {
    const answer = await fetch(path, {
      method: method ?? (body ? "POST" : "GET"),
      headers,
      body,
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: leave.signal,
    });
    const text = await answer.text();
    return { status: answer.status, data: parsed(text), headers: answer.headers };
  } catch (error) {
    throw new NoNetwork(String(error));
  } finally {
    clearTimeout(clock);
  }
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null; // a proxy's page, or half an answer
  }
}
