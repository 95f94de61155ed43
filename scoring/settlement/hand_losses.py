"""Losses by decisions, kept for the pages of players: which hands are to be judged, and one hand.

What is kept belongs to one state of a hand: the record, the rules, what the hand before left, and
the judge (`engine.analysis.losses`). Nothing of it counts anywhere.
"""

import hashlib
import json
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from engine.analysis.losses import (
    HALF,
    JUDGE,
    ChoiceOutcome,
    SeatLosses,
    find_losses,
    knows_all_cards,
)
from engine.analysis.worth import THOUSANDTHS
from engine.core.cards import NAMES, show
from engine.core.seats import Seat
from scoring.models import Hand, HandAnalysis, HandVersion, Phase, SeatLoss, State
from scoring.settlement.plan import UNREADABLE, judge_recorded_hand, rules_of
from tournaments.events.events import OVER
from tournaments.models import Analysis, Club

HANDS_A_NIGHT: Final = 400
"""Hands of a club that are judged in one night: at most five minutes of one core."""
HANDS_A_PART: Final = 10
"""So many are judged between two looks at what else is due."""
CARDS_KEPT: Final = 3
"""The largest losses of a seat in a hand that are kept card by card."""

log = structlog.get_logger(__name__)


def find_current_losses() -> QuerySet[SeatLoss]:
    """The losses of hands with all cards that are judged as they are now, wherever they are shown.

    Those by an older judge, of hands that changed since or are disputed, of games that are not
    over, and of clubs that switched the analysis off, are left out.
    """
    return SeatLoss.objects.filter(
        revision=F("hand__revision"),
        judge=JUDGE,
        total__isnull=False,
        hand__in=_find_closed(),
    ).exclude(hand__game__club__analysis=Analysis.OFF)


def _find_closed() -> QuerySet[Hand]:
    """The hands that count of games that are over."""
    return Hand.objects.filter(
        Q(game__table=None) | Q(game__table__round__event__status__in=OVER),
        game__phase__in=(Phase.CLOSED, Phase.OFFICIAL),
        game__removed_at=None,
        rival=None,
        number__lte=F("game__hands"),
        state__in=(State.ACCEPTED, State.RULED),
    )


def find_unjudged(club: Club) -> QuerySet[Hand]:
    """Hands of closed games whose losses are not known for what they are now, the newest first."""
    known = SeatLoss.objects.filter(hand=OuterRef("pk"), revision=OuterRef("revision"), judge=JUDGE)
    closed = _find_closed().filter(game__club=club)
    if club.analysis == Analysis.OFF:
        return closed.none()
    return closed.filter(~Exists(known)).select_related("game__club").order_by("-entered_at", "pk")


def judge_next(place: str, found: str) -> tuple[str, str]:
    """Judge the next hands, club by club; returns where to go on, and what was found so far.

    ``place`` is a club and how many of its hands were judged; it is empty at the beginning and at
    the end, when what was found is said in words. At the beginning all that is kept of hands of
    clubs that switched the analysis off is deleted.
    """
    if not place:
        for rows in (SeatLoss.objects.all(), HandAnalysis.objects.all()):
            rows.filter(hand__game__club__analysis=Analysis.OFF).delete()
    count = int(found or 0)
    key, _, done = place.partition(" ")
    clubs = Club.objects.exclude(analysis=Analysis.OFF).order_by("pk")
    club = (clubs.filter(pk__gte=UUID(key)) if key else clubs).first()
    if club is None:
        return "", f"The losses of {count} hands were estimated."
    judged = int(done or 0) if key == str(club.pk) else 0
    hands = list(find_unjudged(club)[: min(HANDS_A_PART, HANDS_A_NIGHT - judged)])
    for hand in hands:
        judge_losses(hand)
    if hands:
        return f"{club.pk} {judged + len(hands)}", str(count + len(hands))
    following = clubs.filter(pk__gt=club.pk).first()
    if following is None:
        return "", f"The losses of {count} hands were estimated."
    return f"{following.pk} 0", str(count)


def judge_losses(hand: Hand) -> None:
    """Find and keep the losses of every seat in a hand; of one without all cards, that it has none.

    What is kept for the same record, rules and judge stays. A hand that cannot be read has none
    until it changes, so that the others have their turn; `verify` names what is damaged.
    """
    try:
        with transaction.atomic():
            _judge_losses(hand)
    except UNREADABLE:
        log.exception("the losses of a hand cannot be estimated", hand=str(hand.pk))
        with transaction.atomic():
            SeatLoss.objects.filter(hand=hand).delete()
            SeatLoss.objects.bulk_create(
                SeatLoss(hand=hand, seat=seat, revision=hand.revision, judge=JUDGE)
                for seat in range(hand.game.players)
            )


def _judge_losses(hand: Hand) -> None:
    game = hand.game
    played = judge_recorded_hand(game, hand)
    text = HandVersion.objects.values_list("digest", "erased_digest").get(
        hand=hand, number=hand.current
    )
    result = played.judged.result
    good = 0 if result is None else result.replay.good
    facts = [*text, rules_of(game).digest, repr(played.before), good, JUDGE]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    kept = SeatLoss.objects.filter(hand=hand)
    if kept.filter(digest=digest).update(revision=hand.revision):
        return
    rows = []
    for seat in map(Seat, range(game.players)):
        row = SeatLoss(hand=hand, seat=seat, digest=digest, revision=hand.revision, judge=JUDGE)
        if result is not None and result.replay.tricks and knows_all_cards(result.replay):
            _fill(row, find_losses(result.replay, seat, half=HALF))
        rows.append(row)
    kept.delete()
    SeatLoss.objects.bulk_create(rows)


def _fill(row: SeatLoss, losses: SeatLosses) -> None:
    """Write the losses of a seat down."""
    clear = [card for card in losses.cards if card.loss.is_clear]
    clear.sort(key=lambda card: -card.loss.mean)
    row.unit = losses.measure
    row.total, row.error = thousandths(losses.total.mean), thousandths(losses.total.error)
    row.largest = thousandths(clear[0].loss.mean) if clear else 0
    row.cards = [
        {
            "place": card.place,
            "card": NAMES[card.card],
            "choices": [_describe_choice(choice) for choice in card.choices],
        }
        for card in clear[:CARDS_KEPT]
    ]


def thousandths(value: Fraction | float) -> int:
    """A number as it is kept."""
    return round(value * THOUSANDTHS)


def _describe_choice(choice: ChoiceOutcome) -> dict[str, Any]:
    return {
        "cards": show(choice.cards),
        "cost": thousandths(choice.cost.mean),
        "error": thousandths(choice.cost.error),
        "excess": thousandths(choice.excess.mean),
        "excess_error": thousandths(choice.excess.error),
        "deals": choice.deals,
        "queens": choice.queens,
        "clean": choice.clean,
        "taken": choice.taken,
    }
