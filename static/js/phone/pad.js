// The pad: one question at a time, what was told so far, and the hand to look at and send.
import { button, el } from "./dom.js";
import { back, course, without } from "./course.js";
import { forecast } from "./forecast.js";
import { keys } from "./keys.js";
import { review } from "./review.js";
import { hint, short, title } from "./telling.js";
import { say, seatName } from "./words.js";

// `before` is what the hand inherits; `acts` are tell, send, change.
export function pad(before, draft, open, acts) {
  const { asked, open: question, result } = course(before, draft.answers);
  const head = el(
    "p",
    { class: "step" },
    say("hand deals", { number: draft.number, seat: seatName(before.next.dealer) }),
  );
  const body = question
    ? asking(question, before, draft, open, acts)
    : looking(before, draft, result, acts);
  const told = soFar(asked, draft, acts);
  return el(
    "section",
    { class: "sheet pad", "aria-labelledby": "question" },
    head,
    body,
    told,
    otherwise(question, draft, acts),
  );
}

function asking(question, before, draft, open, acts) {
  const answer = (value) => acts.tell({ ...draft.answers, [question.key]: value });
  const more = [before.names[question.seat], hint(question)].filter(Boolean);
  return [
    el("h2", { id: "question" }, title(question)),
    more.length ? el("p", { class: "help" }, more.join(" · ")) : null,
    keys(question, before, open, answer, acts.change),
  ];
}

function looking(before, draft, result, acts) {
  const came = forecast(before, result);
  return [
    el("h2", { id: "question" }, say("is it right")),
    review(before, result, came),
    button(say("send hand", { number: draft.number }), () => acts.send(result), {
      class: "send",
      "data-focus": "send",
      "data-first": true,
    }),
  ];
}

// What was told: every answer can be taken back by itself, and the last one by one tap.
function soFar(asked, draft, acts) {
  if (!Object.keys(draft.answers).some((key) => key !== "cards")) return null;
  const shown = asked.filter((one) => one.kind !== "card");
  const items = shown.map((one) =>
    el(
      "li",
      {},
      button(short(one), () => acts.tell(without(draft.answers, one.key)), {
        class: "told",
        "aria-label": say("change that", { what: short(one) }),
        "data-focus": `told ${one.key}`,
      }),
    ),
  );
  const undo = button(say("one back"), () => acts.tell(back(draft.answers)), {
    class: "secondary",
    "data-focus": "back",
  });
  return el(
    "div",
    { class: "so-far" },
    el("ul", { class: "told-list", "aria-label": say("told so far") }, items),
    undo,
  );
}

// Ends of a hand that no question leads to.
function otherwise(question, draft, acts) {
  const isBegun = Object.keys(draft.answers).some((key) => key !== "cards");
  if (!question || isBegun) return null;
  const ends = ["not played", "redeal"].map((ending) =>
    button(say(`end ${ending}`), () => acts.tell({ ending }), {
      class: "secondary",
      "data-focus": ending,
    }),
  );
  const { cards } = draft.answers;
  const mode = button(say(cards ? "only result" : "every card"), () => acts.mode(!cards), {
    class: "secondary",
    "data-focus": "mode",
  });
  const words = el("summary", {}, say("something else"));
  const more = el("details", { class: "otherwise" }, words, el("div", { class: "actions" }, ends));
  return el("div", { class: "actions" }, mode, more);
}
