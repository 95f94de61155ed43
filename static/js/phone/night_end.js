// The end of a night: the place, who pays whom, and what each round brought.
import { el } from "./dom.js";
import { breakFooter, scoringChange, shortStandings } from "./round_break.js";
import { nameTag } from "./people.js";
import { say } from "./words.js";

const FIRST = [1, 0, 2]; // the winner stands in the middle
const COUNTING = 1200; // milliseconds
const counted = new Set(); // the nights whose total was counted up: a page is drawn again and again

export function nightEnd(table, found, actions) {
  const { player, standings: ranked, end } = found;
  const place = ranked?.place;
  const isWinner = place === "1" || place === "=1";
  return el(
    "div",
    { class: "between night-end" },
    el(
      "p",
      { class: "status" },
      say(found.status === "official" ? "is official" : "is provisional"),
    ),
    place
      ? el(
          "div",
          { class: isWinner ? "own-place winner" : "own-place" },
          el("p", { class: "help" }, isWinner ? player : say("you came", { name: player })),
          el(
            "h2",
            {},
            isWinner
              ? say(place === "1" ? "you win" : "you share first")
              : say("place of", { place, of: ranked.of }),
          ),
          isWinner ? disc(found.event) : null,
          end?.total ? ownTotal(found.event, end.total) : null,
        )
      : el("h2", {}, say("night over")),
    ranked ? podium(ranked.lines.slice(0, 3)) : null,
    scoringChange(found),
    end ? end.money.map(money) : null,
    end?.prize
      ? el("p", { class: "sheet prize" }, say("prize at desk", { amount: end.prize }))
      : null,
    end?.rounds.length ? rounds(end.rounds) : shortStandings(ranked),
    breakFooter(table, found, actions),
    end?.league ? el("p", { class: "help next-night" }, say("league place", end.league)) : null,
    end?.next ? el("p", { class: "help next-night" }, say("next night", { when: end.next })) : null,
  );
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The place of the winner, which lights up once.
function disc(night) {
  const shown = el("b", { class: "disc", "aria-hidden": "true" }, "1");
  if (!counted.has(night) && !isStill()) {
    const small = { scale: 0.5, boxShadow: "0 0 0 0 #f4c352" };
    shown.animate([small, {}], { duration: COUNTING, easing: "ease-out" });
  }
  return shown;
}

// The total counts up once; it stands still where motion is not wanted.
function ownTotal(night, total) {
  const shown = el("b", { "aria-hidden": "true" }, total);
  if (!counted.has(night) && !isStill()) {
    const began = performance.now();
    const step = (now) => {
      const share = Math.min((now - began) / COUNTING, 1);
      shown.textContent = countedText(total, share);
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  counted.add(night);
  return el("p", { class: "own-total" }, shown, el("span", { class: "away" }, total));
}

// A total on its way up: its whole number as far as it was counted; exact at the end.
export function countedText(total, share) {
  if (share >= 1) return total;
  return total.replace(/\d+([.,]\d+)?/, (number) =>
    String(Math.floor(Number.parseFloat(number.replace(",", ".")) * Math.max(share, 0))),
  );
}

function podium(lines) {
  const shown = FIRST.map((place) => lines[place]).filter(Boolean);
  return el(
    "ol",
    { class: "podium" },
    shown.map(({ place, name, total, is_own: isOwn }) =>
      el(
        "li",
        { class: isOwn ? "own" : "", "data-place": place.replace("=", "") },
        nameTag(name),
        el("span", {}, total),
        el("b", {}, place),
      ),
    ),
  );
}

function money({ total, is_gain: isGain, payments }) {
  const paid = ({ name, amount, is_due: isDue }) => {
    const who = name
      ? say(isDue ? "you pay" : "pays you", { name })
      : say(isDue ? "you pay club" : "club pays you");
    return el("li", {}, el("span", {}, who), el("b", {}, amount));
  };
  return el(
    "section",
    { class: "sheet money" },
    el(
      "h2",
      {},
      el("span", {}, say("money")),
      el("b", { class: isGain ? "change up" : "change down" }, total),
    ),
    payments.length
      ? el("ul", {}, payments.map(paid))
      : el("p", { class: "help" }, say("nothing to pay")),
  );
}

function rounds(all) {
  const one = ({ number, table, value, place }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, String(number)),
      el("td", {}, table === null ? "–" : String(table)),
      el("td", {}, el("b", {}, value)),
      el("td", {}, place === null ? "" : String(place)),
    );
  return el(
    "section",
    { class: "sheet" },
    el("h2", {}, say("your rounds")),
    el(
      "table",
      { class: "counts" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["round", "table", "result", "place"].map((key) =>
            el("th", { scope: "col" }, say(`column ${key}`)),
          ),
        ),
      ),
      el("tbody", {}, all.map(one)),
    ),
  );
}
