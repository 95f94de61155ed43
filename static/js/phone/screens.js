// What no first sight of a table needs: what was played, two records, secret papers, what waits here,
// what others tell, every card, between the rounds and the end.
export * from "./card_pad.js";
export { askPassed, askPlay } from "./card_questions.js";
export { answersOf, stateBefore } from "./correction.js";
export { disputeTitle, disputeView } from "./dispute.js";
export { gameEnd } from "./ending.js";
export { nightEnd } from "./night_end.js";
export { paperPanel, sealed } from "./paper_panel.js";
export { oneCard, passedCards, someCards } from "./picking.js";
export { confirmation, lastRecorded, otherRecords } from "./recorded_hands.js";
export { roundBreak } from "./round_break.js";
export { sheet } from "./sheet.js";
export { waitingList } from "./waiting.js";
export { otherDraftView } from "./watching.js";
