// A hand that another phone tells: what it has told so far, live; nothing to tap but to tell instead.
import { button, el } from "./dom.js";
import { isSecret } from "./drafts.js";
import { forecast } from "./forecast.js";
import { handSentence, questionTitle } from "./hand_text.js";
import { UNSAID } from "./passing.js";
import { nameOf } from "./people.js";
import { questions } from "./questions.js";
import { slip } from "./slip.js";
import { trickTable } from "./trick_table.js";
import { trickStrip } from "./tricks.js";
import { say } from "./words.js";

export function otherDraftView(other, before, actions) {
  const progress = questions(before, { ...hiddenQuestion(before), ...other.answers });
  const { open, result } = progress;
  const asked = progress.asked.filter((one) => !isSecret(one.key));
  const isDone = !open && asked.length === progress.asked.length;
  const came = isDone ? forecast(before, result) : null;
  const view = {
    asked,
    open,
    at: open,
    result: isDone ? result : null,
    came,
    answers: other.answers,
  };
  const who = other.seat ? nameOf(other.seat) : say("the desk");
  const last = [...asked, open].filter((one) => one?.kind === "card").pop();
  return [
    el(
      "div",
      { class: "place" },
      last ? [trickTable(last, before), trickStrip(last, before)] : slip(before, view, null),
    ),
    el(
      "div",
      { class: "ask review" },
      el("h2", { id: "question", class: "say" }, say("tells", { seat: who })),
      el(
        "p",
        { class: "why" },
        isDone ? handSentence(before, result, came) : open ? questionTitle(open) : "",
      ),
      other.sees_deal ? el("p", { class: "why" }, say("sees deal", { seat: who })) : null,
      button(say("tell from start"), () => actions.setAside(other), {
        class: "txt",
        "data-focus": `leave ${other.id}`,
      }),
    ),
    el(
      "div",
      { class: "foot" },
      button(say("tell instead"), () => actions.goOn(other), {
        class: "alt",
        "data-focus": `go on ${other.id}`,
      }),
    ),
  ];
}

// What the other phone may not tell, as if it were nothing: what was told after it is shown.
export function hiddenQuestion({ seats }) {
  const found = seats.flatMap((seat) => [
    [`paper ${seat}`, 0],
    [`pass ${seat}`, UNSAID],
  ]);
  return Object.fromEntries(found);
}
