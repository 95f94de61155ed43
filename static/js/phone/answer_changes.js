// Taking back and changing what was told of a hand.
import { isOfPlay } from "./page.js";
import { questions } from "./questions.js";

const isCard = (name) => name.startsWith("card ");
const isRun = (name) => name.startsWith("run "); // how many cards one tap told, from its place on
const FOLLOWING = { taken: ["taken", "queen"], bid: ["bid", "highest"] };
const placeOf = (name) => Number(name.split(" ")[1]);

// The answers without one of them, and without those that would no longer fit.
export function withoutAnswer(answers, key) {
  const [group] = key.split(" ");
  const kept = Object.entries(answers);
  const place = kept.findIndex(([name]) => name === key);
  const follows = ["card", "run", "void", ...(FOLLOWING[group] ?? [])];
  const isStale = (name) => follows.includes(name.split(" ")[0]);
  return Object.fromEntries(
    kept.filter(([name], at) => at !== place && !(at > place && isStale(name))),
  );
}

// The answers with several cards that one tap told; those that follow by themselves are no answers.
export function withCardsFrom(answers, place, cards) {
  const added = cards
    .map(({ card, isFilled }, at) => !isFilled && [`card ${place + at}`, card])
    .filter(Boolean);
  return { ...answers, [`run ${place}`]: cards.length, ...Object.fromEntries(added) };
}

// The answers without the last tap.
export function withoutLastTap(answers) {
  const last = Object.keys(answers).pop() ?? "";
  const start = isCard(last) ? startOf(answers, placeOf(last)) : null;
  if (start !== null && `run ${start}` in answers) return upToCard(answers, start);
  return Object.fromEntries(Object.entries(answers).slice(0, -1));
}

// How many taps told the cards.
export function cardTaps(answers) {
  const places = Object.keys(answers).filter(isCard).map(placeOf);
  return new Set(places.map((place) => startOf(answers, place))).size;
}

// The place from which on one tap told the card of this place.
function startOf(answers, place) {
  const run = Object.keys(answers).find((name) => holds(answers, name, place));
  return run ? placeOf(run) : place;
}

const holds = (answers, name, place) =>
  isRun(name) && placeOf(name) <= place && place < placeOf(name) + answers[name];

// The answers without a card and all that were played after it.
export function upToCard(answers, place) {
  const kept = Object.entries(answers).filter(([name]) => !isOfPlay(name) || placeOf(name) < place);
  return Object.fromEntries(kept);
}

// The question of one card that was told already, as it was asked.
export function askedCard(before, answers, place) {
  return questions(before, answers).asked.find((one) => one.kind === "card" && one.place === place);
}

// Another card in its place; a later one that was told as this is now the one that was here. Where
// somebody else wins the trick then, what was told after it was of other seats: it is left out.
export function withCardReplaced(before, answers, place, card) {
  const old = askedCard(before, answers, place)?.value;
  const swap = { [card]: old, [old]: card };
  const all = Object.entries(answers)
    .filter(([name]) => !holds(answers, name, place) && name !== `void ${place}`)
    .map(([name, value]) => {
      const isLater = isCard(name) && placeOf(name) >= place;
      return [name, isLater ? (swap[value] ?? value) : value];
    });
  const now = { ...Object.fromEntries(all), [`card ${place}`]: card };
  const winners = (given) => enteredTricks(before, given).map(({ winner }) => winner);
  const [was, is] = [winners(answers), winners(now)];
  const size = before.seats.length;
  const first = is.findIndex((winner, at) => was[at] !== undefined && winner !== was[at]);
  return first < 0 ? now : upToCard(now, (first + 1) * size);
}

// The tricks that were told.
export function enteredTricks(before, answers) {
  const { asked: all, open } = questions(before, answers);
  const last = [...all, open].filter((one) => one?.kind === "card").pop();
  return last ? last.playing.done : [];
}
