"""Codes of tables: each opens the game that is played at its table now, night after night.

A code is valid for one event, or for every night of a club. It names no game: a phone that shows it
gets the link of the game that the director opened at that table. Without a camera the short code is
typed. Tokens and short codes are derived from the code's id with the key of the installation, so
that they can be printed again; only their digests are stored.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from scoring.games.links import (
    LETTERS_MAX,
    SEEN_EVERY,
    digest_token,
    is_open,
    make_links,
    make_token,
    token_of,
)
from scoring.models import Game, SeatLink, TableCode
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import AFTER_THE_GAME, ALPHABET, group_code, normalize_code
from tournaments.core.time_zones import day
from tournaments.events.announcements import find_nights_to_finish
from tournaments.events.events import lock as lock_event
from tournaments.events.events import note
from tournaments.models import UNFINISHED, Club, Event, Round, Stage, Status, Table

SHORT_LENGTH: Final = 8
"""39 bits: at sixty guesses a minute against a thousand open codes, a hit takes about 20 years."""
TABLES_MAX: Final = 200
"""The highest table number that has a code."""


def short_code_of(code: TableCode) -> str | None:
    """Return the short code for printing, ``ABCD-EFGH``; None if the installation's key changed."""
    short = _make_short_code(code.pk)
    return group_code(short) if _digest_short(short) == code.short_digest else None


def _make_short_code(number: UUID) -> str:
    made = salted_hmac("a short code of a table", str(number), algorithm="sha256").digest()
    left, letters = int.from_bytes(made), []
    for _ in range(SHORT_LENGTH):
        left, place = divmod(left, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def _digest_short(short: str) -> str:
    """Return the stored digest; with the installation's key, as so few letters are soon tried."""
    return salted_hmac("a typed code of a table", short, algorithm="sha256").hexdigest()


@transaction.atomic
def make_event_codes(
    *, event_id: UUID, numbers: Iterable[int], by: Actor, at: datetime
) -> list[TableCode]:
    """Make codes for tables of an event that have none; returns the new ones.

    A table that has a code for every night needs none. Raises RefusedError for a number that no
    table has.
    """
    event = lock_event(event_id)
    wanted = _check_numbers(numbers)
    known = TableCode.objects.filter(club=event.club_id, number__in=wanted, revoked_at=None)
    taken = {
        code.number
        for code in known.filter(Q(event=event) | Q(event=None))
        if token_of(code) is not None
    }
    made = _make_codes(event.club_id, event, wanted - taken, by, at)
    if made:
        details = {"tables": [code.number for code in made]}
        note(event, AuditRecord(Message("table codes made"), details=details), by, at)
    return made


@transaction.atomic
def make_club_codes(
    *, club_id: UUID, numbers: Iterable[int], by: Actor, at: datetime
) -> list[TableCode]:
    """Make codes for tables of a club that have none, for every night; returns the new ones.

    Raises RefusedError for a number that no table has, NotThereError without such a club.
    """
    _lock_club(club_id)
    wanted = _check_numbers(numbers)
    known = TableCode.objects.filter(club=club_id, event=None, number__in=wanted, revoked_at=None)
    taken = {code.number for code in known if token_of(code) is not None}
    made = _make_codes(club_id, None, wanted - taken, by, at)
    if made:
        details = {"tables": [code.number for code in made]}
        action = AuditRecord(Message("permanent table codes made"), details=details)
        audit.note(action, chain=club_id, club=club_id, by=by, at=at)
    return made


def _lock_club(club_id: UUID) -> None:
    if Club.objects.select_for_update(no_key=True).filter(pk=club_id).first() is None:
        raise NotThereError


def _check_numbers(numbers: Iterable[int]) -> set[int]:
    wanted = set(numbers)
    if not all(1 <= number <= TABLES_MAX for number in wanted):
        words = Message("Tables have the numbers 1 to {most}.", most=TABLES_MAX)
        raise RefusedError(words, "tables")
    return wanted


def _make_codes(
    club_id: UUID, event: Event | None, numbers: Iterable[int], by: Actor, at: datetime
) -> list[TableCode]:
    wanted = sorted(numbers)
    # Those of another key of the installation cannot be printed again, and make room.
    old = TableCode.objects.filter(club=club_id, event=event, number__in=wanted, revoked_at=None)
    old.update(revoked_at=at)
    made = []
    for number in wanted:
        code = TableCode(club_id=club_id, event=event, number=number, made_by=by.label, made_at=at)
        code.digest = digest_token(make_token(code.pk))
        code.short_digest = _digest_short(_make_short_code(code.pk))
        made.append(code)
    return TableCode.objects.bulk_create(made)


@transaction.atomic
def revoke_code(*, code_id: UUID, by: Actor, at: datetime) -> TableCode:
    """Revoke a code; its table can have a new one. Repeating it changes nothing.

    Phones that are at a table already stay there. Raises NotThereError.
    """
    known = TableCode.objects.only("club_id", "event_id").filter(pk=code_id).first()
    if known is None:
        raise NotThereError
    if known.event_id is None:
        _lock_club(known.club_id)
    else:
        lock_event(known.event_id)
    code = TableCode.objects.get(pk=code_id)
    if code.revoked_at is None:
        code.revoked_at = at
        code.save(update_fields=["revoked_at"])
        details = {"table": code.number}
        audit.note(
            AuditRecord(Message("table code revoked"), details=details),
            chain=code.event_id or code.club_id,
            club=code.club_id,
            by=by,
            at=at,
        )
    return code


def find_code(token: str, *, at: datetime) -> TableCode:
    """Return the code that a token belongs to; its use is noted. One query, seldom two.

    Raises NotThereError for a token that never was one, GoneError for a code that has ended.
    """
    code = None
    if len(token) <= LETTERS_MAX:
        code = _codes_with_event().filter(digest=digest_token(token)).first()
    return _check_code(code, at)


def find_short_code(typed: str, *, at: datetime) -> TableCode:
    """Return the code that somebody typed, in whatever case, with blanks and dashes.

    Raises NotThereError and GoneError as `find_code`.
    """
    letters = normalize_code(typed)
    return _check_code(_codes_with_event().filter(short_digest=_digest_short(letters)).first(), at)


def _codes_with_event() -> QuerySet[TableCode]:
    return TableCode.objects.select_related("club", "event")


def _check_code(code: TableCode | None, at: datetime) -> TableCode:
    if code is None:
        raise NotThereError
    if code.revoked_at is not None:
        raise GoneError(Message("This code was ended; ask the director for another one."))
    if code.event is not None and is_over(code.event, at):
        raise GoneError(Message("The night of this code is over."))
    if code.used_at is None or at - code.used_at >= SEEN_EVERY:
        TableCode.objects.filter(pk=code.pk).update(used_at=at)
    return code


def is_over(event: Event, at: datetime) -> bool:
    """Whether links of an event have expired (`AFTER_THE_GAME` after its end)."""
    ended_at = event.finished_at
    return ended_at is not None and at >= ended_at + AFTER_THE_GAME


def running_nights(code: TableCode) -> QuerySet[Event]:
    """The nights that are running of those for which a code is valid, the latest first."""
    nights = Event.objects.filter(
        club=code.club_id, is_results_only=False, status=Status.RUNNING
    ).order_by("-starts_at", "pk")
    return nights if code.event_id is None else nights.filter(pk=code.event_id)


def events_of_code(code: TableCode, at: datetime) -> list[Event]:
    """Return the events that a code may open now, the one played at its table first.

    That is its own; for a code of every night those of its club that play at its table, or else
    those that are running, and then those that finish a game of it another day. Where no other
    night is running the latter follow those that are still to begin today. Without any of these it
    is the one that ended last. Seven queries at most.
    """
    if code.event is not None:
        return [code.event]
    running = list(running_nights(code))
    at_table = Table.objects.filter(number=code.number, round__event__in=running)
    playing = set(
        at_table.filter(round__stage=Stage.PLAYING).values_list("round__event", flat=True)
    )
    waiting = at_table.filter(adjourned_at__isnull=False, games__phase__in=UNFINISHED)
    adjourned = set(waiting.values_list("round__event", flat=True))
    to_finish = find_nights_to_finish(running, at)
    found = [night for night in running if night.pk in playing]
    found = found or [night for night in running if night.pk not in to_finish]
    if adjourned and not found:
        found = [night for night in _find_nights_today(code, at) if night.status == Status.PLANNED]
    found += [night for night in running if night.pk in adjourned and night not in found]
    if found:
        return found
    nights = Event.objects.filter(club=code.club_id, is_results_only=False)
    last = nights.filter(finished_at__gte=at - AFTER_THE_GAME).order_by("-finished_at", "pk")
    return list(last[:1])


def _find_nights_today(code: TableCode, at: datetime) -> list[Event]:
    """The nights of a code's club, planned or called off, that begin today by the club's clock."""
    clock = code.club.time_zone
    near = Event.objects.filter(
        club=code.club_id,
        status__in=(Status.CANCELLED, Status.PLANNED),
        is_results_only=False,
        starts_at__range=(at - timedelta(days=1), at + timedelta(days=1)),
    )
    nights = near.select_related("club").order_by("starts_at", "pk")
    return [night for night in nights if day(night.starts_at, clock) == day(at, clock)]


def find_cancelled_tonight(code: TableCode, at: datetime) -> Event | None:
    """Return the night of a code's club that was to be played today and is called off, if it was.

    None where another one is still to come, and for a hidden night. The day is that of the club's
    clock. One query.
    """
    tonight = [night for night in _find_nights_today(code, at) if not night.is_hidden]
    if any(night.status == Status.PLANNED for night in tonight):
        return None
    return next(iter(tonight), None)


def current_round(event: Event) -> Round | None:
    """Return the round that is played, else the last one that was; None before the first."""
    begun = Round.objects.filter(event=event).exclude(stage=Stage.DRAWN).order_by("number")
    rows = list(begun)
    playing = [row for row in rows if row.stage == Stage.PLAYING]
    return next(iter(playing or rows[::-1]), None)


def game_of_table(event: Event, number: int) -> Game | None:
    """Return the game played at a table now, or played last; None where there is none.

    Two queries.
    """
    row = current_round(event)
    if row is None:
        return None
    games = Game.objects.filter(table__round=row, table__number=number)
    return games.select_related("club", "table__round").order_by("-opened_at", "-pk").first()


def games_at_table(event: Event, number: int) -> list[Game | None]:
    """Return the games that the code of a table may open: the one played now, then adjourned ones.

    Without these it is the one that was played last. None stands for a round that is still to come,
    where there are adjourned games and nothing is played there now. Four queries at most.
    """
    now = game_of_table(event, number)
    is_playing = (
        now is not None and now.table is not None and now.table.round.stage == Stage.PLAYING
    )
    rows = Game.objects.filter(
        table__round__event=event,
        table__number=number,
        table__adjourned_at__isnull=False,
        phase__in=UNFINISHED,
    )
    others = rows.select_related("club", "table__round").order_by("-opened_at", "-pk")
    adjourned = [game for game in others if not is_playing or game != now]
    if is_playing or not adjourned:
        return [*filter(None, [now]), *adjourned]
    begun = Round.objects.filter(event=event).exclude(stage=Stage.DRAWN).count()
    return [None, *adjourned] if begun < event.rounds else [*adjourned]


def is_adjourned(game: Game) -> bool:
    """Whether a game that was read with its table is to be finished another day."""
    is_marked = game.table is not None and game.table.adjourned_at is not None
    return is_marked and game.phase in UNFINISHED


def table_link(game: Game, at: datetime) -> tuple[SeatLink, str] | None:
    """Return the open link of a game's whole table with its token, the newest one. One query.

    Where the last one made expired before the game was closed, as a game may that is finished
    another day, a new one is made. None where the director has ended it or them all: then a code
    opens nothing either.
    """
    seat_links = SeatLink.objects.filter(game=game, seat=None)
    links = seat_links.select_related("game__club", "game__table", "phone")
    known = list(links.order_by("-made_at", "-pk"))
    for link in known:
        token = token_of(link)
        if token is not None and is_open(link, at):
            return link, token
    if not known or known[0].revoked_at is not None or game.phase not in UNFINISHED:
        return None
    if at < known[0].expires_at:
        return None
    by = Actor(ActorKind.LINK, Source.TABLE, known[0].pk)
    made = make_links(game_id=game.pk, seats=[None], by=by, at=at)[0]
    return links.get(pk=made.link.pk), made.token


def find_printable_codes(
    club_id: UUID, event: Event | None, numbers: Sequence[int]
) -> dict[int, TableCode]:
    """Return the valid codes that can be printed again, by table number. One query.

    Where a table has a code for every night and one of the event, the former is returned. Without
    an event only codes for every night are; without ``numbers`` those of all tables.
    """
    found = TableCode.objects.filter(club=club_id, revoked_at=None)
    found = found.filter(Q(event=None) if event is None else Q(event=event) | Q(event=None))
    if numbers:
        found = found.filter(number__in=numbers)
    rows = [code for code in found.order_by("number", "made_at") if token_of(code) is not None]
    own = {code.number: code for code in rows if code.event_id is not None}
    return dict(sorted((own | {row.number: row for row in rows if row.event_id is None}).items()))
