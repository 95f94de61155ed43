// Between two rounds: where the phone's player sits next, with whom, and how everybody stands.
import { button, el } from "./dom.js";
import { nameTag } from "./people.js";
import { picture } from "./picture.js";
import { say, seatName } from "./words.js";

export function roundBreak(table, found, actions) {
  return el(
    "div",
    { class: "between" },
    found.schedule ? el("p", { class: "sheet lede" }, found.schedule) : null,
    found.status === "cancelled" ? null : seat(found),
    goOn(table, found, actions),
    scoringChange(found),
    shortStandings(found.standings),
    breakFooter(table, found, actions),
  );
}

function seat({ player, table, sits_out: sitsOut, round }) {
  if (!table) {
    const key = sitsOut ? "sits out" : round ? "no table" : "not drawn";
    const words = { name: player ?? "", round: round ?? "" };
    return el("p", { class: "sheet lede" }, say(`between ${key}`, words));
  }
  const { number, own, seats, called } = table;
  const drawn = picture({ seats, speaks: own }, null, null, (one) => called[one] || seatName(one));
  return el(
    "section",
    { class: "sheet seat-card" },
    el(
      "div",
      {},
      player ? el("p", { class: "help" }, say("you are at", { name: player })) : null,
      el("h2", {}, say("table number", { number })),
      own ? el("p", { class: "own-seat" }, seatName(own)) : null,
    ),
    drawn,
  );
}

function goOn(table, { table: next, game, round }, actions) {
  if (!next) return null;
  if (game && game !== table.game) {
    return button(say("at the table now", { number: next.number }), actions.follow, {
      class: "send",
      "data-focus": "follow",
      "data-first": true,
    });
  }
  return el("p", { class: "help waits" }, say("goes on", { round }));
}

export const scoringChange = ({ scoring_reason: why }) =>
  why ? el("p", { class: "sheet" }, say("scoring changed", { why })) : null;

export function shortStandings(found) {
  if (!found) return null;
  const { after, of, place, up, lines } = found;
  return el(
    "section",
    { class: "sheet standings", "aria-labelledby": "standings" },
    el(
      "div",
      { class: "standings-head" },
      el("h2", { id: "standings" }, say("after round", { number: after })),
      place ? el("p", {}, say("place of", { place, of }), " ", rankChange(up)) : null,
    ),
    el("ol", {}, lines.map(line)),
  );
}

const line = ({ place, name, total, up, is_own: isOwn }) =>
  el(
    "li",
    { class: isOwn ? "own" : "" },
    el("span", { class: "place-of" }, place),
    nameTag(name),
    rankChange(up),
    el("b", {}, total),
  );

export function rankChange(up) {
  if (!up) return el("span", {});
  const words = say(up > 0 ? "rose by" : "fell by", { count: Math.abs(up) });
  return el(
    "span",
    { class: up > 0 ? "change up" : "change down" },
    el("span", { "aria-hidden": "true" }, `${up > 0 ? "▲" : "▼"}${Math.abs(up)}`),
    el("span", { class: "away" }, words),
  );
}

export function breakFooter(table, { url, title }, actions) {
  const share = () => {
    const whole = new URL(url, location.origin).href;
    if (navigator.share) navigator.share({ title, url: whole }).catch(() => {});
    else location.assign(whole);
  };
  return el(
    "div",
    { class: "between-foot" },
    button(
      say(table.phone ? "my hands" : "hands here"),
      () => actions.change({ sheet: table.phone ? "mine" : true, hands: true }),
      { class: "alt", "data-focus": "my hands" },
    ),
    seasonLink(table),
    url ? el("a", { class: "alt", href: url }, say("all places")) : null,
    url && navigator.share
      ? button(say("share results"), share, { class: "alt", "data-focus": "share" })
      : null,
  );
}

// The player's own page, for a phone that follows them. A form, so that no address has the token.
export function seasonLink({ phone }) {
  if (!phone) return null;
  return el(
    "form",
    { method: "post", action: "/my/phone" },
    el("input", { type: "hidden", name: "phone", value: phone }),
    el("button", { type: "submit", class: "alt", "data-focus": "my season" }, say("my season")),
  );
}
