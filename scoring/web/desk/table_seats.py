"""Substitutes, corrected seats and seat links of one table."""

from typing import Any, Final

from django.utils.translation import gettext as _

from engine.core.messages import Message
from scoring.games import links, nights, opening
from scoring.games.nights import Permutation
from scoring.games.opening import SeatChange
from scoring.models import SeatLink
from scoring.presentation.answers import seats_of
from scoring.web.desk.games import GamePage
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.web.desk.base import ActionMixin
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import parse_number

_TYPED: Final = ("seat", "player", "first", "why")
"""What somebody says of a substitute."""


class GameAction(ActionMixin, GamePage):
    """An action on a game."""


class Substitute(GameAction):
    """Somebody takes a seat from a hand on; the seat keeps what it has."""

    needs = Right.GAMES_OPEN

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"typed": self._typed(), **kwargs})

    def act(self) -> str:
        typed, seats = self._typed(), seats_of(self.game)
        if typed["seat"] not in seats:
            raise RefusedError(_("Choose a seat."), "seat")
        change = SeatChange(
            seat=seats.index(typed["seat"]),
            player=parse_id(typed["player"]),
            first=parse_number(typed["first"] or str(self.game.hands + 1)),
            why=typed["why"],
        )
        if not change.first:
            raise RefusedError(Message("A whole number is needed."), "first")
        opening.seat_player(game_id=self.game.pk, change=change, by=self.by, at=self.at)
        return _("The seat is taken.")

    def _typed(self) -> dict[str, str]:
        posted = self.request.POST
        return {name: clean_line(posted.get(name), 1000) for name in _TYPED} if posted else {}


class Permute(GameAction):
    """Put right at once who really sat where; hands stay with the seats."""

    needs = Right.GAMES_OPEN

    def act(self) -> str:
        if self.game.table_id is None:
            raise NotThereError
        posted = self.request.POST
        wanted = Permutation(
            entries=[parse_id(text) for text in posted.getlist("entry")],
            why=clean_line(posted.get("why"), 300),
        )
        table = self.game.table_id
        nights.permute_seats(table_id=table, permutation=wanted, by=self.by, at=self.at)
        return _("The seats are put right.")


class MakeLink(GameAction):
    """Make a link for the phones of the whole table; it can be shown and printed again."""

    needs = Right.LINKS_EDIT

    def act(self) -> str:
        links.make_links(game_id=self.game.pk, seats=[None], by=self.by, at=self.at)
        return _("There is a new link; print the table's card again.")


class RevokeLink(GameAction):
    """Close a link, which lets nobody in any more."""

    needs = Right.LINKS_EDIT

    def act(self) -> str:
        number = parse_id(self.request.POST.get("link"))
        if not SeatLink.objects.filter(game=self.game, pk=number).exists():
            raise NotThereError
        links.revoke_link(game_id=self.game.pk, link_id=number, by=self.by, at=self.at)
        return _("The link is closed.")
