// What fails on this page takes nothing else with it: a sentence stands in its place (reports.js).
import { el } from "./dom.js";
import { sayOr } from "./words.js";

export const failures = [];

export function safely(part, make) {
  try {
    return make();
  } catch (error) {
    noteFailure(part, error);
    return el("p", { class: "problem", role: "alert" }, sayOr("part failed", part));
  }
}

export function noteFailure(part, error) {
  console.error(error);
  failures.push([part, error]);
}
