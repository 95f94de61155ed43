// Who had too few chips for what he owed: he bought in again, or paid what he had (rules.md A9.2,
// Q22). Each of the dues is { seat, bought, owed, paid }.
import { sum } from "./counting.js";
import { nameOf } from "./people.js";
import { say } from "./words.js";

const GIVEN = "ADJUST"; // by a ruling, whatever somebody has

// As the server settled the hand.
export function duesOf({ scores, postings, shortfalls }) {
  const moved = (fits) => sum(postings.filter(fits).map((one) => one.amount));
  const due = ({ seat }) => {
    const bought = moved((one) => one.payee === seat && one.kind === "REBUY");
    const paid = moved((one) => one.payer === seat && one.kind !== GIVEN);
    return { seat, bought, owed: paid + (shortfalls[seat] ?? 0), paid };
  };
  return (scores ?? []).map(due).filter(isShort);
}

export const isShort = ({ bought, owed, paid }) => bought > 0 || paid < owed;

// A sentence each.
export function dueSentences(dues) {
  return (dues ?? []).flatMap(({ seat, bought, owed, paid }) => {
    const values = { seat: nameOf(seat), bought, owed, paid };
    const again = bought ? [say("buys in again", values)] : [];
    return paid < owed ? [...again, say(paid ? "paid less" : "paid nothing", values)] : again;
  });
}
