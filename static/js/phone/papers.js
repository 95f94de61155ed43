// Secret papers: each seat writes and seals its own, opens it later; until all are open nobody
// can read any, neither here nor on the server (rules.md D10, D21, D30).
import { button, el } from "./dom.js";
import { keys } from "./keys.js";
import { random } from "./identifiers.js";
import { sha256 } from "./sha256.js";
import { cardName } from "./telling.js";
import { listed, say, seatName } from "./words.js";

export function kinds({ insurance, foot, centre_auction: centre }) {
  const first = insurance === "on" ? ["insurance"] : foot === "on" ? ["foot"] : [];
  return [...first, ...(centre === "on" ? ["centre"] : [])];
}

// Whether anybody can still write such a paper: each has one foot in a game (D30).
export const isWritten = (kind, { seats, next }) =>
  kind !== "foot" || seats.some((seat) => !next.feet_used.includes(seat));

export const secretId = (game, hand, seat, kind) => [game, hand, seat, kind].join("/");

// A paper with its seal; the salt keeps seven numbers from being tried.
export function sealed(value) {
  const salt = random(16);
  return { value, salt, seal: sha256(`${salt}:${value}`) };
}

// Whether every seat has sealed its paper, and not every one is open.
export function areSealed(papers, seats, kind) {
  const mine = papers.filter((paper) => paper.kind === kind);
  return mine.length === seats.length && !mine.every((paper) => paper.is_open);
}

// What the opened papers of a hand say, by seat; null where not all are open.
export function openedPapers(papers, seats, kind) {
  const mine = papers.filter((paper) => paper.kind === kind);
  if (mine.length !== seats.length || !mine.every((paper) => paper.is_open)) return null;
  return Object.fromEntries(mine.map(({ seat, value }) => [seat, read(value)]));
}

const read = (value) => (/^\d+$/.test(value ?? "") ? Number(value) : (value ?? "-"));

export function paperPanel(kind, told) {
  const { table, papers, queue, ui, acts } = told;
  const mine = papers.filter((paper) => paper.kind === kind);
  const going = (seat, act) =>
    queue.some((item) => item.kind === act && item.seat === seat && item.paper === kind);
  const isSealed = (seat) => mine.some((paper) => paper.seat === seat) || going(seat, "seal");
  const missing = table.seats.filter((seat) => !isSealed(seat));
  const opened = openedPapers(papers, table.seats, kind);
  const own = table.seat === null ? table.seats : [table.seat];
  return el(
    "details",
    {
      class: "sheet papers",
      open: ui[`papers ${kind}`] ?? mine.length > 0,
      ontoggle: (event) => acts.keep({ [`papers ${kind}`]: event.target.open }),
    },
    el("summary", {}, say("papers of", { papers: say(`papers ${kind}`), number: told.number })),
    opened ? shown(opened, table.seats) : status(table.seats, missing),
    opened
      ? null
      : writing(
          kind,
          own.filter((seat) => missing.includes(seat)),
          told,
        ),
    missing.length || opened ? null : opening(kind, own, mine, told, going),
  );
}

function status(seats, missing) {
  if (!missing.length) return el("p", {}, say("all sealed"));
  return el(
    "p",
    {},
    say(missing.length === seats.length ? "none sealed" : "sealed but", {
      seats: listed(missing.map(seatName)),
    }),
  );
}

function shown(opened, seats) {
  return el(
    "ul",
    { class: "record-facts" },
    seats.map((seat) => el("li", {}, `${seatName(seat)}: ${inWords(opened[seat])}`)),
  );
}

function inWords(value) {
  if (value === "-" || value === null) return say("empty paper");
  if (value === "F") return say("foot");
  return String(value)
    .split("/")
    .map((part) =>
      /^[SHDC][2-9TJQKA]$/.test(part) ? cardName(part) : part === "-" ? say("no bid") : part,
    )
    .join(" · ");
}

// Whose paper is being written, question by question, up to the seal.
function writing(kind, seats, told) {
  const { ui, acts } = told;
  const pen = ui.pen?.kind === kind && seats.includes(ui.pen.seat) ? ui.pen : null;
  if (!pen) {
    const start = (seat) => acts.change({ pen: { kind, seat, parts: [] } });
    return el(
      "div",
      { class: "actions" },
      seats.map((seat) =>
        button(say("write for", { seat: seatName(seat) }), () => start(seat), {
          "data-focus": `pen ${seat}`,
        }),
      ),
    );
  }
  const step = STEPS[kind](pen, told);
  const leave = button(say("leave it"), () => acts.change({ pen: null }), {
    class: "secondary",
    "data-focus": "leave",
  });
  if (step.question) {
    const answer = (value) =>
      acts.change({ pen: { ...pen, parts: [...pen.parts, value], chosen: [] }, more: false });
    const words = say(`write ${step.ask ?? kind}`, { seat: seatName(pen.seat) });
    return el(
      "div",
      { class: "pen" },
      el("h2", {}, words),
      keys(step.question, told.table, { ...ui, chosen: pen.chosen }, answer, (open) =>
        acts.change("chosen" in open ? { pen: { ...pen, ...open } } : open),
      ),
      leave,
    );
  }
  const seal = button(
    say("seal it", { value: inWords(step.value) }),
    () => acts.seal(kind, pen.seat, step.value),
    { class: "send", "data-focus": "seal" },
  );
  return el(
    "div",
    { class: "pen" },
    el("p", {}, say("seal is final")),
    el("div", { class: "actions" }, seal, leave),
  );
}

const STEPS = {
  insurance({ parts, seat }, { table }) {
    if (parts.length) return { value: String(parts[0]) };
    const calls = table.rules.foot === "on" && !table.next.feet_used.includes(seat);
    return { question: { kind: "paper", most: 6, calls } };
  },
  foot({ parts, seat }, { table }) {
    if (table.next.feet_used.includes(seat)) return { value: "-" };
    if (parts.length) return { value: parts[0] ? "F" : "-" };
    return { question: { kind: "tricks" } };
  },
  centre({ parts }, { table }) {
    const [bids, wanted, number, card] = parts;
    if (bids === undefined) return { question: { kind: "tricks" }, ask: "bids" };
    if (bids && wanted === undefined)
      return { question: { kind: "cards", count: 1 }, ask: "wanted" };
    const most = table.rules.max_centre_bid === "none" ? 26 : Number(table.rules.max_centre_bid);
    if (bids && number === undefined) return { question: { kind: "bought", most }, ask: "number" };
    const showing = bids ? card : wanted;
    if (showing === undefined) return { question: { kind: "cards", count: 1 }, ask: "shown" };
    return { value: bids ? `${wanted}/${number}/${showing}` : `-/${showing}` };
  },
};

function opening(kind, own, mine, { acts, ui }, going) {
  const closed = own.filter(
    (seat) => !mine.find((paper) => paper.seat === seat)?.is_open && !going(seat, "opening"),
  );
  if (!closed.length) return el("p", { class: "help" }, say("others open"));
  const label = own.length > 1 ? say("open all papers") : say("open papers");
  const words = ui.lost ? el("p", { class: "problem" }, say("paper lost")) : null;
  return [
    words,
    el("p", { class: "help" }, say(`open ${kind}`)),
    button(label, () => acts.open(kind, closed), { "data-focus": `open ${kind}` }),
  ];
}
