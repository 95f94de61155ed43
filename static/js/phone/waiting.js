// What waits on this phone, and what the server did not take: nothing leaves without a decision.
import { button, el } from "./dom.js";
import { facts } from "./telling.js";
import { say } from "./words.js";

export function waitingList({ table, queue, ui }, acts, isWhole = false) {
  const refused = queue.filter((item) => item.state === "refused");
  if (!queue.length || (!refused.length && !isWhole)) return null;
  return el(
    "section",
    {
      class: `sheet waiting-list ${refused.length ? "refused" : ""}`,
      "aria-label": say("waiting here"),
    },
    el("h2", {}, say(refused.length ? "not taken" : "waiting here")),
    refused.length ? null : el("p", { class: "help" }, say("sent by itself")),
    el(
      "ol",
      {},
      queue.map((item) => line(item, table, ui, acts)),
    ),
  );
}

function line(item, table, ui, acts) {
  return el(
    "li",
    {},
    el("p", {}, el("b", {}, say(`item ${item.kind}`, { number: item.number }))),
    item.result
      ? el(
          "ul",
          { class: "record-facts" },
          facts(item.result, table.seats).map((text) => el("li", {}, text)),
        )
      : null,
    item.state === "refused" ? problem(item, ui, acts) : null,
  );
}

function problem(item, ui, acts) {
  const { detail, hint, title } = item.problem ?? {};
  const said = [detail ?? title ?? say("no reason"), hint].filter(Boolean).join(" ");
  const asking = ui.giving === item.order;
  return [
    el("p", { class: "problem" }, said),
    ui.busy === item.order ? el("p", { class: "help", role: "alert" }, say("finish first")) : null,
    el(
      "div",
      { class: "actions" },
      item.kind === "hand"
        ? button(say("change and send"), () => acts.reopen(item), {
            "data-focus": `reopen ${item.order}`,
          })
        : null,
      button(say("try again"), () => acts.again(item), {
        class: "secondary",
        "data-focus": `again ${item.order}`,
      }),
      button(
        say(asking ? "really give up" : "give up"),
        () => (asking ? acts.giveUp(item) : acts.change({ giving: item.order })),
        {
          class: "secondary",
          "data-focus": `give ${item.order}`,
        },
      ),
    ),
  ];
}
