// Calling the director to the table: why, what became of it, and taking it back. It is sent at once
// or not at all: a call that waits on a phone calls nobody.
import { authorization, NoNetwork, request } from "./api.js";
import { button, el } from "./dom.js";
import { say } from "./words.js";

const REASONS = ["ruling", "correction", "absence", "other"];

// Call the director, or without a reason withdraw that: what stands now, or why nothing changed.
export async function sendCall(table, reason) {
  const speaks = table.speaks ? `?seat=${table.speaks}` : "";
  const body = reason ? JSON.stringify({ reason }) : undefined;
  try {
    const { status, data } = await request(`/t/call${speaks}`, {
      as: authorization(table),
      method: reason ? "POST" : "DELETE",
      body,
    });
    if (status < 300) return { call: data.call };
    return { problem: data?.detail ?? say("call failed") };
  } catch (error) {
    if (!(error instanceof NoNetwork)) throw error;
    return { problem: say("call failed") };
  }
}

export function directorPanel(call, { calling, callProblem }, actions) {
  if (!calling && !call) return null;
  const reason = call && say(`call ${call.reason}`);
  return el(
    "section",
    { class: "sheet director", "aria-labelledby": "director-title" },
    el("h2", { id: "director-title" }, say("call director")),
    callProblem ? el("p", { class: "problem", role: "alert" }, callProblem) : null,
    call && !call.is_taken
      ? [
          el("p", { role: "status" }, el("b", {}, say("called why", { reason }))),
          el("p", { class: "help" }, say("called help")),
          way(say("withdraw call"), () => actions.callDirector(null), "withdraw", "alt"),
        ]
      : [
          call ? el("p", { role: "status" }, el("b", {}, say("call taken"))) : null,
          el("p", { class: "help" }, say("call why")),
          el(
            "div",
            { class: "reasons" },
            REASONS.map((one) =>
              way(say(`call ${one}`), () => actions.callDirector(one), one, "alt"),
            ),
          ),
        ],
  );
}

const way = (label, act, mark, kind) =>
  button(label, act, { class: kind, "data-focus": `call ${mark}` });
