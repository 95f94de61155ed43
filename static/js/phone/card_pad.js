// Telling every card: the table in place of the slip, and what else is told, mended and taken back
// card by card.
import {
  askedCard as askedBefore,
  cardTaps,
  upToCard,
  withCardReplaced,
  withCardsFrom,
  withoutLastTap,
} from "./answer_changes.js";
import { button, el } from "./dom.js";
import { doubtList } from "./doubts.js";
import { shortAnswer } from "./hand_text.js";
import { keys } from "./keys.js";
import { padArea, padFooter, prompt } from "./pad.js";
import { isBegun, needsEveryCard } from "./page.js";
import { nameOf } from "./people.js";
import { shapeOf } from "./picking.js";
import { runs } from "./runs.js";
import { seatRow, trickTable } from "./trick_table.js";
import { editableTrick, trickStrip } from "./tricks.js";
import { say } from "./words.js";

// The trick that is being told, in place of the slip, and those before it.
export function tableView(question, { before, ui, actions }) {
  const shown = question.playing.done[ui.looking];
  const isRow = !shown && shapeOf(question, ui) === "whole";
  if (shown) question = { ...question, trick: shown.cards, seat: shown.winner };
  return [
    isRow ? seatRow(question, before) : trickTable(question, before),
    trickStrip(question, before, ui, actions.change),
  ];
}

const lastCard = ({ asked, at }) => [...asked, at].filter((one) => one?.kind === "card").pop();

// Whether a trick that was told is looked at again.
export const isTrickOpen = (view, { looking }) =>
  typeof looking === "number" && looking < (lastCard(view)?.playing.done.length ?? 0);

export function openTrick({ before, ui, actions, view }) {
  const { done } = lastCard(view).playing;
  return [
    prompt(say("trick went to", { number: ui.looking + 1, seat: nameOf(done[ui.looking].winner) })),
    padArea("mending", editableTrick(lastCard(view), before, ui.looking, actions.change)),
  ];
}

// A card that was told, and that everything else could be in its place.
export function cardToCorrect(before, answers, place) {
  const question = askedBefore(before, answers, place);
  return question && { ...question, isFixed: true, claims: [] };
}

// The question of a card, with what its keys tell besides the card: the rest of the trick in one tap,
// that a seat has none of the suit, and the way back.
export function withShortcuts(question, draft, actions) {
  const { place, playing } = question;
  const { answers } = draft;
  const tell = (now) => actions.tell(now, draft);
  return {
    ...question,
    ways: runs(playing, cardTaps(answers)),
    answerAll: (cards) => tell(withCardsFrom(answers, place, cards)),
    sayVoid: () => tell({ ...answers, [`void ${place}`]: playing.led }),
    back: () => tell(withoutLastTap(answers)),
  };
}

// A card that was told before: another one in its place, or everything from there on anew.
export function correctionPad(question, { before, draft, actions }) {
  const { answers } = draft;
  const { place } = question;
  const answer = (card) => actions.tell(withCardReplaced(before, answers, place, card), draft);
  return [
    prompt(say("other card", { what: shortAnswer(question) })),
    padArea("fixing", keys(question, before, {}, answer, actions.change)),
  ];
}

// The play as it was told, before it is sent: what can hardly be, and the tricks.
export function playReview(view, before, ui, actions) {
  const last = lastCard(view);
  return [
    doubtList(view.result, before),
    last ? trickStrip(last, before, ui, actions.change) : null,
  ];
}

// Where every card is told there is a way back for every tap, and to the result alone.
export function cardFooter({ before, draft, ui, actions, view }) {
  const { answers, number } = draft;
  if (answers.ending) return padFooter({ before, draft, ui, actions, view });
  const quiet = (words, mark, act, settings = {}) =>
    button(words, act, { class: "alt", "data-focus": mark, ...settings });
  if (ui.fixing !== undefined) {
    const leave = quiet(say("leave it"), "leave", () => actions.change({ fixing: undefined }));
    const anew = () => actions.tell(upToCard(answers, ui.fixing), draft);
    return el("div", { class: "foot" }, leave, quiet(say("from here"), "from here", anew));
  }
  const isAside = Boolean(ui.menu || ui.at || typeof ui.looking === "number");
  const aside = () => actions.change({ menu: !isAside, at: null, looking: null });
  const more = quiet(isAside ? say("go back") : "⋯", "else", aside, {
    "aria-label": say(isAside ? "go back" : "something else"),
    "aria-expanded": String(Boolean(ui.menu)),
  });
  const undo = quiet(say("take back"), "back", () => actions.tell(withoutLastTap(answers), draft), {
    disabled: !isBegun(draft),
  });
  const main = view.result
    ? button(say("send hand", { number }), () => actions.send(view.result, draft), {
        class: "send",
        "data-focus": "send",
        "data-first": true,
      })
    : needsEveryCard(before)
      ? null
      : quiet(say("result alone"), "mode", () => actions.mode(false, draft));
  if (isAside) return el("div", { class: "foot of-cards aside" }, more, main);
  return el("div", { class: "foot of-cards" }, more, undo, main);
}
