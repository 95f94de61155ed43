// Telling a hand: the slip, the question, its keys, and the one button that sends it.
import { takenQuestion } from "./captures.js";
import { button, el, safely } from "./dom.js";
import { forecast } from "./forecast.js";
import { questionHint, questionTitle, SEVERAL_CARDS } from "./hand_text.js";
import { keys } from "./keys.js";
import { isBegun, screens } from "./page.js";
import { nameOf } from "./people.js";
import { canCallFoot, questions } from "./questions.js";
import { review } from "./review.js";
import { slip } from "./slip.js";
import { listed, say } from "./words.js";

const TAKING = ["taken", "sum"];
const NAMED = 2; // people at most whose numbers the button misses by name

// The hand as it is told so far. `at` is the question that is asked now: the next one, or one that
// is told otherwise.
export function viewOf(before, answers, key = null) {
  const { asked, open, result } = questions(before, answers);
  const canTake = !answers.cards && [...asked, open].some((one) => TAKING.includes(one?.kind));
  const [group, seat] = (key ?? "").split(" ");
  const again =
    group === "taken" && canTake
      ? takenQuestion(before, answers, painOf(asked, open), seat)
      : asked.find((one) => one.key === key);
  const at = again ?? open;
  const came = result && !at ? forecast(before, result) : null;
  return { asked, open, result: at ? null : result, at, came, canTake, answers };
}

const painOf = (asked, open) => [...asked, open].find((one) => TAKING.includes(one?.kind)).pain;

// `before` is what the hand inherits; `actions` are tell, send, change. `card` takes the place of an
// empty slip.
export function pad(before, draft, ui, actions, card = null) {
  const { answers } = draft;
  const view = viewOf(before, answers, ui.at);
  const fixed = ui.fixing === undefined ? null : screens.cardToCorrect(before, answers, ui.fixing);
  const mend = (key, value) =>
    value === undefined
      ? actions.change({ at: key, more: 0, lower: false, typed: null })
      : actions.tell({ ...answers, [key]: value }, draft);
  const props = { before, draft, ui, actions, view };
  // The whole pack needs the room, and so do words about the board of a hand.
  const isRoomy = !card && (ui.menu ? answers.cards : SEVERAL_CARDS.includes(view.at?.kind));
  const question = fixed ?? view.at;
  const place = () =>
    question?.kind === "card" ? screens.tableView(question, props) : slip(before, view, mend);
  const shown = isRoomy ? null : (card ?? safely("slip", place));
  const parts = () =>
    fixed
      ? screens.correctionPad(fixed, props)
      : ui.menu
        ? menu(props)
        : answers.cards && screens.isTrickOpen(view, ui)
          ? screens.openTrick(props)
          : view.at
            ? asking(view.at, props)
            : looking(props);
  return [
    el("div", { class: "place" }, shown),
    safely("pad", parts),
    safely("foot", () => (answers.cards ? screens.cardFooter(props) : padFooter(props))),
  ];
}

export function prompt(words, more = "") {
  return el(
    "div",
    { class: "ask" },
    el("h2", { id: "question" }, words),
    more ? el("span", { class: "left" }, more) : null,
  );
}

export const padArea = (key, ...made) => el("div", { class: "pad", "data-asked": key }, made);

function asking(question, { before, draft, ui, actions }) {
  const { answers } = draft;
  const { key, kind } = question;
  const answer = (value) => {
    const { [`taken ${value}`]: _wrong, ...others } = answers;
    const now = kind === "sum" ? others : { ...answers, [key]: value };
    return actions.tell(now, draft);
  };
  const asked = kind === "card" ? screens.withShortcuts(question, draft, actions) : question;
  const isSealed = kind === "paper" && before.sealed;
  const more = isSealed ? say("open above") : questionHint(question);
  return [
    prompt(questionTitle(question), more),
    padArea(key, keys(asked, before, ui, answer, actions.change)),
  ];
}

function looking({ before, draft, ui, actions, view }) {
  return [
    el(
      "div",
      { class: "ask review" },
      review(before, view, view.came, draft.mends),
      draft.mends?.act === "objection" ? inWords(draft.mends, actions) : null,
      draft.answers.cards ? screens.playReview(view, before, ui, actions) : null,
    ),
  ];
}

// An objection for which no number can be tapped.
function inWords({ id }, actions) {
  return button(say("object in words"), () => actions.objectInWords(id), {
    class: "txt",
    "data-focus": "words",
  });
}

// The cards of a prepared board, once it was played.
function board(draft, { hasDeal }, ui, actions) {
  if (!draft.answers.cards || !hasDeal) return null;
  return [
    el("p", { class: "help" }, say("board seen")),
    ui.undealt ? el("p", { class: "problem", role: "alert" }, say("board not shown")) : null,
    button(say("show board"), () => actions.deal(draft), {
      class: "key quiet-key",
      "data-focus": "board",
    }),
  ];
}

// What no question leads to; a hand can come to these ends in any phase (DEC-2).
const hasAuction = ({ rules, next }) => rules.pain === "auction" && !next.jackpot;

function menu({ before, draft, ui, actions }) {
  const { answers } = draft;
  const begun = isBegun(draft);
  const one = (words, mark, act) =>
    button(say(words), act, { class: "key quiet-key", "data-focus": mark });
  const end = (ending) => actions.tell({ ...answers, ending }, draft);
  const ends = ["redeal", "abandoned", ...(begun ? [] : ["not played"])];
  const made = ends.map((ending) => one(`end ${ending}`, ending, () => end(ending)));
  const isFoot = !begun && canCallFoot(before);
  if (isFoot) made.push(one("foot called", "foot", () => end("foot")));
  if (!answers.cards) made.push(one("every card", "mode", () => actions.mode(true, draft)));
  if (answers.cards && hasAuction(before) && !Object.hasOwn(answers, "bidder")) {
    const { calls, ...others } = answers;
    const now = calls ? others : { ...answers, calls: true };
    made.push(one(calls ? "highest bid" : "every call", "calls", () => actions.tell(now, draft)));
  }
  if (begun) made.push(one("tell anew", "anew", actions.throwAway));
  return [
    prompt(say("what else")),
    padArea(
      "menu",
      el("div", { class: `keys ${made.length > 3 ? "pairs" : "single"}` }, made),
      board(draft, before, ui, actions),
    ),
  ];
}

export function padFooter({ before, draft, ui, actions, view }) {
  const { answers, number } = draft;
  const { mends } = draft;
  const quiet = mends
    ? button(say("leave it"), actions.throwAway, { class: "alt", "data-focus": "else" })
    : answers.ending
      ? button(say("not so"), () => actions.tell(withoutEnding(answers), draft), {
          class: "alt",
          "data-focus": "else",
        })
      : button(
          say(ui.menu || ui.at ? "go back" : "something else"),
          () => leaveOrAsk(ui, actions),
          {
            class: "alt",
            "aria-expanded": String(Boolean(ui.menu)),
            "data-focus": "else",
          },
        );
  const isSame = mends && JSON.stringify(mends.answers) === JSON.stringify(answers);
  const words = mends ? `send ${mends.act}` : "send hand";
  const main =
    view.result && !isSame
      ? button(say(words, { number }), () => actions.send(view.result, draft), {
          class: "send",
          "data-focus": "send",
          "data-first": true,
        })
      : button(
          isSame
            ? say("tap difference")
            : say("still to tell", { what: listed(missing(before, view)) }),
          () => {},
          {
            class: "send",
            disabled: true,
          },
        );
  return el("div", { class: "foot" }, quiet, main);
}

function leaveOrAsk(ui, actions) {
  actions.change(ui.menu || ui.at ? { menu: false, at: null } : { menu: true });
}

function withoutEnding(answers) {
  const { ending: _not, feet: _nobody, ...rest } = answers;
  return rest;
}

// What is still to be told before the hand can be sent.
function missing({ rules, seats, next }, { asked, at, open, answers }) {
  const isAnswered = (key) => asked.some((one) => one.key === key && key !== at?.key);
  const unanswered = (part) => seats.filter((seat) => !isAnswered(`${part} ${seat}`));
  const some = (part, words) => {
    const left = unanswered(part);
    return left.length > NAMED ? [say(words)] : left.map(nameOf);
  };
  const hasBids = hasAuction({ rules, next });
  const found = [];
  if (hasBids && !answers.cards && !isAnswered("bid")) found.push(say("miss bid"));
  if (rules.pain === "auction" && (hasBids || open?.kind === "suit") && !isAnswered("pain")) {
    found.push(say("miss suit"));
  }
  if (rules.centre_auction === "on" && !asked.some((one) => one.kind === "taken")) {
    if (["bought", "cards"].includes(at.kind)) found.push(say("miss centre"));
  }
  if (answers.cards) found.push(say("miss cards"));
  else found.push(...some("taken", "miss taken"));
  if (rules.queen === "on" && !answers.cards && !isAnswered("queen")) found.push(say("miss queen"));
  const asksPapers = rules.insurance === "on";
  if (!found.length && asksPapers) found.push(...some("paper", "miss papers"));
  return found.length ? found : [say("miss answer")];
}
