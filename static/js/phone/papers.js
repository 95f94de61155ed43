// Secret papers: which there are, and what they say once all are open (rules.md D10, D21, D30).

export function paperKinds({ insurance, foot, centre_auction: centre }) {
  const first = insurance === "on" ? ["insurance"] : foot === "on" ? ["foot"] : [];
  return [...first, ...(centre === "on" ? ["centre"] : [])];
}

// Whether anybody can still write such a paper: each has one foot in a game (D30).
export const isWritten = (kind, { seats, next }) =>
  kind !== "foot" || seats.some((seat) => !next.feet_used.includes(seat));

export const secretId = (game, hand, seat, kind) => [game, hand, seat, kind].join("/");

// Whether every seat has sealed its paper, and not every one is open.
export function areSealed(papers, seats, kind) {
  const mine = papers.filter((paper) => paper.kind === kind);
  return mine.length === seats.length && !mine.every((paper) => paper.is_open);
}

// What the opened papers of a hand say, by seat; null where not all are open.
export function openedPapers(papers, seats, kind) {
  const mine = papers.filter((paper) => paper.kind === kind);
  if (mine.length !== seats.length || !mine.every((paper) => paper.is_open)) return null;
  return Object.fromEntries(mine.map(({ seat, value }) => [seat, read(value)]));
}

const read = (value) => (/^\d+$/.test(value ?? "") ? Number(value) : (value ?? "-"));
