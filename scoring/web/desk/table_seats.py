"""Substitutes, corrected seats and seat links of one table."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.messages import Message
from scoring.games import links, nights, opening
from scoring.games.nights import Permutation
from scoring.games.opening import SeatChange
from scoring.models import SeatLink
from scoring.presentation.answers import seats_of
from scoring.web.desk.game_places import game_of
from scoring.web.desk.games import GamePage
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.web.desk.base import REFUSED
from tournaments.web.desk.forms import plain
from tournaments.web.number_format import parse_number

_TYPED: Final = ("seat", "player", "first", "why")
"""What somebody says of a substitute."""


class GameDeed(GamePage):
    """Something that is done to a game; refused, its page says why."""

    def done(self, work: Callable[[], object], said: str, **typed: Any) -> HttpResponse:
        """Do it once and show the game again; refused, with what was typed."""
        game = game_of(self.visit)

        def carried() -> str:
            work()
            return reverse("desk-game", args=[game.pk])

        return self.tried(
            carried, said=said, otherwise=lambda why: self.game_shown(REFUSED, problem=why, **typed)
        )


class Substitute(GameDeed):
    """Somebody takes a seat."""

    needs = Right.GAMES_OPEN

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """From a hand on; the seat keeps what it has."""
        seats = seats_of(game_of(self.visit))
        typed = {name: plain(request.POST.get(name), 1000) for name in _TYPED}
        if typed["seat"] not in seats:
            return self.game_shown(REFUSED, problem=_("Say which seat."), typed=typed)
        first = typed["first"].strip() or str(game_of(self.visit).hands + 1)
        change = SeatChange(
            seat=seats.index(typed["seat"]),
            player=parse_id(typed["player"]),
            first=parse_number(first),
            why=typed["why"],
        )

        def work() -> None:
            if not change.first:
                raise RefusedError(Message("A whole number is needed."), "first")
            opening.seat_player(game_id=game_id, change=change, by=self.visit.by, at=self.visit.at)

        return self.done(work, _("The seat is taken."), typed=typed)


class Permute(GameDeed):
    """Who really sat where."""

    needs = Right.GAMES_OPEN

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Put all seats right at once; hands stay with the seats."""
        game = game_of(self.visit)
        if game.table_id is None:
            raise NotThereError
        table = game.table_id
        wanted = Permutation(
            entries=[parse_id(text) for text in request.POST.getlist("entry")],
            why=plain(request.POST.get("why"), 300),
        )

        def work() -> None:
            nights.permute_seats(
                table_id=table, permutation=wanted, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, _("The seats are put right."))


class MakeLink(GameDeed):
    """A new link for the phones of a table."""

    needs = Right.LINKS_EDIT

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """One for the whole table; it can be shown and printed again."""

        def work() -> None:
            links.make_links(game_id=game_id, seats=[None], by=self.visit.by, at=self.visit.at)

        return self.done(work, _("There is a new link; print the table's card again."))


class RevokeLink(GameDeed):
    """A link that lets nobody in any more."""

    needs = Right.LINKS_EDIT

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Close it at once."""
        number = parse_id(request.POST.get("link"))
        if not SeatLink.objects.filter(game=game_id, pk=number).exists():
            raise NotThereError

        def work() -> None:
            links.revoke_link(game_id=game_id, link_id=number, by=self.visit.by, at=self.visit.at)

        return self.done(work, _("The link is closed."))
