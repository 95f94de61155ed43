// What people do: every act is kept on the phone before anything is sent.
import { uuid7 } from "./identifiers.js";
import * as outbox from "./outbox.js";
import { NoNetwork } from "./api.js";
import { dealOf, isKept, keep, taken } from "./drafts.js";
import { forget, fresh, isBegun, page } from "./page.js";
import { sealed, secretId } from "./papers.js";
import { detail } from "./reading.js";
import { get, put } from "./store.js";

// `turn` sends and reads, `show` shows what is known.
export function makeActs(turn, show) {
  let sending = false;
  let sent = null; // the hand that was sent last

  const acts = {
    turn,
    async tell(answers) {
      const base = page.draft ?? fresh();
      page.draft = { ...base, answers, change: (base.change ?? 0) + 1 };
      Object.assign(page.ui, { chosen: [], more: false, fixing: undefined });
      show();
      await put("drafts", page.draft);
    },
    // Go on with a hand that another phone has told; what was told here is kept there first.
    async goOn(other) {
      if (page.draft && isBegun(page.draft) && !isKept(page.draft)) {
        await turn();
        if (!isKept(page.draft)) return;
      }
      page.draft = taken(other, fresh(), page.draft);
      page.table.cards = Boolean(other.answers.cards);
      page.ui = {};
      show(); // at once: what is tapped next belongs to this hand
      await put("drafts", page.draft);
      await put("tables", page.table);
      await turn();
    },
    // The hand was played: the cards of its board, so that those that follow need not be told.
    async deal() {
      await acts.tell((page.draft ?? fresh()).answers);
      const asked = page.draft;
      const shown = await keep(asked, page.table)
        .then(async (kept) => kept && { ...kept, deal: await dealOf(kept, page.table) })
        .catch((error) => {
          if (error instanceof NoNetwork) return null;
          throw error;
        });
      page.ui.undealt = !shown?.deal;
      if (shown && page.draft?.hand === asked.hand) {
        const { answers, change } = page.draft;
        page.draft = { ...shown, answers, change };
        await put("drafts", page.draft);
      }
      show();
    },
    leave(other) {
      acts.change({ left: [...(page.ui.left ?? []), other.id] });
    },
    // Every card, or only the result; the phone remembers which.
    async mode(cards) {
      page.table.cards = cards;
      await put("tables", page.table);
      await acts.tell(cards ? { cards } : {});
    },
    // The hand as it stands on the pad; papers alone can tell one, of which no question was asked.
    async send(told, draft) {
      if (sending || draft.hand === sent) return; // a second tap on the same button
      sending = true;
      try {
        const { game, number, hand, base, answers, order } = draft;
        const { speaks } = page.table;
        const path = `/api/v1/games/${game}/hands`;
        const { actions, ...result } = told;
        const body = { id: hand, number, ...(actions ? { actions } : { result }) };
        await outbox.add({
          game,
          speaks,
          kind: "hand",
          path,
          body,
          number,
          hand,
          result,
          base,
          answers,
          order,
        });
        sent = hand;
        await forget();
        scrollTo(0, 0); // to what comes of it
      } finally {
        sending = false;
      }
      await turn();
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
    async word(hand, why) {
      const { game, speaks } = page.table;
      const path = `/api/v1/hands/${hand.id}/${why ? "objection" : "confirmation"}`;
      const body = why ? { version: hand.version, why } : { version: hand.version };
      await outbox.add({
        game,
        speaks,
        kind: "word",
        path,
        body,
        number: hand.number,
        about: hand.id,
      });
      Object.assign(page.ui, { objecting: null, why: "" });
      await turn();
    },
    async look(hand) {
      const isOpen = page.ui.hand === hand.id;
      acts.change({ hand: isOpen ? null : hand.id });
      if (isOpen || page.table.details[hand.id]) return;
      const found = await detail(hand.id, page.table).catch(() => null);
      if (found) page.table.details[hand.id] = found;
      show();
    },
    async reopen(item) {
      const isTelling = page.draft && isBegun(page.draft);
      if (isTelling) {
        acts.change({ busy: item.order });
        return;
      }
      // What was refused keeps its place, and stays until the new one takes it.
      const { game, number, base, answers, order } = item;
      page.draft = { game, number, base, answers, order, hand: uuid7() };
      await put("drafts", page.draft);
      await turn();
    },
    async again(item) {
      await outbox.tryAgain(item);
      await turn();
    },
    async giveUp(item) {
      await outbox.takeBack(item);
      page.ui.giving = null;
      await turn();
    },
    async seal(kind, seat, value) {
      const { game } = page.table;
      const number = page.paperHand;
      const paper = sealed(value);
      const id = secretId(game, number, seat, kind);
      if (!(await get("secrets", id))) await put("secrets", { id, ...paper });
      const { seal } = await get("secrets", id);
      const body = { hand: number, seat, kind, seal };
      await outbox.add({
        game,
        speaks: seat,
        kind: "seal",
        path: `/api/v1/games/${game}/papers`,
        body,
        number,
        seat,
        paper: kind,
      });
      page.ui.pen = null;
      await turn();
    },
    async open(kind, seats) {
      const { game } = page.table;
      const number = page.paperHand;
      for (const seat of seats) {
        const kept = await get("secrets", secretId(game, number, seat, kind));
        if (!kept) {
          page.ui.lost = true;
          continue;
        }
        const body = { hand: number, seat, kind, value: kept.value, salt: kept.salt };
        await outbox.add({
          game,
          speaks: seat,
          kind: "opening",
          path: `/api/v1/games/${game}/papers/opening`,
          body,
          number,
          seat,
          paper: kind,
        });
      }
      await turn();
    },
    async speakFor(seat) {
      page.table = { ...page.table, speaks: seat, tag: null, details: {} };
      page.ui = {};
      await put("tables", page.table);
      await turn();
    },
  };

  return acts;
}
