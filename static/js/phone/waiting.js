// What waits on this phone, and what the server did not take: nothing leaves without a decision.
import { button, el } from "./dom.js";
import { recordFacts } from "./hand_text.js";
import { say } from "./words.js";

export function waitingList({ table, queue, ui }, actions, isWhole = false) {
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
      queue.map((item) => line(item, table, ui, actions)),
    ),
  );
}

function line(item, table, ui, actions) {
  return el(
    "li",
    {},
    el("p", {}, el("b", {}, say(`item ${item.kind}`, { number: item.number }))),
    item.result
      ? el(
          "ul",
          { class: "record-facts" },
          recordFacts(item.result, table.seats).map((text) => el("li", {}, text)),
        )
      : null,
    item.state === "refused" ? problem(item, ui, actions) : null,
  );
}

function problem(item, ui, actions) {
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
        ? button(say("change and send"), () => actions.reopen(item), {
            class: "go",
            "data-focus": `reopen ${item.order}`,
          })
        : null,
      button(say("try again"), () => actions.again(item), {
        class: "alt",
        "data-focus": `again ${item.order}`,
      }),
      button(
        say(asking ? "really give up" : "give up"),
        () => (asking ? actions.giveUp(item) : actions.change({ giving: item.order })),
        {
          class: "alt",
          "data-focus": `give ${item.order}`,
        },
      ),
    ),
  ];
}
