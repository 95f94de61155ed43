// Taking back and changing what was told of a hand.
import { course } from "./course.js";

const isCard = (name) => name.startsWith("card ");
const placeOf = (name) => Number(name.slice("card ".length));

// The answers without one of them, and without those that would no longer fit.
export function without(answers, key) {
  const [group] = key.split(" ");
  const kept = Object.entries(answers);
  const place = kept.findIndex(([name]) => name === key);
  const follows = ["taken", "bid"].includes(group) ? [group, "card"] : ["card"];
  const isStale = (name) => follows.includes(name.split(" ")[0]);
  return Object.fromEntries(
    kept.filter(([name], at) => at !== place && !(at > place && isStale(name))),
  );
}

// The answers without the last one.
export function back(answers) {
  return Object.fromEntries(Object.entries(answers).slice(0, -1));
}

// The answers without a card and all that were played after it.
export function upTo(answers, place) {
  const kept = Object.entries(answers).filter(([name]) => !isCard(name) || placeOf(name) < place);
  return Object.fromEntries(kept);
}

// The question of one card that was told already, as it was asked.
export function asked(before, answers, place) {
  return course(before, answers).asked.find((one) => one.kind === "card" && one.place === place);
}

// Another card in its place; a later one that was told as this is now the one that was here. Where
// somebody else wins the trick then, what was told after it was of other seats: it is left out.
export function exchanged(before, answers, place, card) {
  const old = asked(before, answers, place)?.value;
  const swap = { [card]: old, [old]: card };
  const all = Object.entries(answers).map(([name, value]) => {
    const isLater = isCard(name) && placeOf(name) >= place;
    return [name, isLater ? (swap[value] ?? value) : value];
  });
  const now = { ...Object.fromEntries(all), [`card ${place}`]: card };
  const winners = (told) => tricks(before, told).map(({ winner }) => winner);
  const [was, is] = [winners(answers), winners(now)];
  const size = before.seats.length;
  const first = is.findIndex((winner, at) => was[at] !== undefined && winner !== was[at]);
  return first < 0 ? now : upTo(now, (first + 1) * size);
}

// The tricks that were told.
export function tricks(before, answers) {
  const { asked: all, open } = course(before, answers);
  const last = [...all, open].filter((one) => one?.kind === "card").pop();
  return last ? last.playing.done : [];
}
