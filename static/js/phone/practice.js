// The practice table: one phone, one person, and bots. What was played is kept on the phone, and gone
// on with when the page is opened again.
import { Playing } from "./cards.js";
import { bySeat, tricks } from "./counting.js";
import { button, el, replace } from "./dom.js";
import { cardName, suitSymbol } from "./hand_text.js";
import { keys, toggled } from "./keys.js";
import { nameOf, setNames } from "./people.js";
import { chooseAnswer, judgeCards } from "./practice_bots.js";
import { bars, handEnd } from "./practice_end.js";
import { dealCards, newGame, PracticeHand } from "./practice_hands.js";
import { cardFace, trickTable } from "./trick_table.js";
import { trickStrip } from "./tricks.js";
import { say } from "./words.js";

const KEPT = "painsuit-practice";
const STEP = 650; // milliseconds between two answers of bots
const LOOK = 1500; // milliseconds in which a full trick lies there
const KEYS = ["call", "suit", "paper", "moon"]; // questions with keys of their own
const OWN_RULES = "painsuit-practice-rules";
const { presets, club, check } = JSON.parse(document.getElementById("practice").textContent);
const main = document.getElementById("main");
const head = document.getElementById("head");
const spoken = document.getElementById("spoken");

const state = {
  choice: null, // the rules that are played by
  hand: null, // the hand that is being played
  judged: [], // what each choice between one's own cards cost
  hint: null, // what was asked of the cards that can be played now
  full: null, // the trick that was just finished, as long as it lies there
  open: {}, // what is chosen of the question that is asked
  timer: null,
};

const own = () => state.hand.before.speaks;
const isOwnTurn = () => !state.full && state.hand.question?.seat === own();

// A hand

function begin(choice, table) {
  Object.assign(state, { choice, judged: [], full: null });
  show(new PracticeHand(table, dealCards(table)));
}

// Show a hand as it stands, keep it, and let the bots go on.
function show(hand) {
  const { seats, speaks } = hand.before;
  setNames({
    called: bySeat(seats, (seat) => say(seat === speaks ? "me" : `bot ${seats.indexOf(seat)}`)),
  });
  Object.assign(state, { hand, hint: null, open: {} });
  keep();
  draw();
  clearTimeout(state.timer);
  if (state.full) state.timer = setTimeout(clearTrick, LOOK);
  else if (!hand.isOver && !isOwnTurn()) state.timer = setTimeout(letBotAnswer, STEP);
}

function clearTrick() {
  state.full = null;
  show(state.hand);
}

function letBotAnswer() {
  tell(chooseAnswer(state.hand));
}

// Whose turn it is answers: a card, a bid, a suit, a number, or cards that are passed.
function tell(value) {
  const { hand } = state;
  const { kind, seat, place, playing } = hand.question;
  if (kind === "card" && seat === own()) {
    const options = state.hint ?? judgeCards(hand);
    if (options.length) state.judged.push({ card: value, options, place, trick: playing.trick });
  }
  const trick = playing && [...playing.trick, { seat, card: value }];
  hand.answer(value);
  spoken.textContent = kind === "card" ? `${nameOf(seat)} ${cardName(value)}` : "";
  state.full = trick?.length === hand.before.seats.length ? { trick, playing } : null;
  show(hand);
}

function takeBack() {
  const hand = state.hand.withoutLastOf(own());
  const { place = 0 } = hand.question;
  Object.assign(state, { full: null, judged: state.judged.filter((one) => one.place < place) });
  show(hand);
}

// What is kept

function keep() {
  const { choice, hand, judged } = state;
  const { deal, ...table } = hand.before;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ choice, table, deal, told: hand.told, judged }));
  } catch {
    // A private window keeps nothing; the hand is played all the same.
  }
}

// The game that is not over; null for none, or for one that an older page has kept.
function keptHand() {
  try {
    const { choice, table, deal, told, judged } = JSON.parse(localStorage.getItem(KEPT));
    const hand = new PracticeHand(table, deal, told);
    return hand.isOver && hand.after.next.over ? null : { choice, hand, judged };
  } catch {
    return null;
  }
}

// The rules of the club whose page was opened, or was opened last: without a network the page that
// opens is everybody's.
function clubRules() {
  try {
    if (club.length) localStorage.setItem(OWN_RULES, JSON.stringify(club));
    return club.length ? club : (JSON.parse(localStorage.getItem(OWN_RULES)) ?? []);
  } catch {
    return club;
  }
}

// What is shown

function draw() {
  const { hand, full } = state;
  const isDone = hand?.isOver && !full;
  main.className = !hand || isDone ? "single" : "telling practice";
  replace(head, heading());
  replace(main, !hand ? start() : isDone ? end() : table());
}

function heading() {
  const { hand, choice } = state;
  const title = [
    el("b", {}, say("practice")),
    " ",
    hand ? el("span", { class: "where" }, choice.name) : null,
  ];
  const away = button(say("other rules"), leave, { class: "caller", "data-focus": "away" });
  return el("div", { class: "headline" }, el("p", { class: "hand" }, title), hand ? away : null);
}

function leave() {
  clearTimeout(state.timer);
  Object.assign(state, { hand: null, full: null });
  draw();
}

// The rules to choose from, and the hand that is not finished yet.
function start() {
  const kept = keptHand();
  const goOn = () => {
    Object.assign(state, { choice: kept.choice, judged: kept.judged });
    show(kept.hand);
  };
  return [
    el("h1", {}, say("play a hand")),
    el("p", { class: "lede" }, say("practice lede")),
    el("p", {}, say("how to play")),
    kept
      ? button(say("go on", { name: kept.choice.name }), goOn, {
          class: "go",
          "data-focus": "go on",
        })
      : null,
    el("ul", { class: "plain practice-rules" }, [...clubRules(), ...presets].map(choiceRow)),
    el("p", { class: "help" }, say("what bots are")),
  ];
}

function choiceRow(choice) {
  const { key, name, about, sheet = [], tables } = choice;
  const size = ({ seats }) =>
    button(
      say("players", { count: seats.length }),
      () => begin(choice, newGame(choice, seats.length)),
      {
        class: "alt",
        "aria-label": say("play with", { name, count: seats.length }),
        "data-focus": `${key} ${seats.length}`,
      },
    );
  return el(
    "li",
    { class: "sheet" },
    el("h2", {}, name),
    about ? el("p", { class: "help" }, about) : null,
    el("p", { class: "actions" }, tables.map(size)),
    el(
      "details",
      { class: "fold" },
      el("summary", { "aria-label": say("rules of", { name }) }, say("the rules")),
      sheet.map(([question, answer]) => el("p", {}, question, " ", el("b", {}, answer))),
    ),
  );
}

// The table, the question, one's own cards, and the buttons.
function table() {
  const { hand, full, open, hint } = state;
  const { question, before } = hand;
  const playing = full?.playing ?? question.playing ?? new Playing(before, question.seat, "H");
  const shown = { ...question, playing, ...(full && { trick: full.trick, seat: null }) };
  const change = (changed) => {
    Object.assign(open, changed);
    draw();
  };
  const isAsked = isOwnTurn();
  // Nobody calls for others, or a bid that wins nothing.
  const asked =
    question?.kind === "call" ? { ...question, floor: question.least, rest: false } : question;
  const pad = isAsked && KEYS.includes(asked.kind) ? keys(asked, before, open, tell, change) : null;
  return [
    el(
      "div",
      { class: "place" },
      trickTable({ trick: [], ...shown }, before),
      question?.kind === "card" || full ? trickStrip({ playing }, before) : null,
    ),
    el(
      "div",
      { class: "ask" },
      el("h2", {}, isAsked ? ownTitle(question) : ""),
      el("p", { class: "left" }, where(playing)),
    ),
    el("div", { class: "pad" }, pad, ownCards(question, isAsked), hint ? hintSheet() : null),
    footer(question, isAsked),
  ];
}

function ownTitle(question) {
  const { kind, playing, count, to } = question;
  if (kind === "card") {
    return playing.led ? [say("your card"), " ", suitSymbol(playing.led)] : say("your lead");
  }
  if (kind === "pass") return say("you pass", { count, to: nameOf(to) });
  return say(`your ${kind}`);
}

// The hand, the trick, and what lies in the pot.
function where(playing) {
  const { before, question } = state.hand;
  const { rules, seats, next } = before;
  const parts = [];
  if (question?.kind === "call" && question.bidder) {
    parts.push(say("highest so far", { bid: question.bid, seat: nameOf(question.bidder) }));
  }
  if (question?.kind === "card") {
    const [number, count] = [playing.done.length + 1, tricks(rules, seats.length)];
    parts.push(say("trick of", { number: Math.min(number, count), count }));
  }
  const bid = question?.kind === "card" ? (question.bid ?? 0) : 0;
  if (next.chips) parts.push(say("pot", { pot: next.pot + bid }));
  return parts.join(" · ");
}

function ownCards(question, isAsked) {
  const { hand, open, hint } = state;
  const { kind, count, legal = [] } = question ?? {};
  const chosen = open.chosen ?? [];
  const best = hint?.find((one) => one.isBest)?.cards ?? [];
  const choose = (card) => {
    open.chosen = toggled(chosen, card).slice(-count);
    draw();
  };
  const isTapped = isAsked && ["card", "pass"].includes(kind);
  const key = (card) => {
    const isLegal = kind === "pass" || legal.includes(card);
    return button(cardFace(card), () => (kind === "pass" ? choose(card) : tell(card)), {
      class: ["own-card", isTapped && !isLegal && "illegal", best.includes(card) && "hint"]
        .filter(Boolean)
        .join(" "),
      disabled: !isTapped || !isLegal,
      "aria-pressed": isTapped && kind === "pass" ? String(chosen.includes(card)) : null,
      "data-focus": card,
    });
  };
  const label = { class: "own-cards", role: "group", "aria-label": say("your cards") };
  return el("div", label, hand.cardsOf(own()).map(key));
}

function hintSheet() {
  const { hint, hand } = state;
  const shown = hint.length ? bars(hint, hand.before) : el("p", {}, say("one choice"));
  return el("section", { class: "sheet hint-sheet" }, shown);
}

function footer(question, isAsked) {
  const { hand, open } = state;
  const back = button(say("take back"), takeBack, {
    class: "alt",
    "data-focus": "back",
    disabled: !hand.hasAnswered(own()),
  });
  if (isAsked && question.kind === "pass") {
    const { chosen = [] } = open;
    const pass = button(say("pass these", { count: question.count }), () => tell(chosen), {
      class: "go",
      "data-focus": "pass",
      disabled: chosen.length !== question.count,
    });
    return el("div", { class: "foot" }, back, pass);
  }
  const isCard = isAsked && question.kind === "card";
  const ask = () => {
    state.hint = judgeCards(hand);
    draw();
  };
  const hint = button(say("hint"), ask, { class: "alt", "data-focus": "hint", disabled: !isCard });
  return el("div", { class: "foot of-two" }, back, hint);
}

// The end of a hand: what came of it, what one's own cards cost, and the next one.
function end() {
  const { hand, judged, choice } = state;
  const { after } = hand;
  const next = after.next.over
    ? () => begin(choice, newGame(choice, after.seats.length))
    : () => begin(choice, after);
  return handEnd({ hand, judged, choice, check, next, takeBack });
}

draw();
const { typeface } = document.documentElement.dataset;
document.head.append(el("link", { rel: "stylesheet", href: typeface }));
navigator.serviceWorker?.register("/play/worker.js", { scope: "/play/" }).catch(() => {});
