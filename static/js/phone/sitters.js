// Who sits where: by name, and people of one name by the number that tells them apart.
import { el } from "./dom.js";

// Where a name may be cut off, but never the number behind it.
export function sitter(seat, { names, marks }) {
  const mark = marks?.[seat];
  return el(
    "span",
    { class: "name" },
    el("bdi", {}, names[seat] ?? ""),
    mark ? [" ", el("span", {}, mark)] : null,
  );
}

// In one line with other words.
export function sitterName(seat, { names, marks }) {
  return [names[seat], marks?.[seat]].filter(Boolean).join(" ");
}
