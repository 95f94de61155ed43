"""All reads, each in a fixed number of queries."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Left

from scoring.models import (
    REASON_MAX,
    Decided,
    Delivery,
    EntryFee,
    Form,
    Game,
    Hand,
    HandVersion,
    Holder,
    SharedRecord,
    Sitting,
    State,
    Webhook,
    Word,
)
from scoring.models.transfer import LedgerAccount, Transfer
from tournaments import selectors as club_queries
from tournaments.models import Club, Event, Player, Result, Table


def shared_record(public_id: str) -> SharedRecord | None:
    """The text behind a link; None when there is no such link. One query."""
    if "\0" in public_id:  # PostgreSQL takes no such text, not even to look for it
        return None
    return SharedRecord.objects.filter(public_id=public_id).first()


def games(club_id: UUID) -> QuerySet[Game]:
    """The games of a club, the newest first."""
    return Game.objects.filter(club_id=club_id).order_by("-id")


def select_games(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> QuerySet[Game]:
    """The games of a club, of one event, or of the events of a league."""
    rows = Game.objects.filter(club=club)
    if event is not None:
        rows = rows.filter(table__round__event=event)
    if league is not None:
        rows = rows.filter(table__round__event__leagues__league=league)
    return rows


def list_payments(club: Club) -> QuerySet[Transfer]:
    """The transfers that hold between players and the club itself, as no game posts them."""
    rows = Transfer.objects.filter(payer__club=club, payer__game=None, payee__game=None)
    held = rows.filter(reverses=None, reversed_by=None).order_by("id")
    return held.select_related("payer", "payee", "entry_fee")


def sittings(of: Game) -> list[Sitting]:
    """Return the sitters of a game, and from which hand on they sit. One query."""
    return list(Sitting.objects.filter(game=of).order_by("seat", "first"))


def hand(hand_id: UUID) -> Hand | None:
    """A hand with its game and its club. One query."""
    rows = Hand.objects.select_related("game__club").filter(game__removed_at=None)
    return rows.filter(pk=hand_id).first()


def hands(of: Game) -> QuerySet[Hand]:
    """The hands of a game by number, second records among them as they were entered."""
    return Hand.objects.filter(game=of).order_by("number", "id")


def club_hands(club_id: UUID) -> QuerySet[Hand]:
    """The hands of all games of a club, rivals among them."""
    return Hand.objects.filter(game__club_id=club_id, game__removed_at=None).order_by("id")


def contradicting_records(of: Hand) -> QuerySet[Hand]:
    """The second records of a hand, or of that of which it is one, that nobody has settled."""
    first = of.rival_id or of.pk
    open_states = (State.DISPUTED, State.DRAFT)
    return Hand.objects.filter(rival=first, state__in=open_states).order_by("entered_at", "id")


def version_rows(of: Hand) -> QuerySet[HandVersion]:
    """Every version of a hand's record, the first one first."""
    return HandVersion.objects.filter(hand=of).order_by("number")


def versions(of: Hand) -> list[HandVersion]:
    """Return the versions, read. One query."""
    return list(version_rows(of))


def words(of: Hand) -> list[Word]:
    """Return the words of seats on each version of a hand. One query."""
    said = Word.objects.filter(version__hand=of).select_related("version")
    return list(said.order_by("id"))


def objections(of: Sequence[UUID]) -> list[Word]:
    """Return the words of seats against hands with their versions, the oldest first. One query."""
    said = Word.objects.filter(version__hand__in=of, agrees=False)
    return list(said.select_related("version").order_by("at", "pk"))


def objected_reasons(said: Iterable[Word]) -> frozenset[tuple[UUID, str]]:
    """Return objections by hand, as far as one may be the hand's reason."""
    return frozenset((word.version.hand_id, word.why[:REASON_MAX]) for word in said if word.why)


def mark_objections(rows: QuerySet[Hand]) -> QuerySet[Any]:
    """Hands with ``is_objected``: whether the reason of a disputed hand is in a seat's words."""
    said = Word.objects.filter(version__hand=OuterRef("pk"), agrees=False).exclude(why="")
    begun = said.annotate(beginning=Left("why", REASON_MAX)).filter(beginning=OuterRef("reason"))
    return rows.annotate(
        is_objected=Case(When(state=State.DISPUTED, then=Exists(begun)), default=False)
    )


def ruling_rows(of: Hand) -> QuerySet[Decided]:
    """Every ruling on a hand with its appeals, in order. Two queries."""
    rulings = Decided.objects.filter(hand=of).select_related("superseded_by")
    return rulings.prefetch_related("appeals").order_by("number")


def rulings(of: Hand) -> list[Decided]:
    """Return the rulings, read. Two queries."""
    return list(ruling_rows(of))


def ruled_hand(ruling_id: UUID) -> Hand | None:
    """The hand of a ruling, with its game and its club. One query."""
    hands = Hand.objects.select_related("game__club").filter(game__removed_at=None)
    return hands.filter(decisions__pk=ruling_id).first()


def webhook(webhook_id: UUID) -> Webhook | None:
    """A webhook with its club. One query."""
    return Webhook.objects.select_related("club").filter(pk=webhook_id).first()


def delivery(delivery_id: UUID) -> Delivery | None:
    """A message to a webhook, with its club. One query."""
    return Delivery.objects.select_related("webhook__club").filter(pk=delivery_id).first()


def transfers(of: Game) -> QuerySet[Transfer]:
    """Every transfer of a game with its accounts, in order of posting."""
    related = Transfer.objects.select_related("payer", "payee", "hand", "reverses")
    return related.filter(game=of).order_by("id")


def club_transfers(club_id: UUID) -> QuerySet[Transfer]:
    """Every transfer in the books of a club, in order of posting."""
    return Transfer.objects.filter(payer__club=club_id).order_by("id")


def pool_units(of: Sequence[UUID]) -> dict[UUID, str]:
    """In which currency the pools of some games are, of those that have one. One query."""
    pools = LedgerAccount.objects.filter(game__in=of, holder=Holder.POOL)
    return dict(pools.values_list("game", "unit"))


_ALL: Final = Q()
GameIds = Sequence[UUID] | QuerySet[Game, Any]
"""The ids of some games, or a query for them."""


def _fees(events: Iterable[Event | UUID]) -> Q:
    """The transfers of the entry fees of some events."""
    return Q(pk__in=EntryFee.objects.filter(event__in=events).values("pk"))


class MoneyRow(NamedTuple):
    """A transfer of money as a sheet sees it: by the holders of its accounts."""

    kind: str
    unit: str
    amount: int
    payer: str
    payer_player: UUID | None
    payee: str
    payee_player: UUID | None


def money(
    club_id: UUID,
    of: GameIds,
    span: tuple[datetime, datetime] | None,
    events: Iterable[Event | UUID] = (),
) -> list[MoneyRow]:
    """The money of some games, of a club in a span of time, and entry fees of events. One query.

    In the span it is what names no game. Rows that were reversed are among them, with what
    reversed them.
    """
    wanted = Q(game__in=of) | _fees(events)
    if span is not None:
        wanted |= Q(game=None, at__gte=span[0], at__lt=span[1])
    transfers = Transfer.objects.filter(wanted, payer__club=club_id).exclude(payer__unit="chips")
    names = ("kind", "payer__unit", "amount", "payer__holder", "payer__player")
    rows = transfers.order_by("id").values_list(*names, "payee__holder", "payee__player")
    return [MoneyRow(*row) for row in rows]


def balances(club_id: UUID, counted: Q = _ALL) -> dict[tuple[UUID, str], int]:
    """Return every player's balance with a club, by player and currency. One query.

    ``counted`` chooses the transfers that count; all of them, as a rule.
    """
    rows = Transfer.objects.filter(counted).order_by()
    gains, losses = (
        rows.filter(**{f"{side}__club": club_id, f"{side}__holder": Holder.PLAYER})
        .values_list(f"{side}__player", f"{side}__unit")
        .annotate(gain=sign * Sum("amount"))
        for side, sign in (("payee", 1), ("payer", -1))
    )
    found: Counter[tuple[UUID, str]] = Counter()
    for player, unit, amount in gains.union(losses, all=True):
        found[player, unit] += amount
    return dict(found)


def balances_by_holder(club_id: UUID) -> dict[tuple[str, str], int]:
    """Return the balance of all accounts of each holder, by holder and currency. Two queries."""
    found: Counter[tuple[str, str]] = Counter()
    for side, sign in (("payee", 1), ("payer", -1)):
        rows = Transfer.objects.filter(payer__club=club_id).exclude(payer__unit="chips")
        sums = rows.values_list(f"{side}__holder", f"{side}__unit").annotate(Sum("amount"))
        for holder, unit, amount in sums.order_by():
            found[holder, unit] += sign * amount
    return dict(found)


def until(
    of: GameIds, span: tuple[datetime, datetime] | None, events: Iterable[Event | UUID] = ()
) -> Q:
    """The transfers that count on the sheet of some games: theirs, and what was posted before.

    Before the end of the ``span``, or else before the last of these games was closed; of one that
    is not, all its transfers are before that.
    """
    mine = Q(game__in=of) | _fees(events)
    if span is not None:
        return mine | Q(at__lt=span[1])
    before = Q(game__closed_at=None) | Q(at__lte=F("game__closed_at"))
    ended = Q(before, game__in=of) | _fees(events)
    last = Transfer.objects.filter(ended).order_by("-id").values("id")[:1]
    return mine | Q(id__lte=Subquery(last))


def entries(club_id: UUID, player_ids: Sequence[UUID]) -> QuerySet[Transfer]:
    """Every transfer from or to a player's accounts, with what reversed it, newest first."""
    mine = Q(payer__player__in=player_ids) | Q(payee__player__in=player_ids)
    related = Transfer.objects.select_related("payer", "payee", "game", "reverses", "reversed_by")
    return related.filter(mine, payer__club=club_id).order_by("-id")


def survivors(club_id: UUID) -> dict[UUID, UUID]:
    """Return the players whom merged duplicates of a club turned out to be. One query."""
    merged = Player.objects.filter(club=club_id, merged_into__isnull=False)
    into = {one.pk: one.merged_into_id for one in merged if one.merged_into_id is not None}
    found = {}
    for player in into:
        last = player
        while last in into:
            last = into[last]
        found[player] = last
    return found


def is_hidden(game: Game) -> bool:
    """Whether a game is one of an event that strangers may not know of. One query."""
    event = event_of(game)
    return event is not None and event.is_hidden


def event_of(game: Game) -> Event | None:
    """The event that a game is part of. One query."""
    if game.table_id is None:
        return None
    return Event.objects.filter(round_rows__tables=game.table_id).first()


def secret_hands(event: Event) -> set[tuple[UUID, int]]:
    """The hands of an event whose cards other tables have still to play, by game and number.

    `is_still_played` says it of one. No query where everybody plays cards of their own, else three.
    """
    if not event.duplicate:
        return set()
    over = club_queries.boards_over(event)
    rows = Hand.objects.filter(game__table__round__event=event)
    tables = rows.values_list("game_id", "number", "game__table__boards")
    results = Result.objects.filter(game__event=event, board__isnull=False)
    played: dict[tuple[UUID, int], set[int | None]] = {}
    for game, number, board in results.values_list("game_id", "number", "board"):
        played.setdefault((game, number), set()).add(board)
    return {
        (game, number)
        for game, number, boards in tables
        if not played.get((game, number), set(boards)) <= over
    }


def is_still_played(game: Game, number: int) -> bool:
    """Whether other tables have still to play the cards of a hand. At most three queries."""
    if game.table_id is None:
        return False
    table = Table.objects.select_related("round__event").get(pk=game.table_id)
    if not table.round.event.duplicate:
        return False
    results = Result.objects.filter(game=game.pk, number=number, board__isnull=False)
    boards = set(results.values_list("board", flat=True)) or set(table.boards)
    return not boards <= club_queries.boards_over(table.round.event)


def as_sent(version: HandVersion) -> dict[str, Any]:
    """A version by the name of its form, as it came: a ``text``, or ``actions`` or a ``result``."""
    sent = bytes(version.text if version.sent is None else version.sent)
    if version.sent is not None and version.form != Form.RECORD:
        with suppress(ValueError):  # an archive may have brought anything
            return {str(version.form): json.loads(sent)}
    return {"text": sent.decode("utf-8", "replace")}


def version_of(hand: Hand, number: int) -> HandVersion:
    """One version of a hand's record. Raises HandVersion.DoesNotExist. One query."""
    version = HandVersion.objects.get(hand=hand, number=number)
    version.hand = hand
    return version
