// The hand that is told next: what the server knows, and the hands that still wait on this phone.
import { forecast } from "./forecast.js";
import { leftOf } from "./counting.js";

export function ahead(table, queue) {
  const { rules, seats } = table;
  let state = { rules, seats, next: table.next, counted: table.counted };
  for (const item of queue) {
    if (item.kind !== "hand" || item.number !== state.next.number) continue;
    const came = forecast(state, item.result) ?? unsure(state);
    state = { ...state, next: came.next, counted: came.counted };
  }
  return state;
}

// Only the server can settle it; who deals is sure all the same.
function unsure({ seats, next, counted }) {
  const after = {
    ...next,
    number: next.number + 1,
    dealer: leftOf(seats, next.dealer),
    totals: null,
  };
  return { next: after, counted };
}
