"""The hands of a club as records."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import F

from engine.notation.writer import write_with_game
from scoring.models import HandVersion
from scoring.submissions.reading import read_hand
from tournaments.models import Club

VERSION_LINE = b"% PHN 1.0\n"
_AT_ONCE = 2000


def _versions(club: Club) -> Iterator[HandVersion]:
    """The versions that stand, game by game."""
    rows = HandVersion.objects.filter(
        hand__game__club=club, hand__rival=None, number=F("hand__current")
    )
    order = ("hand__game__opened_at", "hand__game_id", "hand__number")
    return rows.select_related("hand__game").order_by(*order).iterator(_AT_ONCE)


def records(club: Club) -> Iterator[bytes]:
    """Every hand with the identifier of its game, one record after the other."""
    yield VERSION_LINE
    for version in _versions(club):
        yield _with_game(bytes(version.text), version.hand.game_id) + b"\n\n"


def _with_game(text: bytes, game: UUID) -> bytes:
    """A record with the tag GameId, by which it is found again in its game (DEC-1).

    What is no single record goes out as it came.
    """
    said = read_hand(text)
    if said.is_one and said.entry.document.tags:
        return write_with_game(said.entry, str(game)).encode("utf-8", "surrogateescape")
    body = text.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = body.partition(b"\n")
    return (rest if first.startswith((b"% PHN", b"% PBN")) else body).strip(b"\r\n")
