"""A game at the desk: its hands, who sits where, and what a director may do to it."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.games import links
from scoring.models import Game, Hand, Sitting, State
from scoring.presentation.answers import seats_of
from scoring.presentation.seat_names import name_people, sitters_of
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.web.desk.base import GameMixin
from scoring.web.pending_reasons import reasons_shown
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.models import Event, Table, TableSeat
from tournaments.people.display_names import distinct_name, players_by_name, shared_names
from tournaments.web.desk.base import DeskPage


class GamePage(GameMixin, DeskPage):
    """The page of a game: its submissions, newest first, and its players."""

    needs = Right.HANDS_RULE
    template_name = "desk/game.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game = self.game
        disputed = Q(rival__isnull=False, state__in=(State.DISPUTED, State.DRAFT))
        hands = list(queries.hands(game).exclude(disputed))
        sat = sitters_of(game, in_full=True)
        names = {hand.pk: sat.names_at(hand.number) for hand in hands}
        sentences = _sentences(game, hands, names)
        reasons = reasons_shown(hands, in_full=True, names=names)
        sitters = list_sitters(game)
        here = {sitting.player_id for _seat, _name, sitting in sitters}
        context = {
            "game": game,
            "table_name": format_game_name(game),
            "event": find_event(game),
            "hands": [
                (hand, sentences.get(hand.pk, ""), reasons[hand.pk])
                for hand in sorted(hands, key=lambda hand: (-hand.number, hand.pk.hex))
            ],
            "seated": sitters,
            "players": [
                (player.pk, name)
                for player, name in players_by_name(game.club)
                if player.pk not in here
            ],
            "entrants": entrants(game),
            "links": [(link, links.is_open(link, self.at)) for link in links.list_links(game)],
        }
        return super().get_context_data(**{**context, **kwargs})


def _sentences(
    game: Game, hands: Sequence[Hand], names: Mapping[UUID, Mapping[str, str]]
) -> dict[UUID, str]:
    """Return a one-sentence result for each hand that is part of the game, by people's names."""
    rows = sorted((one for one in hands if one.rival_id is None), key=lambda one: one.number)
    rows = [row for place, row in enumerate(rows, 1) if row.number == place]
    if not rows:
        return {}
    played = plan.plan_of(game, rows).hands
    return {
        row.pk: translate(name_people(one.sentence, names[row.pk]))
        for row, one in zip(rows, played, strict=False)
    }


def format_game_name(game: Game) -> str:
    """Return a game's name for pages that already name its event."""
    table = game.table_id and Table.objects.filter(pk=game.table_id).select_related("round").first()
    if not table:
        return game.name
    numbers = {"round": table.round.number, "table": table.number}
    return _("Round %(round)d, table %(table)d") % numbers


def find_event(game: Game) -> Event | None:
    """The event of a table; None for a game of its own."""
    if game.table_id is None:
        return None
    return Event.objects.filter(round_rows__tables=game.table_id).first()


def list_sitters(game: Game) -> list[tuple[str, str, Sitting]]:
    """List the current players: seat, name and first hand. At most three queries."""
    seats, shared = seats_of(game), shared_names(game.club)
    rows = game.sittings.filter(last=None).select_related("player__person").order_by("seat")
    return [(seats[row.seat], distinct_name(row.player, shared), row) for row in rows]


def entrants(game: Game) -> list[tuple[UUID, str]]:
    """List the entrants of an event's table, in seat order."""
    if game.table_id is None:
        return []
    rows = TableSeat.objects.filter(table=game.table_id).order_by("seat")
    shared = shared_names(game.club)
    return [
        (row.entry_id, distinct_name(row.entry.player, shared))
        for row in rows.select_related("entry__player__person")
    ]
