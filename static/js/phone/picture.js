// The table from above, turned so that who holds the phone sits at the bottom.
import { button, el } from "./dom.js";
import { nameOf, nameTag } from "./people.js";
import { compass } from "./slip.js";
import { say } from "./words.js";

// `choose` makes every place a button; `called` is what those are called who sit there.
export function picture(table, next, choose = null, called = nameOf) {
  const { seats, speaks } = table;
  const values = next?.chips ?? next?.totals;
  // Nobody's phone yet: north is at the top.
  const from = speaks ? seats.indexOf(speaks) : Math.floor(seats.length / 2);
  const place = (seat, at) => {
    const turn = (at - from + seats.length) % seats.length;
    const shown = [
      compass(seat, next?.dealer, speaks),
      nameTag(called(seat)),
      values ? el("span", { class: "held" }, String(values[seat] ?? "")) : null,
    ];
    const settings = { class: seat === speaks ? "me" : "", "data-turn": `${turn}/${seats.length}` };
    if (!choose) return el("li", settings, shown);
    const whole = [table.names[seat], table.marks?.[seat]].filter(Boolean).join(" ");
    const full = whole && whole !== nameOf(seat) ? el("small", {}, whole) : null;
    const sit = button([...shown, full], () => choose(seat), { "data-focus": `sit ${seat}` });
    return el("li", settings, sit);
  };
  const words = say("who sits where");
  return el("ol", { class: `picture of-${seats.length}`, "aria-label": words }, seats.map(place));
}
