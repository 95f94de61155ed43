// The paper slip: how far the telling has come, and a row for each person with what was told. Every
// number on it can be tapped and told otherwise.
import { UNKNOWN } from "./captures.js";
import { suitSize, sum } from "./counting.js";
import { button, el } from "./dom.js";
import { cardName, suitSymbol } from "./hand_text.js";
import { nameOf, nameTag } from "./people.js";
import { totalChange } from "./review.js";
import { say, suitName, SYMBOLS } from "./words.js";

// `view`: what was asked, what is asked now (`at`), the answers, and what the hand comes to. Without
// `mend` it can only be read.
export function slip(before, view, mend) {
  const made = columns(before, view);
  const { seats } = before;
  return [
    steps(before, view, mend),
    el(
      "ol",
      { class: `slip of-${seats.length} cells-${made.length}${view.came ? " came" : ""}` },
      made.length > 1 ? heads(before, view, made) : null,
      seats.map((seat) => row(seat, before, view, made, mend)),
    ),
  ];
}

const PART_OF = {
  bidder: "bid",
  bid: "bid",
  call: "bid",
  suit: "suit",
  bought: "bought",
  cards: "bought",
  taken: "taken",
  sum: "taken",
  moon: "taken",
  tricks: "taken",
  leader: "taken",
  card: "taken",
  queen: "queen",
  paper: "paper",
};

const findAnswer = ({ asked }, key) => asked.find((one) => one.key === key)?.value;
const painOf = ({ next, rules }, view) => {
  if (rules.pain !== "auction" || (next.jackpot && !next.namer)) return "H";
  return view.result?.pain ?? findAnswer(view, "pain") ?? null;
};

// Steps: progress, and the way back to each of them.

function steps(before, view, mend) {
  const made = parts(before, view);
  const now = PART_OF[view.at?.kind];
  const one = ({ part, label, value, to, isDone }) => {
    const isAnswered = mend && to && view.asked.some((question) => question.key === to);
    const settings = {
      class: `step ${part === now ? "on" : ""} ${isDone ? "done" : ""}`,
      "aria-current": part === now ? "step" : null,
    };
    const words = [el("small", {}, label), " ", el("b", {}, value)];
    if (!isAnswered) return el("li", {}, el("div", settings, words));
    return el(
      "li",
      {},
      button(words, () => mend(to), { ...settings, "data-focus": `step ${part}` }),
    );
  };
  return el("ol", { class: "steps", "aria-label": say("told so far") }, made.map(one));
}

function parts(before, view) {
  const { rules, next } = before;
  const found = [];
  if (rules.pain === "auction") found.push(...auction(next, view));
  if (rules.centre_auction === "on") found.push(centre(before, view));
  found.push(takenStep(before, view));
  if (rules.queen === "on") found.push(queenStep(view));
  if (rules.insurance === "on") found.push(paperStep(before, view));
  return found;
}

function auction(next, view) {
  const bidder = findAnswer(view, "bidder") ?? view.result?.bidder;
  const pain = findAnswer(view, "pain");
  const suit = { part: "suit", label: say("step suit"), to: "pain" };
  const sign = pain && el("span", { class: `suit-${pain}`, "aria-hidden": "true" }, SYMBOLS[pain]);
  const named = pain ? [sign, " ", suitName(pain)] : "–";
  if (next.jackpot && !next.namer) {
    return [{ part: "bid", label: say("step jackpot"), value: suitName("H") }];
  }
  if (next.jackpot) {
    const value = say("names it", { seat: nameOf(next.namer) });
    return [
      { part: "bid", label: say("step jackpot"), value },
      { ...suit, value: named },
    ];
  }
  const bid = findAnswer(view, "bid") ?? view.result?.bid;
  const isPassed = bidder === "nobody" || view.result?.ending === "passed out";
  const who = isPassed ? say("all passed") : bidder ? `${nameOf(bidder)} ${bid ?? "?"}` : "–";
  return [
    { part: "bid", label: say("step bid"), value: who, to: "bidder" },
    { ...suit, value: named },
  ];
}

function takenStep(before, view) {
  const { rules, seats } = before;
  const pain = painOf(before, view);
  const label = rules.pain === "auction" ? say("step taken") : suitName("H");
  const to = `taken ${seats[0]}`;
  const step = { part: "taken", label, to };
  const trick = view.at?.kind === "card" && view.at.done.length + 1;
  if (trick) return { ...step, value: say("trick", { number: trick }) };
  const taken = view.result?.taken;
  if (!pain || (!taken && !["taken", "sum"].includes(view.at?.kind)))
    return { ...step, value: "–" };
  const whole = suitSize(rules, seats.length, pain);
  if (taken) return { ...step, value: say("all told", { whole }), isDone: true };
  const counts = view.asked.filter((one) => one.kind === "taken").map((one) => one.value);
  return { ...step, value: say("some told", { count: view.at.count ?? sum(counts), whole }) };
}

function queenStep(view) {
  const queen = findAnswer(view, "queen") ?? view.result?.queen;
  const value =
    queen === UNKNOWN
      ? say("nobody knows")
      : queen
        ? nameOf(queen)
        : view.at?.kind === "queen"
          ? say("who took her")
          : "–";
  return { part: "queen", label: say("step queen"), value, to: "queen", isDone: Boolean(queen) };
}

function centre({ seats }, view) {
  const bids = view.asked.filter((one) => one.kind === "bought");
  const isNone = bids.some((one) => one.value === "nobody");
  const paid = sum(bids.map((one) => (one.value === "nobody" ? 0 : one.value)));
  const value = bids.length || isNone ? String(paid) : "–";
  return { part: "bought", label: say("step centre"), value, to: `bought ${seats[0]}` };
}

function paperStep({ seats }, view) {
  const sealed = view.asked.filter((one) => one.kind === "paper").length;
  const isDone = Boolean(view.result?.papers);
  const value = isDone ? "✓" : sealed ? `${sealed}/${seats.length}` : "–";
  return { part: "paper", label: say("step papers"), value, to: `paper ${seats[0]}`, isDone };
}

// Rows

function columns(before, view) {
  const { rules } = before;
  const pain = painOf(before, view);
  const found = [];
  if (rules.centre_auction === "on" && !before.bids) {
    found.push({ part: "bought", head: say("step centre") });
  }
  found.push({ part: "taken", head: pain ? suitSymbol(pain) : say("took") });
  if (rules.queen === "on") found.push({ part: "queen", head: cardName("SQ") });
  if (rules.insurance === "on") found.push({ part: "paper", head: say("step papers") });
  return found;
}

function heads({ next }, view, made) {
  const held = next.chips ? say("chips") : next.totals ? say("points") : "";
  return el(
    "li",
    { class: "row head", "aria-hidden": "true" },
    el("span", {}),
    el("span", {}),
    view.came ? null : el("span", { class: "held" }, held),
    made.map(({ head }) => el("span", { class: "col" }, head)),
    view.came ? el("span", { class: "held" }, held) : null,
  );
}

function row(seat, before, view, made, mend) {
  const { next, speaks } = before;
  const isOn = view.at?.seat === seat && view.at.kind !== "bid";
  const isPicked = view.at?.seat === seat && view.at.kind === "bid";
  const isWinner = view.came?.winners?.includes(seat);
  const values = next.chips ?? next.totals;
  const kind = [isOn && "on", isPicked && "pick", isWinner && "win"].filter(Boolean).join(" ");
  return el(
    "li",
    { class: `row ${kind}` },
    compass(seat, next.dealer, speaks),
    el("span", { class: "who" }, nameTag(nameOf(seat)), contract(seat, before, view)),
    view.came ? null : el("span", { class: "held chips" }, String(values?.[seat] ?? "")),
    made.map(({ part }) => cell(part, seat, view, mend)),
    view.came ? el("span", { class: "held" }, result(seat, before, view.came)) : null,
  );
}

// Where somebody sits: gold is the dealer, a thick rim who holds this phone.
export function compass(seat, dealer, own = null) {
  const isDealer = seat === dealer;
  const isOwn = seat === own;
  return el(
    "span",
    { class: `mark ${isDealer ? "dealer" : ""} ${isOwn ? "own" : ""}` },
    seat,
    isDealer ? el("span", { class: "away" }, say("deals now")) : null,
    isOwn ? el("span", { class: "away" }, `, ${say("you")}`) : null,
  );
}

// Who won the auction or names the suit of a jackpot, and which one.
function contract(seat, { rules, next }, view) {
  if (rules.pain !== "auction") return null;
  const bidder = next.jackpot ? next.namer : (findAnswer(view, "bidder") ?? view.result?.bidder);
  if (bidder !== seat) return null;
  const pain = findAnswer(view, "pain");
  const bid = next.jackpot ? null : (findAnswer(view, "bid") ?? view.result?.bid ?? "?");
  const words = bid === null ? null : say("bid pill", { bid });
  return el(
    "small",
    { class: "pill gold" },
    pain && words ? `${bid} ` : words,
    pain && suitSymbol(pain),
  );
}

function result(seat, { next }, { next: after }) {
  const [was, is] = [next.chips ?? next.totals, after.chips ?? after.totals];
  return was && is ? totalChange(was[seat], is[seat], Boolean(next.chips)) : "";
}

function cell(part, seat, view, mend) {
  if (part === "queen") return queenCell(seat, view, mend);
  const key = `${part} ${seat}`;
  const answer = view.asked.find((one) => one.key === key);
  const isNow = view.at?.key === key;
  const counted = part === "taken" && view.result?.taken ? view.result.taken[seat] : answer?.value;
  const value = isNow ? "?" : counted === "nobody" ? 0 : counted;
  const isOpen = part === "taken" && view.canTake;
  const isVoid = value === undefined;
  const shape = `cell ${isVoid ? "void" : ""} ${isNow ? "now" : ""} ${answer?.isFilled ? "filled" : ""}`;
  if (!mend || (!answer && !isOpen)) return el("span", { class: shape }, String(value ?? ""));
  const words = { seat: nameOf(seat), value: value ?? say("nothing told") };
  return button(String(value ?? ""), () => mend(key), {
    class: shape,
    "aria-label": say(`cell ${part}`, words),
    "data-focus": `cell ${key}`,
  });
}

// She lies in the cell of who took her; a tap on another cell moves her there.
function queenCell(seat, view, mend) {
  const queen = findAnswer(view, "queen") ?? view.result?.queen;
  const isHers = queen === seat;
  const isAsked = view.at?.kind === "queen";
  const shape = `cell queen ${isHers ? "" : "void"} ${isAsked ? "ask" : ""}`;
  const card = el("span", { class: "mini", "aria-hidden": "true" }, cardName("SQ"));
  const shown = isHers || isAsked ? card : "";
  if (!mend || !view.canTake || view.answers.cards) {
    return el(
      "span",
      { class: shape },
      shown,
      el("span", { class: "away" }, isHers ? cardName("SQ") : ""),
    );
  }
  const words = el("span", { class: "away" }, say("cell queen", { seat: nameOf(seat) }));
  return button([words, shown], () => mend("queen", seat), {
    class: shape,
    "aria-pressed": String(isHers),
    "data-focus": `cell queen ${seat}`,
  });
}
