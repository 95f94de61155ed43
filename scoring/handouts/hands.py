"""Hands of games as diagrams: cards, tricks and settlement, as far as they were written down."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.core.messages import Message
from scoring.handouts.properties import SheetOrder, describe_sheet
from scoring.models import Game
from scoring.presentation.answers import whole_record
from scoring.presentation.cards import SHOWN_SUITS, CardFace, faces, one, seat_name, suit_name
from scoring.presentation.checks import Judged
from scoring.presentation.game_titles import game_title
from scoring.presentation.hand_view import HandView
from scoring.presentation.ruling_names import title_of
from scoring.presentation.seat_names import sitters_of
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.settlement.replay import JudgedHand
from tournaments.core.errors import RefusedError
from tournaments.models import Event
from tournaments.printing.hand_diagrams import HandDiagram, HeldCards, SmallTable, print_hands
from tournaments.tables.model import Properties

_SUITS: Final = {"S": "♠", "H": "♡", "D": "♢", "C": "♣"}
"""Red suits are hollow, so that they are told apart in black and white."""
_NONE: Final = "\N{EN DASH}"


def print_hands_of_event(event: Event, order: SheetOrder) -> bytes:
    """Print the hands of an event, by round and table."""
    games = Game.objects.filter(table__round__event=event)
    return print_hand_diagrams(games, describe_sheet(event, order, what=_("Hands")), order)


def print_hands_of_game(game: Game, order: SheetOrder) -> bytes:
    """Print the hands of one game. Raises RefusedError where there is none to print."""
    games = Game.objects.filter(pk=game.pk)
    return print_hand_diagrams(
        games, describe_sheet(game.club, order, what=game_title(game)), order
    )


def print_hand_diagrams(games: QuerySet[Game], about: Properties, order: SheetOrder) -> bytes:
    """Print the hands of games; those whose cards other tables have still to play are left out.

    Raises RefusedError where there is none.
    """
    rows = games.select_related("club", "table__round__event").order_by(
        "table__round__event__starts_at", "table__round__number", "table__number", "opened_at", "pk"
    )
    secret: dict[UUID, set[tuple[UUID, int]]] = {}
    diagrams: list[HandDiagram] = []
    for game in rows:
        event = None if game.table is None else game.table.round.event
        if event is not None and event.pk not in secret:
            secret[event.pk] = queries.secret_hands(event)
        hidden = set() if event is None else secret[event.pk]
        diagrams += _diagrams(game, hidden, in_full=order.in_full)
    if not diagrams:
        raise RefusedError(Message("There is no hand yet that can be printed."))
    return print_hands(about, diagrams, order.paper)


def _diagrams(game: Game, hidden: set[tuple[UUID, int]], *, in_full: bool) -> Iterator[HandDiagram]:
    rows = list(queries.hands(game).filter(rival=None))
    if not rows or rows[0].number != 1:
        return
    sitters = sitters_of(game, in_full=in_full)
    for played in plan.plan_of(game, rows).hands:
        number = played.entered.number
        if (game.pk, number) not in hidden:
            yield _diagram(game, played, sitters.names_at(number), in_full=in_full)


def _diagram(
    game: Game, played: JudgedHand, names: Mapping[str, str], *, in_full: bool
) -> HandDiagram:
    record = whole_record(played, in_full=in_full)
    view = HandView({**record, "players": dict(names)})
    dealt = record["deal"] or record["held"] or {}
    held = {seat: _held(seat, names, cards) for seat, cards in dealt.items() if cards}
    return HandDiagram(
        title=_("Hand %(hand)s") % {"hand": played.entered.number},
        place=_place(game, played),
        held=held,
        facts=tuple(_facts(view)),
        tricks=_tricks(record),
        result=view.sentence,
        settlement=_settlement(view, with_names=not held),
        payments=" · ".join(_payments(view)),
    )


def _place(game: Game, played: JudgedHand) -> str:
    parts = [game_title(game)]
    if game.table is not None:
        words = _("Round %(round)s, table %(table)s")
        parts = [words % {"round": game.table.round.number, "table": game.table.number}]
    if played.board is not None:
        parts.append(_("board %(n)s") % {"n": played.board})
    return ", ".join(parts)


def _held(seat: str, names: Mapping[str, str], cards: str) -> HeldCards:
    by_suit = {suit: [card.rank for card in faces(cards) if card.suit == suit] for suit in _SUITS}
    lines = (f"{_SUITS[suit]} {' '.join(by_suit[suit]) or _NONE}" for suit in SHOWN_SUITS)
    return HeldCards(seat, names.get(seat, ""), tuple(lines))


def _card(card: CardFace | None) -> str:
    return "" if card is None else f"{_SUITS[card.suit]}{card.rank}"


def _facts(view: HandView) -> Iterator[str]:
    record = view.record
    if record["status"] != "PLAYED" and view.status:
        yield view.status
    if record["dealer"]:
        yield _("Dealer: %(seat)s") % {"seat": seat_name(record["dealer"])}
    if record["jackpot"]:
        yield _("Jackpot hand: %(chips)s") % {"chips": record["jackpot"]}
    if papers := view.papers:
        yield _listed(_("Insurance"), (f"{one.label} {one.value}" for one in papers))
    if record["exchange"]:
        passed = (
            f"{seat_name(row['from'])} → {seat_name(row['to'])}"
            f" {' '.join(map(_card, faces(row['cards'])))}"
            for row in record["exchange"]
        )
        yield _listed(_("Passed"), passed)
    if calls := view.calls:
        yield _listed(_("Auction"), (f"{one.label} {one.value}" for one in calls))
    if record["pain"]:
        yield _suit(record)
    for row in record["rulings"]:
        if words := title_of(row["code"] or ""):
            yield _("Ruling: %(what)s") % {"what": words}


def _suit(record: Judged) -> str:
    suit = f"{_SUITS[record['pain'] or '']} {suit_name(record['pain'])}"
    if not record["namer"]:
        return _("Suit to avoid: %(suit)s") % {"suit": suit}
    return _("Suit to avoid: %(suit)s, named by %(seat)s") % {
        "suit": suit,
        "seat": seat_name(record["namer"]),
    }


def _listed(title: str, parts: Iterable[str]) -> str:
    return f"{title}: {', '.join(parts)}"


def _tricks(record: Judged) -> SmallTable | None:
    """A row for each trick: who led, every card under its seat, who won, and what was in it."""
    if not record["tricks"]:
        return None
    seats = record["seats"]
    rows = []
    for trick in record["tricks"]:
        cards = {play["seat"]: _card(one(play["card"])) for play in trick["plays"]}
        played = (cards.get(seat, "") for seat in seats)
        end = (trick["winner"] or "", str(trick["pain"] or _NONE))
        rows.append((str(trick["number"]), trick["leader"], *played, *end))
    headings = ("", _("Lead"), *seats, _("Won"), _("Pain"))
    return SmallTable(headings, tuple(rows), len(headings) - 1)


def _settlement(view: HandView, *, with_names: bool) -> SmallTable | None:
    if not view.record["scores"]:
        return None
    rows = tuple(
        (
            f"{row.seat} {row.player}".strip() if with_names else row.seat,
            *(cell.text for cell in row.cells),
        )
        for row in view.seats
    )
    return SmallTable(("", *view.columns), rows)


def _payments(view: HandView) -> Sequence[str]:
    """Return payments, who to whom for what, and the rest that stays in the pot."""
    paid = [
        f"{posting['payer']} → {posting['payee']} {posting['amount']} ({posting['why']})"
        for posting in view.postings
    ]
    if view.record["pot"]:
        paid.append(_("pot after the hand: %(n)s") % {"n": view.record["pot"]["after"]})
    return paid
