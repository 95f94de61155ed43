"""Painsuit's engine: the Hearts family of card games, played, judged and settled exactly.

Pure: values in, values out; only the standard library. Play a hand step by step, with the names of
this package:

    >>> rules = preset("bicycle")
    >>> state = beginning(rules, players=4)
    >>> hand = start(rules, state, deal(rules, 4, range(52)))
    >>> hand.turn, hand.phase
    (1, <Phase.AUCTION: 'auction'>)
    >>> for chips in (3, None, None, None):
    ...     hand = hand.apply(Bid(hand.turn, chips))
    >>> hand = hand.apply(NamePain(hand.turn, Suit.SPADES))
    >>> show(hand.legal_cards)
    'HK95DAT62CJ73'
    >>> print(hand.fault(Play(hand.turn, card("SQ"))).message)
    SQ is led before the suit is broken; legal: HK95DAT62CJ73

Or judge what somebody wrote down: `judge` for a text, `replay` for one record, `Game` for hands
in sequence, `settle` for the bare facts. Rules are data: `preset`, `change`, `describe`.
"""

from .analysis.account import Account, Analysis, AnalysisError, analyse
from .core.cards import Card, CardSet, Suit, card, card_set, members, parse_cards, show
from .core.chips import share
from .core.faults import Code, Fault, Part, Severity
from .core.messages import Message, MessageError
from .core.messages import from_json as message_from_json
from .core.seats import Seat
from .core.translations import translate
from .games.game import Final, Game, HandResult, final, fold, judge_hand
from .games.proposals import proposals, proposals_for
from .live.hand import Hand, IllegalActionError, Phase, Trick, start
from .record.actions import (
    Action,
    Bid,
    CallFoot,
    ChooseMoon,
    ClaimRest,
    Deal,
    Insure,
    NamePain,
    Pass,
    Play,
    Seal,
    TakeCard,
)
from .record.facts import Facts, Status
from .record.game_state import EndReason, GameState, beginning
from .record.irregularities import IRREGULARITIES, Event, Irregularity
from .record.record import Detail, Ending, HandRecord
from .record.rulings import Decision, NextHand, Ruling, RulingError
from .replay.deals import deal
from .replay.opening_state import opening
from .replay.replay import Replay, replay
from .rules.presets import PRESETS, parse_rules, preset
from .rules.rule_sheet import describe, sheet
from .rules.rules import Rules, RulesError, change
from .settlement.payout import Payout, share_pool, winner_takes_all
from .settlement.scoring import Score, score
from .settlement.settlement import Kind, Posting, Settlement, settle
from .verdicts.judge import Judge, Judged, Verdict, judge
from .verdicts.report import report

__version__ = "0.3.0.dev0"

__all__ = [
    "IRREGULARITIES",
    "PRESETS",
    "Account",
    "Action",
    "Analysis",
    "AnalysisError",
    "Bid",
    "CallFoot",
    "Card",
    "CardSet",
    "ChooseMoon",
    "ClaimRest",
    "Code",
    "Deal",
    "Decision",
    "Detail",
    "EndReason",
    "Ending",
    "Event",
    "Facts",
    "Fault",
    "Final",
    "Game",
    "GameState",
    "Hand",
    "HandRecord",
    "HandResult",
    "IllegalActionError",
    "Insure",
    "Irregularity",
    "Judge",
    "Judged",
    "Kind",
    "Message",
    "MessageError",
    "NamePain",
    "NextHand",
    "Part",
    "Pass",
    "Payout",
    "Phase",
    "Play",
    "Posting",
    "Replay",
    "Rules",
    "RulesError",
    "Ruling",
    "RulingError",
    "Score",
    "Seal",
    "Seat",
    "Settlement",
    "Severity",
    "Status",
    "Suit",
    "TakeCard",
    "Trick",
    "Verdict",
    "analyse",
    "beginning",
    "card",
    "card_set",
    "change",
    "deal",
    "describe",
    "final",
    "fold",
    "judge",
    "judge_hand",
    "members",
    "message_from_json",
    "opening",
    "parse_cards",
    "parse_rules",
    "preset",
    "proposals",
    "proposals_for",
    "replay",
    "report",
    "score",
    "settle",
    "share",
    "share_pool",
    "sheet",
    "show",
    "start",
    "translate",
    "winner_takes_all",
]
