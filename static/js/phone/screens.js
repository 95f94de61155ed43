// What no first sight of a table needs: what was played, two records, secret papers, what waits here,
// what others tell, every card, between the rounds and the end.
export * from "./card_pad.js";
export { askPassed, askPlay } from "./card_questions.js";
export { answersOf, stateBefore } from "./correction.js";
export { sendCall } from "./director.js";
export { disputeTitle, disputeView } from "./dispute.js";
export {
  ended,
  lastHand,
  openDispute,
  openOwnPapers,
  recordCards,
  roundPlayed,
  toBeConfirmed,
  waitingCards,
} from "./hand_cards.js";
export { sealed } from "./paper_panel.js";
export { oneCard, passedCards, someCards } from "./picking.js";
export { sendFailures } from "./reports.js";
export { sheet } from "./sheet.js";
export { otherDraftView } from "./watching.js";
