// A hand that was sent, to be told otherwise: by who told it, or by who objects to it.
import { leftOf } from "./counting.js";

// The answers that tell a result, as if they had been tapped.
export function answersOf(result) {
  const { ending, bidder, bid, pain, queen, moon, tricks } = result;
  if (ending === "passed out") return { bidder: "nobody" };
  if (ending) return { ending };
  const bySeat = (part, kind = part) =>
    Object.entries(result[part] ?? {}).map(([seat, value]) => [`${kind} ${seat}`, value]);
  const found = { bidder, bid, pain, queen, moon, tricks: tricks && true };
  return Object.fromEntries(
    [
      ...bySeat("bought"),
      ...Object.entries(found),
      ...bySeat("taken"),
      ...bySeat("papers", "paper"),
      ...bySeat("rebuys"),
      ...bySeat("rebuys_after"),
    ].filter(([, value]) => value !== undefined && value !== null),
  );
}

// What a hand found, as far as this phone knows it from the hand before it.
export function stateBefore(hand, table) {
  const { seats, counted, next: now } = table;
  const known = Object.values(table.details);
  const last = known.find((one) => one.number === hand.number - 1 && !one.rival_of && one.after);
  if (last) return { next: { ...now, ...last.after, number: hand.number }, counted };
  const held = hand.chips && hand.gained;
  const was = held
    ? Object.fromEntries(seats.map((seat) => [seat, hand.chips[seat] - hand.gained[seat]]))
    : (now.chips ?? now.totals);
  const next = {
    ...now,
    number: hand.number,
    dealer: leftOf(seats, now.dealer, seats.length - 1),
    phase: now.chips ? "auction" : "deal",
    ...{ pot: 0, jackpot: 0, namer: null, over: null, places: null },
    ...(now.chips ? { chips: was } : { totals: was }),
  };
  return { next, counted };
}
