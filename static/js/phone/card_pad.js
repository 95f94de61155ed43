// Telling every card: the table in place of the slip, and what else is told, mended and taken back
// card by card.
import { asked as askedBefore, back, cardTaps, exchanged, together, upTo } from "./changes.js";
import { button, el } from "./dom.js";
import { doubtsTold } from "./doubts.js";
import { felt, seatRow } from "./felt.js";
import { keys } from "./keys.js";
import { area, ask, foot } from "./pad.js";
import { isBegun } from "./page.js";
import { nameOf } from "./people.js";
import { shapeOf } from "./picking.js";
import { runs } from "./runs.js";
import { short } from "./telling.js";
import { trickStrip, trickToMend } from "./tricks.js";
import { say } from "./words.js";

// The trick that is being told, in place of the slip, and those before it.
export function onTable(question, { before, ui, acts }) {
  const shown = question.playing.done[ui.looking];
  const isRow = !shown && shapeOf(question, ui) === "whole";
  if (shown) question = { ...question, trick: shown.cards, seat: shown.winner };
  return [
    isRow ? seatRow(question, before) : felt(question, before),
    trickStrip(question, before, ui, acts.change),
  ];
}

const lastCard = ({ asked, at }) => [...asked, at].filter((one) => one?.kind === "card").pop();

// Whether a trick that was told is looked at again.
export const isLooking = (view, { looking }) =>
  typeof looking === "number" && looking < (lastCard(view)?.playing.done.length ?? 0);

export function mending({ before, ui, acts, view }) {
  const { done } = lastCard(view).playing;
  return [
    ask(say("trick went to", { number: ui.looking + 1, seat: nameOf(done[ui.looking].winner) })),
    area("mending", trickToMend(lastCard(view), before, ui.looking, acts.change)),
  ];
}

// A card that was told, and that everything else could be in its place.
export function cardToFix(before, answers, place) {
  const question = askedBefore(before, answers, place);
  return question && { ...question, isFixed: true, claims: [] };
}

// The question of a card, with what its keys tell besides the card: the rest of the trick in one tap,
// that a seat has none of the suit, and the way back.
export function withTaps(question, draft, acts) {
  const { place, playing } = question;
  const { answers } = draft;
  const tell = (now) => acts.tell(now, draft);
  return {
    ...question,
    ways: runs(playing, cardTaps(answers)),
    answerAll: (cards) => tell(together(answers, place, cards)),
    sayVoid: () => tell({ ...answers, [`void ${place}`]: playing.led }),
    back: () => tell(back(answers)),
  };
}

// A card that was told before: another one in its place, or everything from there on anew.
export function fixing(question, { before, draft, acts }) {
  const { answers } = draft;
  const { place } = question;
  const answer = (card) => acts.tell(exchanged(before, answers, place, card), draft);
  return [
    ask(say("other card", { what: short(question) })),
    area("fixing", keys(question, before, {}, answer, acts.change)),
  ];
}

// The play as it was told, before it is sent: what can hardly be, and the tricks.
export function playTold(view, before, ui, acts) {
  const last = lastCard(view);
  return [
    doubtsTold(view.result, before),
    last ? trickStrip(last, before, ui, acts.change) : null,
  ];
}

// Where every card is told there is a way back for every tap, and to the result alone.
export function cardFoot({ before, draft, ui, acts, view }) {
  const { answers, number } = draft;
  if (answers.ending) return foot({ before, draft, ui, acts, view });
  const quiet = (words, mark, act, settings = {}) =>
    button(words, act, { class: "secondary", "data-focus": mark, ...settings });
  if (ui.fixing !== undefined) {
    const leave = quiet(say("leave it"), "leave", () => acts.change({ fixing: undefined }));
    const anew = () => acts.tell(upTo(answers, ui.fixing), draft);
    return el("div", { class: "foot" }, leave, quiet(say("from here"), "from here", anew));
  }
  const isAside = Boolean(ui.menu || ui.at || typeof ui.looking === "number");
  const aside = () => acts.change({ menu: !isAside, at: null, looking: null });
  const more = quiet(isAside ? say("go back") : "⋯", "else", aside, {
    "aria-label": say(isAside ? "go back" : "something else"),
    "aria-expanded": String(Boolean(ui.menu)),
  });
  const undo = quiet(say("take back"), "back", () => acts.tell(back(answers), draft), {
    disabled: !isBegun(draft),
  });
  const main = view.result
    ? button(say("send hand", { number }), () => acts.send(view.result, draft), {
        class: "send",
        "data-focus": "send",
        "data-first": true,
      })
    : quiet(say("result alone"), "mode", () => acts.mode(false, draft));
  if (isAside) return el("div", { class: "foot of-cards aside" }, more, main);
  return el("div", { class: "foot of-cards" }, more, undo, main);
}
