// The one table that this page shows, and the hand that is being told at it.
import { ahead } from "./ahead.js";
import { uuid7 } from "./identifiers.js";
import { drop, get } from "./store.js";

export const page = {
  table: null,
  queue: [],
  draft: null,
  papers: [],
  paperHand: null, // the hand of these papers
  ui: {},
  reached: null, // whether there is a network; null while nobody has tried
  closed: null, // why the link is closed
  notBefore: 0,
  news: null, // the marks of what was read of the table
  others: [], // what other phones have told of hands that nobody has sent
  elsewhere: 0, // what waits for other tables
  isKept: true,
};

// The next hand, of which nothing has been told yet.
export function fresh() {
  const { next, counted } = ahead(page.table, page.queue);
  const { game, cards } = page.table;
  const answers = cards ? { cards } : {};
  return { game, number: next.number, base: { next, counted }, answers, hand: uuid7() };
}

// Whether anything of a hand was told; how it is told does not count.
export function isBegun({ answers }) {
  return Object.keys(answers).some((key) => key !== "cards");
}

// The hand that was told is sent, or thrown away. Another window may have begun the next one.
export async function forget() {
  const { game } = page.table;
  const stored = await get("drafts", game);
  const isOther = stored && stored.hand !== page.draft?.hand;
  if (!isOther) await drop("drafts", game);
  page.draft = isOther ? stored : null;
}
