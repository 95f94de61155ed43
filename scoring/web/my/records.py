"""The records of a player's own games, to take away."""

from collections.abc import Iterator

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from scoring.models import Game, Sitting
from scoring.transfer.exporting.archive import VERSION_LINE, write_records
from scoring.web.my.devices import OwnPageMixin
from scoring.web.public.record_files import join_file_name
from tournaments.events.events import OVER
from tournaments.models import Event, Player, Round, Stage
from tournaments.publishing.player_lines import list_duplicate_ids


class OwnRecords(OwnPageMixin):
    """All games in which the player sat, as one file of records; others as strangers see them."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> StreamingHttpResponse:
        name = join_file_name(self.player.club.name, f"{timezone.localdate()}", "my hands")
        disposition = content_disposition_header(as_attachment=True, filename=f"{name}.phn")
        return StreamingHttpResponse(
            _write_games(self.player),
            content_type="application/x-phn; charset=utf-8",
            headers={"Content-Disposition": disposition or ""},
        )


def _write_games(player: Player) -> Iterator[bytes]:
    """The file, game by game. Cards that other tables may still play are left out (DEC-5)."""
    sat = Sitting.objects.filter(player__in=list_duplicate_ids(player))
    duplicate = Event.objects.filter(club=player.club_id, duplicate=True)
    open_rounds = Round.objects.filter(event__in=duplicate).exclude(stage=Stage.CLOSED)
    games = (
        Game.objects.filter(club=player.club_id, pk__in=sat.values("game"))
        .exclude(table__round__event__in=duplicate.exclude(status__in=OVER))
        .exclude(table__round__event__in=open_rounds.values("event"))
    )
    yield VERSION_LINE.encode()
    gap = b""
    for text in write_records(player.club, games, in_full=False):
        yield gap + text.encode("utf-8", "surrogateescape") + b"\n"
        gap = b"\n"
