"""Bases of the desk's pages of games and hands."""

from django.urls import reverse

from scoring.models import Game, Hand
from scoring.selectors import queries
from scoring.selectors.games import GamePlace, find_game_with_club, game_place, hand_place
from tournaments.access.rights import Place
from tournaments.web.desk.base import DeskMixin


class GameMixin(DeskMixin):
    """A page of a game."""

    def get_place(self) -> Place:
        return game_place(find_game_with_club(self.kwargs["game_id"]))

    @property
    def game(self) -> Game:
        """The game that the address names."""
        assert isinstance(self.place, GamePlace)
        assert self.place.row is not None
        return self.place.row

    def get_success_url(self) -> str:
        return reverse("desk-game", args=[self.game.pk])


class HandMixin(GameMixin):
    """A page of a hand."""

    def get_place(self) -> Place:
        return hand_place(queries.hand(self.kwargs["hand_id"]))

    @property
    def hand(self) -> Hand:
        """The hand that the address names."""
        assert isinstance(self.place, GamePlace)
        assert self.place.hand is not None
        return self.place.hand

    def get_success_url(self) -> str:
        return reverse("desk-hand", args=[self.hand.pk])
