"""Base viewsets of games and hands, which look up what the URL names; authentication by a link."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.games import links
from scoring.hands.recording import RecordedHand
from scoring.models import Game, Hand
from scoring.presentation.answers import HandAnswer, game_answer, hand_answer, seats_of
from scoring.presentation.seat_names import name_people, names_at_table
from scoring.selectors import queries
from scoring.selectors.games import GamePlace, find_game_with_club, game_place, hand_place
from tournaments.access.rights import Asker, Place, Right
from tournaments.api.idempotency import etag
from tournaments.api.openapi import example
from tournaments.api.permissions import Authentication, credentials
from tournaments.api.serializers import CharField, StrictSerializer
from tournaments.api.views import ApiViewSet
from tournaments.core.errors import RefusedError
from tournaments.models import AuditEntry
from tournaments.models.limits import max_length


class SeatAuthentication(Authentication):
    """A phone at a table, by the link behind the QR code, and the seat that it speaks for.

    ``Authorization: Seat TOKEN``; a link of the whole table says its seat too: ``TOKEN N``.
    """

    name = "seat"
    scheme: ClassVar[Mapping[str, Any]] = {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "A seat link: Seat TOKEN, or Seat TOKEN N for a link of the whole table.",
    }

    def asker(self, request: Request) -> Asker | None:
        shown = credentials(request, "Seat")
        if shown is None:
            return None
        token, _, seat = shown.partition(" ")
        link = links.find_link(token, at=timezone.now())
        seats = seats_of(link.game)
        if seat and seat.upper() not in seats:
            words = Message("The seats of this table are {seats}.", seats=" ".join(seats))
            raise RefusedError(words, "Authorization")
        place = seats.index(seat.upper()) if seat else None
        return Asker(links.actor_of(link, place), game=link.game_id)


class SeatField(CharField):
    """The name of a seat; `find_seat` looks for it at a table."""

    def __init__(self, **kwargs: Any) -> None:
        words = "The name of a seat: N, E, S, W, and so on."
        super().__init__(max_length=2, help_text=words, **kwargs)


@example({"why": "The director misread the slip."})
class LongReasonSerializer(StrictSerializer):
    """A reason of several lines for something that stays on record."""

    why = CharField(
        max_length=max_length(AuditEntry, "why"),
        multiline=True,
        help_text="The reason, which stays on record.",
    )


class GameViewSetBase(ApiViewSet):
    """The base of viewsets whose URL names a game. Phones come in by the link of their seat."""

    authentication_classes = [SeatAuthentication, *ApiViewSet.authentication_classes]
    queryset: QuerySet[Any] = Game.objects.all()
    lookup_url_kwarg = "game_id"
    lookup_value_converter = "uuid"

    def get_place(self) -> Place:
        return game_place(find_game_with_club(self.kwargs["game_id"]))

    @property
    def game(self) -> Game:
        """The game that the URL names."""
        assert isinstance(self.request.place, GamePlace)
        assert self.request.place.row is not None
        return self.request.place.row

    @property
    def sees_names(self) -> bool:
        """Whether the asker may read names, and what people wrote: a member, or at this table."""
        is_at_the_table = self.request.asker.game == self.game.pk
        return is_at_the_table or Right.NAMES_READ in self.request.rights

    def sees_cards(self, hand: Hand) -> bool:
        """Whether nobody else has still to play these cards, or the asker directs or plays here."""
        if Right.EVENTS_EDIT in self.request.rights or self.request.asker.game == self.game.pk:
            return True
        return not queries.is_still_played(self.game, hand.number)

    def represent_hand(self, recorded: RecordedHand) -> HandAnswer:
        """Return a hand that was just written, as far as the asker may read it."""
        answer = hand_answer(recorded.hand, recorded.game, recorded.played, in_full=self.sees_names)
        return self.in_names(answer)

    def in_names(self, answer: HandAnswer) -> HandAnswer:
        """Return a hand in the names that people use, where a phone of its table asks for it."""
        if self.request.asker.game != self.game.pk or answer["settlement"] is None:
            return answer
        names = names_at_table(self.game, answer["number"])
        return {**answer, "settlement": name_people(answer["settlement"], names)}

    def answer_hand(self, recorded: RecordedHand) -> Response:
        """Return the response with a hand that was just written, and its ETag."""
        headers = {"ETag": etag(recorded.hand.revision)}
        return Response(self.represent_hand(recorded), headers=headers)

    def answer_game(self, game: Game) -> Response:
        """Return the response with a game as it stands, and its ETag."""
        data = game_answer(game, queries.sittings(game))
        return self.answer_document(data, etag(game.version))


class HandViewSetBase(GameViewSetBase):
    """The base of viewsets whose URL names a hand."""

    queryset: QuerySet[Any] = Hand.objects.all()
    lookup_url_kwarg = "hand_id"

    def get_place(self) -> Place:
        return hand_place(queries.hand(self.kwargs["hand_id"]))

    @property
    def hand(self) -> Hand:
        """The hand that the URL names."""
        assert isinstance(self.request.place, GamePlace)
        assert self.request.place.hand is not None
        return self.request.place.hand


def find_seat(name: str, game: Game, key: str) -> Seat:
    """Return the place of a seat. Raises RefusedError, which names the key."""
    seats = seats_of(game)
    if name.upper() not in seats:
        words = Message(
            "{written} is no seat of this table; the seats are {seats}.",
            written=repr(name[:20]),
            seats=" ".join(seats),
        )
        raise RefusedError(words, key)
    return Seat(seats.index(name.upper()))
