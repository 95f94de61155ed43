"""Undoing the import of an archive: the club is as it was, the books keep what was taken back."""

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, HandVersion, Sitting
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.selectors import queries
from scoring.transfer.exporting.archive import write_records
from scoring.transfer.importing import ArchiveImport, Options, place_all
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.scoring.archives import file, game, in_turn, night
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.night import make_event
from tests.tournaments.publishing.nights import (
    Clock,
    assert_statistics_are_right,
    publish_statistics,
)
from tournaments.core.ids import new_id
from tournaments.imports import ImportLog, ObstaclesError, undo_import
from tournaments.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    Import,
    Person,
    Player,
    Result,
    Round,
    Scope,
    Snapshot,
    Stale,
    TableGame,
)
from tournaments.people import members

pytestmark = pytest.mark.django_db


def begin(club: Club, digest: str = "") -> ImportLog:
    return ImportLog.begin(
        club_id=club.pk,
        kind="archive",
        by=DIRECTOR,
        at=at(),
        file_name="a.phn",
        file_digest=digest,
    )


def bring(club: Club, text: bytes, event: Event | None = None, chunk: int = 5) -> Import:
    """Import an archive as a command does: chunk by chunk, with its log."""
    log = begin(club)
    options = Options(event=None if event is None else event.pk)
    archive = ArchiveImport(club.pk, BytesIO(text), options, Stamp(DIRECTOR, at()), log)
    more = True
    while more:
        with transaction.atomic():
            more = archive.take(chunk)
    if event is not None:
        place_all(archive, event.pk, club.pk, Stamp(DIRECTOR, at()), log)
    log.note_progress(archive.report.as_data(), at())
    return log.row


def undo(row: Import, **how: Any) -> Any:
    return undo_import(import_id=row.pk, by=DIRECTOR, at=at(9), **how)


def balances(club: Club) -> dict[tuple[str, str], int]:
    """What the accounts of the players, of the club, and of games that are present hold."""
    found: dict[tuple[str, str], int] = {}
    for account in LedgerAccount.objects.filter(club=club).select_related("game", "player__person"):
        held = sum(account.received.values_list("amount", flat=True))
        held -= sum(account.paid.values_list("amount", flat=True))
        where = account.game.name if account.game else ""
        if held:
            whose = f"{where} {account.holder} {account.seat} {account.player_id or ''}"
            found[whose, account.unit] = held
    return found


def summary(club: Club) -> list[Any]:
    """A club as its pages show it: people, games, hands, results, events, and its accounts."""
    found = [
        Player.objects.filter(club=club).values_list("number", "person__name", "kind", "left_at"),
        Game.objects.filter(club=club).values_list("name", "state", "phase", "booked"),
        queries.club_hands(club.pk).values_list("game__name", "number", "state"),
        Result.objects.filter(game__club=club).values_list(
            "player__person__name", "number", "seat", "score", "won"
        ),
        TableGame.objects.filter(club=club).values_list("event__name", "phase", "size"),
        Event.objects.filter(club=club).values_list("name", "status"),
        Entry.objects.filter(event__club=club).values_list(
            "event__name", "number", "player__person__name", "presence"
        ),
        Round.objects.filter(event__club=club).values_list("event__name", "number", "stage"),
        _without_ids(write_records(club, queries.select_games(club))),
    ]
    return [balances(club), *(sorted(map(str, rows)) for rows in found)]


def _without_ids(texts: Iterable[str]) -> list[str]:
    return [
        "\n".join(line for line in text.splitlines() if not line.startswith("[GameId"))
        for text in texts
    ]


def check_books(club: Club) -> None:
    games = list(Game.all_objects.filter(club=club).values_list("pk", flat=True))
    assert not look_at_games(games).differences
    assert not look_at_club(club.pk)


def test_an_archive_goes_again_and_can_come_again() -> None:
    club = make_club()
    bring(club, file(game(TABLES[1], 99, hands=3, name="9")))
    before = summary(club)
    text = file(in_turn(night(6, hands=4)))
    row = bring(club, text)
    after = summary(club)
    counts, posted = row.counts, Transfer.objects.count()
    plan = undo(row)
    assert summary(club) == before
    assert plan.counts["scoring.game"] == counts["games"] > 0
    assert Transfer.objects.count() > posted, "nothing of the books is deleted"
    check_books(club)
    again = bring(club, text)
    assert (again.counts, summary(club)) == (counts, after)
    check_books(club)
    undo(again)
    assert summary(club) == before
    assert bring(club, text).counts == counts, "as often as one likes"
    check_books(club)
    third = bring(club, text)
    assert (third.counts["hands"], third.counts["known"]) == (0, counts["hands"])


def test_statistics_follow_an_archive_that_comes_and_goes() -> None:
    club, clock = make_club(), Clock()
    bring(club, file(game(TABLES[1], 99, hands=3, name="9")))
    publish_statistics(clock)
    before = published_statistics()
    row = bring(club, file(in_turn(night(6, hands=4))))
    assert_statistics_are_right(club)
    publish_statistics(clock)
    assert_statistics_are_right(club)
    assert len(published_statistics()) > len(before)
    undo(row)
    publish_statistics(clock)
    assert_statistics_are_right(club)
    assert published_statistics() == before


def published_statistics() -> set[str]:
    rows = Snapshot.objects.filter(published__scope=Scope.STATISTICS)
    return set(rows.values_list("data", flat=True))


def test_a_removed_game_is_found_by_nobody() -> None:
    club = make_club(is_public=True)
    row = bring(club, file(game(TABLES[0], 1, hands=3)))
    one = Game.objects.get()
    hand, person = Hand.objects.first(), Person.objects.first()
    assert hand is not None
    assert person is not None
    pages = [
        reverse("game-page", args=[one.pk]),
        reverse("hand-page", args=[hand.pk]),
        reverse("player-page", args=[person.pk]),
    ]
    seen = Client()
    assert [seen.get(page).status_code for page in pages[:2]] == [200, 200]
    undo(row)
    assert [seen.get(page).status_code for page in pages] == [404, 404, 404]
    assert not queries.games(club.pk)
    assert not queries.club_hands(club.pk)
    assert queries.hand(hand.pk) is None
    with pytest.raises(Game.DoesNotExist):
        closing.close_game(game_id=one.pk, closing=Closing(reason="late"), by=DIRECTOR, at=at(9))
    entry = AuditEntry.objects.filter(chain=one.pk).latest("number")
    assert entry.what == "game removed"
    assert Sitting.objects.filter(player__removed_at=at(9)).count() == 4


def test_games_leave_their_event_which_is_planned_again() -> None:
    club = make_club()
    event = make_event(club)
    before = summary(club)
    row = bring(
        club, file(in_turn([game(TABLES[0], 1, 3, "1"), game(TABLES[0], 2, 3, "2")])), event
    )
    assert TableGame.objects.filter(event=event).exists()
    after = summary(club)
    Stale.objects.all().delete()
    undo(row)
    assert summary(club) == before
    assert Stale.objects.filter(scope=Scope.EVENT, subject=event.pk).exists()
    check_books(club)
    bring(club, file(in_turn([game(TABLES[0], 1, 3, "1"), game(TABLES[0], 2, 3, "2")])), event)
    assert summary(club) == after
    check_books(club)


def test_a_hand_that_was_corrected_since_is_in_the_way() -> None:
    club = make_club()
    row = bring(club, file(in_turn([game(TABLES[0], 1, 3, "1"), game(TABLES[2], 2, 3, "2")])))
    one = Game.objects.order_by("name").first()
    assert one is not None
    closing.close_game(game_id=one.pk, closing=Closing(reason="late"), by=DIRECTOR, at=at(1))
    before = summary(club)
    with pytest.raises(ObstaclesError) as refused:
        undo(row)
    told = [str(obstacle.message) for obstacle in refused.value.obstacles]
    assert told[-1].endswith("changed since: game closed")
    assert "has played" in " ".join(told[:-1])
    assert summary(club) == before
    undo(row, leave_obstacles=True)
    assert list(Game.objects.values_list("pk", flat=True)) == [one.pk]
    played = set(Sitting.objects.filter(game=one).values_list("player_id", flat=True))
    assert set(Player.objects.values_list("pk", flat=True)) == played
    check_books(club)


@given(
    seeds=st.lists(st.integers(0, 40), min_size=1, max_size=4, unique=True), cut=st.integers(0, 3)
)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_import_and_undo_leave_a_club_as_it_was(seeds: list[int], cut: int) -> None:
    club = make_club(f"club {new_id()}")
    games = [game(TABLES[seed % len(TABLES)], seed, 3, str(seed)) for seed in seeds]
    if first := games[:cut]:
        bring(club, file(in_turn(first)))
    before = summary(club)
    text = file(in_turn(games[cut:] or games))
    row = bring(club, text, chunk=4)
    after, counts = summary(club), row.counts
    undo(row)
    assert summary(club) == before
    assert bring(club, text).counts == counts
    assert summary(club) == after
    check_books(club)


def test_an_archive_that_broke_off_is_taken_up_by_the_same_file_and_undone_as_one() -> None:
    club = make_club()
    before = summary(club)
    text = file(in_turn(night(3, hands=3)))
    log = begin(club, digest="d")
    with transaction.atomic():
        ArchiveImport(club.pk, BytesIO(text), Options(), Stamp(DIRECTOR, at()), log).take(4)
    log.note_progress({"games": 3, "hands": 4, "new_players": 4})
    again = begin(club, digest="d")
    assert again.row == log.row
    archive = ArchiveImport(club.pk, BytesIO(text), Options(), Stamp(DIRECTOR, at()), again)
    while archive.take():
        pass
    again.note_progress(archive.report.as_data(), at())
    assert (again.row.counts["hands"], again.row.counts["known"]) == (9, 0)
    assert begin(club, digest="d").row != log.row, "one that came to its end is not taken up"
    undo(again.row)
    assert summary(club) == before
    check_books(club)


def test_who_was_removed_with_an_import_can_be_erased() -> None:
    club = make_club()
    undo(bring(club, file(game(TABLES[0], 1, hands=3))))
    person = Person.objects.order_by("player__number").select_related("player")[0]
    name, player = person.name, person.player
    assert any(name.encode() in bytes(one.text) for one in HandVersion.objects.all())
    members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=at(10))
    assert not any(name.encode() in bytes(one.text) for one in HandVersion.objects.all())
    check_books(club)
