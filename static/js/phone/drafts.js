// The hand that is being told, kept on the server for the other phones of the table; and theirs, to
// go on with. What other seats may not know yet stays on this phone.
import { authorization, request } from "./api.js";
import { uuid7 } from "./identifiers.js";
import { isBegun } from "./page.js";

const SECRET = new Set(["paper", "pass"]);
const LATER = new Set([408, 425, 429, 500, 502, 503, 504, 507]);
export const isSecret = (question) => SECRET.has(question.split(" ")[0]);

const some = (answers, keep) =>
  Object.fromEntries(Object.entries(answers).filter(([question]) => keep(question)));
const open = (answers) => some(answers, (question) => !isSecret(question));
const secret = (answers) => some(answers, isSecret);

export const isSaved = (draft) => (draft.kept ?? 0) === (draft.change ?? 0);

// Keep this phone's draft on the server. Gives it as it is to be kept here then; null: later.
export async function saveDraft(draft, table) {
  const { game, hand, number, change, continues, seen } = draft;
  const body = { number, change, answers: open(draft.answers), continues, seen };
  const answer = await request(`/api/v1/games/${game}/drafts/${hand}`, {
    as: authorization(table),
    method: "PUT",
    body: JSON.stringify(body),
    key: uuid7(),
  });
  const { status, data } = answer;
  if (LATER.has(status) || data?.code === "IN_PROGRESS" || (status < 400 && !data)) return null;
  // Another window entered it differently, or it was begun with another link: from here on, two drafts.
  if (status === 403 || data?.code === "CONFLICT") {
    return { ...draft, hand: uuid7(), continues: hand, seen: draft.kept ?? 0, kept: 0 };
  }
  return { ...draft, kept: change };
}

// What other phones have told, as far as nobody has gone on from it.
export async function fetchOtherDrafts(table) {
  const path = `/api/v1/games/${table.game}/drafts`;
  const { status, data } = await request(path, { as: authorization(table) });
  if (status !== 200 || !data) return null;
  return data.drafts
    .filter((one) => isBegun(one) || one.sees_deal)
    .filter((one) => !data.drafts.some((next) => isGoneOn(one, next)));
}

const isGoneOn = (one, next) => next.continues === one.id && next.seen >= one.change;

// The cards of the hand's board, for a hand that was played; null where there are none (yet).
export async function dealOf({ game, hand }, table) {
  const path = `/api/v1/games/${game}/drafts/${hand}/deal`;
  const { status, data } = await request(path, {
    as: authorization(table),
    method: "POST",
    key: uuid7(),
  });
  return status === 200 && data ? data.deal : null;
}

// The hand as another phone told it, to be told on here; of this phone's own telling only what the
// other could not know stays.
export function continueDraft(other, begun, mine) {
  const own = mine?.number === other.number ? secret(mine.answers) : {};
  const answers = { ...own, ...open(other.answers) };
  return { ...begun, answers, continues: other.id, seen: other.change, change: 1 };
}
