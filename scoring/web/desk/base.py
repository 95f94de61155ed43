"""Bases of the desk's pages of games and hands, and of actions with an address of their own."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from engine.messages import message_of
from scoring.hot_queries import find_game_with_club
from scoring.models import Game, Hand
from scoring.selectors import places, queries
from scoring.selectors.places import GamePlace
from tournaments.access.rights import Place
from tournaments.core.errors import NotAllowedError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import REFUSED, DeskMixin


class ActionMixin(DeskMixin):
    """An action on what a page shows; where it is refused, the page is shown and says why."""

    def act(self) -> str:
        """Call a service function; return what to say when it is done. Raises RefusedError."""
        raise NotImplementedError

    def explain(self, error: RefusedError) -> str:
        """Why the action is refused."""
        return translate(message_of(error))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        said: list[str] = []

        def work() -> None:
            said[:] = [self.act()]

        try:
            return self.write_once(work, lambda: said[0])
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            messages.error(request, self.explain(error))
            return self.render(REFUSED, is_refused=True)


class GameMixin(DeskMixin):
    """A page of a game."""

    def get_place(self) -> Place:
        return places.game_place(find_game_with_club(self.kwargs["game_id"]))

    @property
    def game(self) -> Game:
        """The game that the address names."""
        assert isinstance(self.visit.place, GamePlace)
        assert self.visit.place.row is not None
        return self.visit.place.row


class HandMixin(GameMixin):
    """A page of a hand."""

    def get_place(self) -> Place:
        return places.hand_place(queries.hand(self.kwargs["hand_id"]))

    @property
    def hand(self) -> Hand:
        """The hand that the address names."""
        assert isinstance(self.visit.place, GamePlace)
        assert self.visit.place.hand is not None
        return self.visit.place.hand
