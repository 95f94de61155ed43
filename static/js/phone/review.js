// The hand as it was told, before it is sent: in a sentence, in the place of the pad.
import { el } from "./dom.js";
import { dueSentences } from "./dues.js";
import { handSentence, shortAnswer } from "./hand_text.js";
import { nameOf } from "./people.js";
import { say } from "./words.js";

export function review(before, { asked, result, answers }, came, mends) {
  const dues = dueSentences(came?.dues);
  const filled = asked.filter((one) => one.kind === "taken" && one.isFilled && one.value > 0);
  const others = asked.filter((one) => OTHERS.includes(one.kind)).map(shortAnswer);
  const more = [
    ...filled.map(({ seat, value }) => say("what is left", { seat: nameOf(seat), value })),
    came && before.next.chips && !result.ending ? say("pot becomes", { pot: came.next.pot }) : null,
    came && came.next.phase !== "over" && nextDealer(before, came),
    ...others,
  ];
  const isPlain = !answers.cards && !result.ending;
  const { number } = before.next;
  const help = mends ? say(`mend ${mends.act}`) : isPlain ? say("tap what is wrong") : null;
  return [
    el(
      "h2",
      { id: "question", class: "say" },
      [handSentence(before, result, came), ...dues].join(" "),
    ),
    el("p", { class: "why" }, more.filter(Boolean).join(" ")),
    before.isOvertaken
      ? el("p", { class: "why" }, say("overtaken", { number }))
      : help && el("p", { class: "why" }, help),
  ];
}

const OTHERS = ["moon", "tricks", "rebuys", "rebuys_after"];

const nextDealer = ({ next }, came) =>
  came.next.dealer === next.dealer ? null : say("deals next", { seat: nameOf(came.next.dealer) });

// `isGood`: more is better, as with chips; of points nobody wants any.
export function totalChange(was, is, isGood) {
  const by = is - was;
  const kind = by === 0 ? "same" : by > 0 === isGood ? "up" : "down";
  const text = by > 0 ? `+${by}` : by < 0 ? `−${-by}` : "±0";
  return [el("b", {}, String(is)), " ", el("span", { class: `change ${kind}` }, text)];
}
