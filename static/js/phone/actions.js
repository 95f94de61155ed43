// What people do: every act is kept on the phone before anything is sent.
import { NoNetwork } from "./api.js";
import { continueDraft, dealOf, isSaved, saveDraft } from "./drafts.js";
import { fetchHand, fetchResult } from "./fetching.js";
import { stopFollowing, withoutPlayer } from "./following.js";
import { uuid7 } from "./identifiers.js";
import { screens } from "./page.js";
import * as outbox from "./outbox.js";
import {
  clearPad,
  discardDraft,
  isBegun,
  isCurrent,
  newDraft,
  otherRecordOf,
  page,
  withMode,
} from "./page.js";
import { secretId } from "./papers.js";
import { get, put } from "./store.js";

// `turn` sends and reads, `show` shows what is known, `lookUp` shows what waits on this phone.
export function makeActions(turn, show, lookUp) {
  let sent = null; // the hand that was sent last
  const busy = new Set(); // what is being put into the queue, or taken out of it

  // Whether a tap on the pad belongs to what is being told, and not to what was there before.
  const isMeant = (drawn) => drawn.hand !== sent && isCurrent(drawn);

  // Something that waits on this phone changes: once, however often it is tapped, and seen at once,
  // also while the network is slow.
  async function queued(mark, act) {
    if (busy.has(mark)) return;
    busy.add(mark);
    try {
      await act();
      page.changes += 1;
      await lookUp();
    } finally {
      busy.delete(mark);
    }
    await turn();
  }

  const actions = {
    // `drawn`: the hand as the pad shows it, on which was tapped.
    async tell(answers, drawn) {
      if (!isMeant(drawn)) {
        show();
        return;
      }
      const base = page.draft ?? drawn;
      page.draft = { ...base, answers, change: (base.change ?? 0) + 1 };
      clearPad();
      show();
      await put("drafts", page.draft);
    },
    // Go on with a hand that another phone has told; what was told here is kept there first.
    async goOn(other) {
      if (page.draft && isBegun(page.draft) && !isSaved(page.draft)) {
        await turn();
        if (!page.draft || !isSaved(page.draft)) return;
      }
      const begun = newDraft();
      if (begun.number !== other.number) return; // it was settled meanwhile
      page.draft = continueDraft(other, begun, page.draft);
      page.table.cards = Boolean(other.answers.cards);
      page.ui = {};
      show(); // at once: what is tapped next belongs to this hand
      await put("drafts", page.draft);
      await put("tables", page.table);
      await turn();
    },
    // The hand was played: the cards of its board, so that those that follow need not be told.
    async deal(drawn) {
      await actions.tell(drawn.answers, drawn);
      const asked = page.draft;
      if (asked?.number !== drawn.number) return;
      const shown = await saveDraft(asked, page.table)
        .then(async (kept) => kept && { ...kept, deal: await dealOf(kept, page.table) })
        .catch((error) => {
          if (error instanceof NoNetwork) return null;
          throw error;
        });
      page.ui.undealt = !shown?.deal;
      if (shown && page.draft?.hand === asked.hand) {
        const { answers, change } = page.draft;
        page.draft = { ...shown, answers, change };
        show();
        await put("drafts", page.draft);
      } else {
        show();
      }
    },
    setAside(other) {
      actions.change({ left: [...(page.ui.left ?? []), other.id] });
    },
    // Every card, or only the result: what was told stays, and the phone remembers which.
    async mode(cards, drawn) {
      page.table.cards = cards;
      await actions.tell(withMode(cards, drawn.answers), drawn);
      await put("tables", page.table);
    },
    // The hand as it stands on the pad; papers alone can tell one, of which no question was asked.
    async send(entry, draft) {
      if (!isMeant(draft)) {
        show();
        return;
      }
      sent = draft.hand;
      await queued(`hand ${sent}`, async () => {
        await (draft.mends ? tellOtherwise(entry, draft) : handOver(entry, draft)).catch(
          (error) => {
            sent = null;
            throw error;
          },
        );
        await discardDraft();
        scrollTo(0, 0); // to what comes of it
      });
    },
    throwAway() {
      // What the server keeps of it is nobody else's telling.
      if (page.draft) page.ui.left = [...(page.ui.left ?? []), page.draft.hand];
      return queued("draft", discardDraft);
    },
    async objectInWords(id) {
      await actions.throwAway();
      actions.change({ objecting: id });
    },
    change(some) {
      Object.assign(page.ui, some);
      show();
    },
    keep(some) {
      Object.assign(page.ui, some);
    },
    typed(why) {
      page.ui.why = why;
    },
    word(hand, why) {
      return actions.say(hand, why ? "objection" : "confirmation", why ? { why } : {});
    },
    // What a seat says of a hand on record.
    say(hand, act, more = {}) {
      const { game, speaks } = page.table;
      const { id, number, version } = hand;
      const path = `/api/v1/hands/${id}/${act}`;
      const body = { version, ...more };
      return queued(`word ${id}`, async () => {
        await outbox.add({ game, speaks, kind: "word", path, body, number, about: id });
        Object.assign(page.ui, { objecting: null, why: "" });
      });
    },
    // Call the director, or without a reason withdraw that; nothing of it waits on the phone.
    async callDirector(reason) {
      if (busy.has("call")) return;
      busy.add("call");
      const asked = page.table;
      try {
        const { call, problem } = await screens.sendCall(asked, reason);
        page.ui.callProblem = problem ?? null;
        if (!problem && page.table === asked) page.news = { ...page.news, call };
      } finally {
        busy.delete("call");
      }
      show();
    },
    // Which record is right: "first", "second", "neither", or let the "director" decide.
    settle(hand, choice) {
      const { hand: id } = otherRecordOf(hand) ?? { hand: hand.id };
      return actions.say({ ...hand, id }, "agreement", { choice });
    },
    // Tell a hand on record otherwise: `act` is "take-back" for one's own, else "objection".
    async mend(hand, act) {
      const result = hand.result ?? (await fetchResult(hand, page.table));
      if (!result || (page.draft && isBegun(page.draft))) {
        actions.change({ objecting: hand.id });
        return;
      }
      const { game } = page.table;
      const answers = screens.answersOf(result);
      const mends = { id: hand.id, number: hand.number, version: hand.version, act, answers };
      const base = screens.stateBefore(hand, page.table);
      page.draft = { game, number: hand.number, base, answers, hand: uuid7(), mends };
      page.ui = {};
      show();
      await put("drafts", page.draft);
    },
    async look(hand) {
      const isOpen = page.ui.hand === hand.id;
      actions.change({ hand: isOpen ? null : hand.id });
      if (isOpen || page.table.details[hand.id]) return;
      const found = await fetchHand(hand.id, page.table).catch(() => null);
      if (found) page.table.details[hand.id] = found;
      show();
    },
    async reopen(item) {
      const hasAnswers = page.draft && isBegun(page.draft);
      if (hasAnswers) {
        actions.change({ busy: item.order });
        return;
      }
      // What was refused keeps its place, and stays until the new one takes it.
      const { game, number, base, answers, order } = item;
      page.draft = { game, number, base, answers, order, hand: uuid7() };
      clearPad();
      show();
      await put("drafts", page.draft);
      await turn();
    },
    again(item) {
      return queued(`item ${item.order}`, () => outbox.tryAgain(item));
    },
    giveUp(item) {
      return queued(`item ${item.order}`, async () => {
        await outbox.takeBack(item);
        page.ui.giving = null;
      });
    },
    // `next`: whose paper is written on this phone after this one.
    seal(kind, seat, value, next = null) {
      const { game } = page.table;
      const number = page.paperHand;
      const id = secretId(game, number, seat, kind);
      return queued(id, async () => {
        if (!(await get("secrets", id))) await put("secrets", { id, ...screens.sealed(value) });
        const { seal } = await get("secrets", id);
        await addPaper("seal", { game, number, seat, kind }, { seal });
        page.ui.pen = next;
      });
    },
    open(kind, seats) {
      const { game } = page.table;
      const number = page.paperHand;
      return queued([kind, ...seats].join(" "), async () => {
        for (const seat of seats) {
          const kept = await get("secrets", secretId(game, number, seat, kind));
          const paper = { game, number, seat, kind };
          if (kept) await addPaper("opening", paper, { value: kept.value, salt: kept.salt });
          else page.ui.lost = true;
        }
      });
    },
    // `mine`: the phone is that person's own, and goes with them.
    async speakFor(seat, mine = false) {
      const unfollowed = null;
      page.table = { ...page.table, speaks: seat, mine, unfollowed, tag: null, details: {} };
      page.ui = {};
      show();
      await put("tables", page.table);
      await turn();
    },
    // The phone is no longer that of whom it followed.
    async leave() {
      const followed = page.table;
      page.table = {
        ...followed,
        ...withoutPlayer(followed),
        speaks: null,
        tag: null,
        details: {},
      };
      page.ui = {};
      show();
      await put("tables", page.table);
      await stopFollowing(followed);
    },
    follow() {
      return turn();
    },
  };

  return actions;
}

// Put a hand into the queue, as it is sent and as it is shown meanwhile.
function handOver(entry, { game, number, hand, base, answers, order }) {
  const { speaks } = page.table;
  const path = `/api/v1/games/${game}/hands`;
  const { actions, ...result } = entry;
  const body = { id: hand, number, ...(actions ? { actions } : { result }) };
  const shown = { number, hand, result, base, answers, order };
  return outbox.add({ game, speaks, kind: "hand", path, body, ...shown });
}

// A hand on record as it is told instead.
function tellOtherwise(entry, { game, number, hand, mends }) {
  const { speaks } = page.table;
  const { id, version, act } = mends;
  const path = `/api/v1/hands/${id}/${act}`;
  const body = { version, result: entry, ...(act === "objection" ? { id: hand } : {}) };
  return outbox.add({ game, speaks, kind: "word", path, body, number, about: id, result: entry });
}

function addPaper(act, { game, number, seat, kind }, said) {
  const path = `/api/v1/games/${game}/papers${act === "seal" ? "" : "/opening"}`;
  const body = { hand: number, seat, kind, ...said };
  return outbox.add({ game, speaks: seat, kind: act, path, body, number, seat, paper: kind });
}
