"""Records of a hand, a game or a night as files: PHN, JSON, and PBN where four play.

Everybody gets what the page of the same hand shows them: strangers see names as pages show them and
nothing that people wrote, and nobody sees cards that other tables have still to play (DEC-5).
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.generic import View

from engine.notation.json_profile import write_json
from engine.notation.pbn import write_pbn
from engine.notation.reader import Reader
from engine.notation.writer import VERSION_LINE
from scoring.models import Game, Hand
from scoring.selectors import queries
from scoring.selectors.games import find_game_with_club, game_place, hand_place
from scoring.transfer.exporting.archive import write_records
from scoring.web.public.visible_hand import is_part
from tournaments.access.rights import Place, Right
from tournaments.access.visibility import event_place
from tournaments.core.entity_tags import tag_of
from tournaments.core.time_zones import day
from tournaments.models import Event
from tournaments.selectors import event as find_event
from tournaments.web.responses import not_modified_response, require_revalidation
from tournaments.web.viewer import Viewer, viewer_of

PHN, JSON, PBN = "phn", "json", "pbn"
_MEDIA: Final = {
    PHN: "application/x-phn; charset=utf-8",
    JSON: "application/json",
    PBN: "application/x-pbn; charset=iso-8859-1",
}


def _phn(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


_WRITERS: Final[Mapping[str, Callable[[str], bytes]]] = {
    PHN: _phn,
    JSON: lambda text: write_json(Reader(text).records()).encode("utf-8", "surrogateescape"),
    PBN: lambda text: write_pbn(Reader(text).records()).data,
}


class RecordFile(View):
    """A file of records for whoever may see the page of the same hands."""

    http_method_names = ["get", "head"]
    form: str = PHN

    def get_place(self) -> Place:
        """Return the place where the hands were played."""
        raise NotImplementedError

    def get_records(self) -> Iterable[str]:
        """The records that the viewer may see. Raises Http404."""
        raise NotImplementedError

    def get_name(self) -> str:
        """The name of the file, without its ending."""
        raise NotImplementedError

    @cached_property
    def viewer(self) -> Viewer:
        """The viewer. Raises Http404 where they may not know of it."""
        return viewer_of(self.request, self.get_place())

    @property
    def sees_secrets(self) -> bool:
        """Whether they may see cards that are still to be played."""
        return Right.EVENTS_EDIT in self.viewer.rights

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        texts = list(self.get_records())
        if not texts:
            raise Http404
        data = _WRITERS[self.form](VERSION_LINE + "\n\n".join(texts) + "\n")
        tag = tag_of([data.hex() if self.form == PBN else data.decode("utf-8", "replace")])
        if (same := not_modified_response(request, tag)) is not None:
            return same
        name = f"{self.get_name()}.{self.form}"
        disposition = content_disposition_header(as_attachment=True, filename=name)
        headers = {"ETag": tag, "Content-Disposition": disposition or ""}
        return require_revalidation(
            HttpResponse(data, content_type=_MEDIA[self.form], headers=headers)
        )


class GameFile(RecordFile):
    """The hands of a game."""

    @cached_property
    def game(self) -> Game:
        """The game that the address names. Raises Http404."""
        game = find_game_with_club(self.kwargs["game_id"])
        if game is None:
            raise Http404
        return game

    def get_place(self) -> Place:
        return game_place(self.game)

    def get_records(self) -> Iterable[str]:
        return self.records_of_game(self.game)

    def records_of_game(self, game: Game, number: int | None = None) -> Iterable[str]:
        """The records of a game, or of one of its hands."""
        club = self.viewer.club
        event = find_event_of(game)
        secret: Container[tuple[UUID, int]] = ()
        if event is not None and not self.sees_secrets:
            secret = queries.secret_hands(event)
        rows = Game.objects.filter(pk=game.pk)
        return write_records(club, rows, in_full=self.viewer.in_full, number=number, secret=secret)

    def get_name(self) -> str:
        club, game = self.viewer.club, self.game
        return join_file_name(club.name, f"{day(game.opened_at, club.time_zone)}", game.name)


class HandFile(GameFile):
    """One hand."""

    @cached_property
    def hand(self) -> Hand:
        """The hand that the address names. Raises Http404."""
        hand = queries.hand(self.kwargs["hand_id"])
        if hand is None:
            raise Http404
        return hand

    @property
    def game(self) -> Game:
        """The game of the hand."""
        return self.hand.game

    def get_place(self) -> Place:
        return hand_place(self.hand)

    def get_records(self) -> Iterable[str]:
        if not is_part(self.game, self.hand):
            raise Http404
        return list(self.records_of_game(self.game, self.hand.number))[:1]

    def get_name(self) -> str:
        return f"{super().get_name()}-hand-{self.hand.number}"


class EventFile(RecordFile):
    """The hands of a night."""

    @cached_property
    def event(self) -> Event:
        """The event that the address names. Raises Http404."""
        event = find_event(self.kwargs["event_id"])
        if event is None:
            raise Http404
        return event

    def get_place(self) -> Place:
        return event_place(self.event)

    def get_records(self) -> Iterable[str]:
        club = self.viewer.club
        secret = set() if self.sees_secrets else queries.secret_hands(self.event)
        rows: QuerySet[Game] = queries.select_games(club, event=self.event.pk)
        return write_records(club, rows, in_full=self.viewer.in_full, secret=secret)

    def get_name(self) -> str:
        club, event = self.viewer.club, self.event
        return join_file_name(club.name, f"{day(event.starts_at, club.time_zone)}", event.name)


def find_event_of(game: Game) -> Event | None:
    """The event of a game, if it is part of one. One query."""
    return Event.objects.filter(round_rows__tables=game.table_id).first() if game.table_id else None


def join_file_name(*parts: str) -> str:
    """The parts of a name as one word in small letters.

    >>> join_file_name("Leiden Hearts", "2026-11-20", "Winter season, round 2, table 1")
    'leiden-hearts-2026-11-20-winter-season-round-2-table-1'
    """
    return "-".join(filter(None, (slugify(part, allow_unicode=True) for part in parts)))
