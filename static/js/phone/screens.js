// What no first sight of a table needs: what was played, two records, secret papers, what waits here,
// what others tell, every card, between the rounds and the end.
export { lastAnswer, rivals, toConfirm } from "./answers.js";
export { between } from "./between.js";
export { cardByCard, passed } from "./card_course.js";
export * from "./card_pad.js";
export { ending } from "./ending.js";
export { answersOf, stateBefore } from "./mending.js";
export { nightEnd } from "./night_end.js";
export { paperPanel, sealed } from "./paper_panel.js";
export { oneCard, passedCards, someCards } from "./picking.js";
export { sheet } from "./sheet.js";
export { disputeTitle, versions } from "./versions.js";
export { waitingList } from "./waiting.js";
export { watching } from "./watching.js";
