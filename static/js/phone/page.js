// The one table that this page shows, and the hand that is being entered at it.
import { uuid7 } from "./identifiers.js";
import { nextState } from "./next_state.js";
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
  isFull: false, // whether the disk of the server is
  news: null, // the marks of what was read of the table
  others: [], // what other phones have told of hands that nobody has sent
  elsewhere: 0, // what waits for other tables
  changes: 0, // how often anything was put into the queue, or a draft taken away
  isKept: true,
};

// Whether the director has closed the game: then nobody says anything more of its hands.
export const isClosed = ({ phase }) => ["closed", "official"].includes(phase);

// The record of a disputed hand that stands against the first one.
export const otherRecordOf = ({ dispute }) => dispute.others[dispute.others.length - 1];

// Where most tricks win, the result alone would not say who won them.
export const needsEveryCard = ({ rules }) => rules.winner === "tricks";

// Whether hands are told card by card, and not by their result.
export const tellsEveryCard = (table) => needsEveryCard(table) || Boolean(table.cards);

// The next hand, of which nothing has been told yet.
export function newDraft() {
  const { next, counted } = nextState(page.table, page.queue);
  const answers = tellsEveryCard(page.table) ? { cards: true } : {};
  return {
    game: page.table.game,
    number: next.number,
    base: { next, counted },
    answers,
    hand: uuid7(),
  };
}

// Whether anything of a hand was told; how it is told does not count.
export function isBegun({ answers }) {
  return Object.keys(answers).some((key) => !["cards", "calls"].includes(key));
}

// Whether an answer tells of the play, by its place: a card, how many cards one tap told, or a suit
// that a seat lacks.
export const isOfPlay = (name) => /^(card|run|void) /.test(name);

// The same answers where every card is told, or only the result; the cards come last, to be taken
// back one by one.
export function withMode(cards, { cards: _mode, ...answers }) {
  const some = (isKept) => Object.entries(answers).filter(([name]) => isKept(name));
  const ordered = [...some((name) => !isOfPlay(name)), ...some(isOfPlay)];
  return { ...(cards ? { cards } : {}), ...Object.fromEntries(ordered) };
}

// Whether what was drawn of a hand is still what is being told of it. A hand of which nothing was
// told yet stays one's own to tell, also when another phone has sent it meanwhile.
export function isCurrent(drawn) {
  const { draft, queue } = page;
  if (draft) return draft.number === drawn.number && isSame(draft.answers, drawn.answers);
  const waits = queue.some((item) => item.kind === "hand" && item.number === drawn.number);
  return !isBegun(drawn) && !waits;
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// What was chosen for one question is none of the next one's business.
export function clearPad() {
  Object.assign(page.ui, {
    chosen: [],
    more: 0,
    lower: false,
    typed: null,
    fixing: undefined,
    at: null,
    menu: false,
  });
  // Of a card: one that was doubted, the suit that is shown, and what else takes the pad's place.
  const closed = { all: false, byCard: false, claiming: false };
  Object.assign(page.ui, { doubted: null, suit: null, looking: null, ...closed });
}

// The hand that was told is sent, or thrown away. Another window may have begun the next one.
export async function discardDraft() {
  page.draft = await dropStoredDraft(page.draft?.hand);
  page.changes += 1;
  clearPad();
}

// Drop what is kept of a hand that is being told; gives what is kept of another one instead.
export async function dropStoredDraft(hand) {
  const { game } = page.table;
  const stored = await get("drafts", game);
  if (stored && stored.hand !== hand) return stored;
  await drop("drafts", game);
  return null;
}

// Screens that the first sight of a table does without (screens.js); null until they have come.
export let screens = null;

export function setScreens(found) {
  screens = found;
}
