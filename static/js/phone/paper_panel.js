// Secret papers: each seat writes and seals its own, opens it later; until all are open nobody
// can read any, neither here nor on the server (rules.md D10, D21, D30).
import { button, el } from "./dom.js";
import { cardName } from "./hand_text.js";
import { random } from "./identifiers.js";
import { keys } from "./keys.js";
import { openedPapers } from "./papers.js";
import { nameOf } from "./people.js";
import { sha256 } from "./sha256.js";
import { listed, say } from "./words.js";

// A paper with its seal; the salt keeps seven numbers from being tried.
export function sealed(value) {
  const salt = random(16);
  return { value, salt, seal: sha256(`${salt}:${value}`) };
}

export function paperPanel(kind, props) {
  const { table, papers, queue, ui, actions } = props;
  const mine = papers.filter((paper) => paper.kind === kind);
  const going = (seat, act) =>
    queue.some((item) => item.kind === act && item.seat === seat && item.paper === kind);
  const isTold = props.number < table.next.number;
  const isSealed = (seat) => mine.some((paper) => paper.seat === seat) || going(seat, "seal");
  const missing = table.seats.filter((seat) => !isSealed(seat));
  const opened = openedPapers(papers, table.seats, kind);
  const own = table.seat === null ? table.seats : [table.seat];
  return el(
    "details",
    {
      class: "sheet papers",
      open: ui[`papers ${kind}`] ?? mine.length > 0,
      ontoggle: (event) => actions.keep({ [`papers ${kind}`]: event.target.open }),
    },
    el("summary", {}, say("papers of", { papers: say(`papers ${kind}`), number: props.number })),
    opened ? shown(opened, table.seats) : isTold ? waiting(mine) : status(table.seats, missing),
    opened || isTold
      ? null
      : writing(
          kind,
          own.filter((seat) => missing.includes(seat)),
          props,
        ),
    opened || (missing.length && !isTold)
      ? null
      : opening(kind, isTold ? own.filter(isSealed) : own, mine, props, going),
  );
}

// Of a hand that is told, those who sealed a paper and have not opened it.
function waiting(papers) {
  const seats = papers.filter((paper) => !paper.is_open).map((paper) => nameOf(paper.seat));
  return el("p", {}, say("papers wait", { seats: listed(seats) }));
}

function status(seats, missing) {
  if (!missing.length) return el("p", {}, say("all sealed"));
  return el(
    "p",
    {},
    say(missing.length === seats.length ? "none sealed" : "sealed but", {
      seats: listed(missing.map(nameOf)),
    }),
  );
}

function shown(opened, seats) {
  return el(
    "ul",
    { class: "record-facts" },
    seats.map((seat) => el("li", {}, `${nameOf(seat)}: ${inWords(opened[seat])}`)),
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
function writing(kind, seats, props) {
  const { table, ui, actions } = props;
  const isShared = table.seat === null;
  // Whoever has a phone of their own at the table writes there, and nowhere else.
  const away = isShared ? seats.filter((seat) => table.phones?.includes(seat)) : [];
  const here = seats.filter((seat) => !away.includes(seat));
  const pen = ui.pen?.kind === kind && here.includes(ui.pen.seat) ? ui.pen : null;
  if (!pen) {
    const start = (seat) => actions.change({ pen: { kind, seat, parts: [], isCovered: isShared } });
    return [
      away.length
        ? el("p", { class: "help" }, say("writes on own", { seats: listed(away.map(nameOf)) }))
        : null,
      el(
        "div",
        { class: "actions" },
        here.map((seat) =>
          button(say("write for", { seat: nameOf(seat) }), () => start(seat), {
            class: "go",
            "data-focus": `pen ${seat}`,
          }),
        ),
      ),
    ];
  }
  if (pen.isCovered) return covered(pen, actions);
  const only = isShared
    ? el("p", { class: "only" }, say("only one looks", { seat: nameOf(pen.seat) }))
    : null;
  const step = STEPS[kind](pen, props);
  const leave = button(say("leave it"), () => actions.change({ pen: null }), {
    class: "alt",
    "data-focus": "leave",
  });
  if (step.question) {
    const answer = (value) =>
      actions.change({ pen: { ...pen, parts: [...pen.parts, value], chosen: [] }, more: false });
    const words = say(`write ${step.ask ?? kind}`, { seat: nameOf(pen.seat) });
    return el(
      "div",
      { class: "pen" },
      only,
      el("h2", {}, words),
      keys(step.question, props.table, { ...ui, chosen: pen.chosen }, answer, (open) =>
        actions.change("chosen" in open ? { pen: { ...pen, ...open } } : open),
      ),
      leave,
    );
  }
  // The phone goes on to the next one, and shows nothing until they hold it.
  const following = here[(here.indexOf(pen.seat) + 1) % here.length];
  const isLast = !isShared || following === pen.seat;
  const next = isLast ? null : { kind, seat: following, parts: [], isCovered: true, isNext: true };
  const seal = button(
    say("seal it", { value: inWords(step.value) }),
    () => actions.seal(kind, pen.seat, step.value, next),
    { class: "send", "data-focus": "seal" },
  );
  return el(
    "div",
    { class: "pen" },
    only,
    el("p", {}, say("seal is final")),
    el("div", { class: "actions" }, seal, leave),
  );
}

// Nothing of a paper is in sight until its own hand holds the phone.
function covered(pen, actions) {
  const words = { seat: nameOf(pen.seat) };
  return el(
    "div",
    { class: "pen covered" },
    el("h2", {}, say(pen.isNext ? "sealed, hand over" : "hand over", words)),
    button(say("it is me", words), () => actions.change({ pen: { ...pen, isCovered: false } }), {
      class: "send",
      "data-focus": "it is me",
      "data-first": true,
    }),
    button(say("leave it"), () => actions.change({ pen: null }), {
      class: "alt",
      "data-focus": "leave",
    }),
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
    if (bids && number === undefined)
      return { question: { kind: "bought", most, first: 7 }, ask: "number" };
    const showing = bids ? card : wanted;
    if (showing === undefined) return { question: { kind: "cards", count: 1 }, ask: "shown" };
    return { value: bids ? `${wanted}/${number}/${showing}` : `-/${showing}` };
  },
};

function opening(kind, own, mine, { actions, ui }, going) {
  const closed = own.filter(
    (seat) => !mine.find((paper) => paper.seat === seat)?.is_open && !going(seat, "opening"),
  );
  if (!closed.length) return el("p", { class: "help" }, say("others open"));
  const label = own.length > 1 ? say("open all papers") : say("open papers");
  const words = ui.lost ? el("p", { class: "problem" }, say("paper lost")) : null;
  return [
    words,
    el("p", { class: "help" }, say(`open ${kind}`)),
    button(label, () => actions.open(kind, closed), { class: "go", "data-focus": `open ${kind}` }),
  ];
}
