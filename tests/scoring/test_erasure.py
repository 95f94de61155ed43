"""Erasing a person: no name survives anywhere in the club, and nothing changes in any other."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any
from unicodedata import normalize
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from engine.core.messages import Message
from engine.record.rulings import Decision, Ruling
from scoring.games import money
from scoring.hands import agreements, corrections, rulings
from scoring.hands.corrections import Correction
from scoring.models import (
    AppealStep,
    Decided,
    Delivery,
    EntryKind,
    Game,
    HandDraft,
    HandVersion,
    Webhook,
    states,
)
from scoring.settlement import changes
from scoring.settlement.changes import RulingRequest
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.api.desk import Answered, Desk, Night, give_role, make_account
from tests.scoring.club import DIRECTOR, at, make_players, seat
from tests.tournaments.night import check_in, make_event
from tests.unguarded import unguarded
from tournaments import audit, jobs
from tournaments.audit import AuditRecord
from tournaments.events import adjustments, leagues
from tournaments.jobs import JobRequest
from tournaments.models import AnsweredRequest, AuditEntry, Club, Entry, Job, Player, Role
from tournaments.people import bars, members
from tournaments.people.erasure import Erasure
from tournaments.people.roles import GRANTED

pytestmark = pytest.mark.django_db

NAME, FORMER = "Zsófi Quíxotë", "Zsófi Wöllstein"
EMAIL, PHONE = "zsofi.quixote@club.example", "+36 1 555 0199"
LONGER = f"{NAME}-Brandt"
WORDS = (NAME, FORMER, "Quíxotë, Zsófi", "Wöllstein, Zsófi", EMAIL, PHONE)
RECORD = """% PHN 1.0
[Event "Birthday of {0}"]
[Site "At {1}'s"]
[Table "{0}"]
[Variant "auction-bicycle"]
[Seats "N E S W"]
[North "{0}"]
[East "Player 2"]
[South "Player 3"]
[West "Player 4"]
[Dealer "N"]
[Detail "score"]
[Declarer "E"]
[PainSuit "H"]
[ScoreTable "Seat;Pain;Bid"]
N 3 0
E 2 6
S 4 0
W 4 0
; {0} was late {{as {1} always is}}
"""


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path


class Story(Night):
    """A club in which somebody of a name is written down wherever that can be done."""

    def __init__(self, name: str, former: str) -> None:
        super().__init__()
        self.name, self.former = name, former
        self.admin = make_account(f"admin-{self.club.pk}")
        give_role(self.admin, self.club, "admin")
        self.tell_roles()
        self.office = Desk(self.admin)
        self.player = self.players[0]
        self.rename(former)
        self.rename(name)
        self.play()
        self.gather()
        self.write_messages()

    def tell_roles(self) -> None:
        """Write the roles into the trail, as whoever gives them at the desk does."""
        for role in Role.objects.filter(club=self.club):
            details = {"role": role.pk, "account": role.account_id, "kind": role.kind}
            told = AuditRecord(GRANTED, details=details)
            audit.note(told, chain=self.club.pk, club=self.club.pk, by=DIRECTOR, at=at())

    def rename(self, name: str) -> None:
        path = f"clubs/{self.club.pk}/players/{self.player.pk}"
        version = str(self.office.get(path)["version"])
        changes = {"name": name, "email": EMAIL, "phone": PHONE, "note": f"{name} drives"}
        assert self.office.patch(path, changes, version=version).status == 200

    def play(self) -> None:
        """A hand with names in tags and comments, and everything that may be said of it."""
        hand = {"id": str(uuid4()), "number": 1, "text": RECORD.format(self.name, self.former)}
        path = f"games/{self.game['id']}/hands"
        entered = self.desk.post(path, hand)
        assert entered.status == 201, entered
        one = UUID(entered["id"])
        why = f"{self.name} took three."
        agreements.object_to_hand(hand_id=one, version=1, why=why, by=seat(1), at=at(2))
        decree = RulingRequest(
            ruling=Ruling(
                decision=Decision.CHIP_ADJUST,
                chips=(-1, 1, 0, 0),
                text=f"{self.former} sneezed",
            ),
            facts=f"{self.former} sneezed",
            law=f"law of {self.name}",
            told_to=(self.name,),
        )
        rulings.decide(
            hand_id=one, decree=decree, revision=self.revision(entered), by=DIRECTOR, at=at(3)
        )
        made = Decided.objects.get(hand=one)
        step, text = AppealStep.PENDING, f"{self.name} appeals"
        rulings.appeal(ruling_id=made.pk, step=step, text=text, by=DIRECTOR, at=at(4))
        fixed = RECORD.format(self.name, self.former).replace("late", "early").encode()
        correction = Correction(
            text=fixed, why=f"{self.name} says so", revision=self.revision(entered)
        )
        corrections.correct_hand(hand_id=one, correction=correction, by=DIRECTOR, at=at(5))

    def revision(self, hand: Answered) -> int:
        return int(self.desk.get(f"hands/{hand['id']}")["revision"])

    def gather(self) -> None:
        """Money, penalties, teams, a season, another member's note."""
        entry = money.NewBooking(
            kind=EntryKind.FEE, player=self.player.pk, amount=500, note=f"for {self.name}"
        )
        posted = money.enter_money(club_id=self.club.pk, entry=entry, by=DIRECTOR, at=at(6))
        money.reverse_money(
            club_id=self.club.pk, entry=posted.pk, why=f"{self.former} paid", by=DIRECTOR, at=at(7)
        )
        event = make_event(self.club, name=f"Farewell of {self.name}")
        (place, *_others) = check_in(event, self.players)
        Entry.objects.filter(pk=place.pk).update(
            team=f"{self.name} and friends", household=self.name
        )
        adjustments.adjust_score(
            event_id=event.pk,
            entry=place.pk,
            amount="-1",
            reason=f"{self.name} was late",
            by=DIRECTOR,
            at=at(8),
        )
        season = {"name": f"{self.former} Cup"}
        leagues.create_league(club_id=self.club.pk, new=season, by=DIRECTOR, at=at())
        other = self.players[1]
        changes = {"note": f"sister of {self.name}"}
        members.change_player(player_id=other.pk, changes=changes, version=1, by=DIRECTOR, at=at(9))
        path = f"clubs/{self.club.pk}/players/{self.player.pk}/bars"
        assert self.desk.post(path, {"reason": f"{self.name} threw cards"}).status == 201
        bars.bar_player(
            club_id=self.club.pk,
            player_id=self.players[2].pk,
            reason=f"Hit {self.former}",
            by=DIRECTOR,
            at=at(10),
        )

    def write_messages(self) -> None:
        """A webhook's queue, a draft of a phone, a job with its file and its report."""
        hook = Webhook.objects.create(
            club=self.club, url="https://x.example", secret=NAME[:1], created_at=at()
        )
        body = json.dumps({"player": self.name, "text": f"by {self.former}"})
        Delivery.objects.create(webhook=hook, event="x", body=body, created_at=at())
        HandDraft.objects.create(
            id=uuid4(),
            game_id=self.game["id"],
            number=2,
            by="seat",
            change=1,
            answers=json.dumps([self.name]),
            kept_at=at(),
        )
        upload = f"Name\n{self.name}\n".encode()
        wanted = JobRequest(kind="members", params={"file": self.name}, upload=upload)
        job = jobs.create(club_id=self.club.pk, request=wanted, by=DIRECTOR, at=at())
        Job.objects.filter(pk=job.pk).update(problems=[{"line": 1, "message": self.name}])


def dumped() -> dict[str, list[dict[str, Any]]]:
    """Every column of every row of every table of ours, as text."""
    found = {}
    for model in apps.get_models():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            names = [column[0] for column in cursor.description]
            found[model._meta.db_table] = [
                dict(zip(names, map(as_text, row), strict=True)) for row in cursor.fetchall()
            ]
    return found


def as_text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    text = str(value)
    if "\\u" in text:
        try:
            return json.dumps(json.loads(text), ensure_ascii=False)
        except ValueError:
            return text
    return text


def places_of(word: str, tables: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Where a word stands, but as a part of the longer name."""
    return [
        f"{table}.{column}: {value[:200]}"
        for table, rows in tables.items()
        for row in rows
        for column, value in row.items()
        if word.casefold() in value.casefold().replace(LONGER.casefold(), "")
    ]


def assert_verifies(club: Club) -> None:
    numbers = list(Game.objects.filter(club=club).values_list("pk", flat=True))
    looked = look_at_games(numbers)
    assert not looked.differences, "\n".join(map(str, looked.differences))
    assert not list(look_at_club(club.pk))


def erase(player: Player) -> None:
    version = Player.objects.get(pk=player.pk).version
    members.erase_person(player_id=player.pk, version=version, by=DIRECTOR, at=at(60))


def test_no_name_of_an_erased_person_is_left_anywhere(files: Path) -> None:
    story = Story(NAME, FORMER)
    assert_verifies(story.club)
    before = dumped()
    assert all(places_of(word, before) for word in (NAME, FORMER, EMAIL, PHONE))
    assert any(NAME.encode() in path.read_bytes() for path in files.rglob("*.in"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda work, **_more: work())
        erase(story.player)
    after = dumped()
    for word in WORDS:
        assert places_of(word, after) == []
    assert not [path for path in files.rglob("*.*") if NAME.encode() in path.read_bytes()]
    assert_verifies(story.club)
    texts = [bytes(row.text).decode() for row in HandVersion.objects.all()]
    assert all('[North "Former member 1"]' in text for text in texts)
    assert all('[East "Player 2"]' in text for text in texts)


def test_another_club_stays_byte_for_byte() -> None:
    other = Story(LONGER, f"{FORMER}-Brandt")
    before = dumped()
    story = Story(NAME, FORMER)
    erase(story.player)
    after = dumped()
    for table, rows in before.items():
        kept = [json.dumps(row) for row in after[table]]
        assert [row for row in rows if json.dumps(row) not in kept] == [], table
    assert_verifies(other.club)


def test_a_member_whose_longer_name_contains_the_name_keeps_it() -> None:
    story = Story(NAME, FORMER)
    other = story.players[1]
    changes = {"name": LONGER, "note": f"{LONGER} knows {NAME}"}
    members.change_player(player_id=other.pk, changes=changes, version=2, by=DIRECTOR, at=at(20))
    erase(story.player)
    other = Player.objects.select_related("person").get(pk=other.pk)
    assert (other.person.name, other.person.note) == (LONGER, f"{LONGER} knows Former member 1")


def test_a_reason_is_sealed_and_a_changed_one_is_found() -> None:
    story = Story(NAME, FORMER)
    entry = AuditEntry.objects.filter(club_id=story.club.pk).exclude(why="").first()
    assert entry is not None
    assert audit.is_whole(entry)
    with unguarded():
        AuditEntry.objects.filter(pk=entry.pk).update(why="something else")
    assert [one.pk for one in audit.find_broken_entries(entry.chain)] == [entry.pk]


def test_a_chain_from_before_reasons_were_sealed_holds_after_erasing() -> None:
    story = Story("Player 1", "Player 1")
    chain, why = uuid4(), f"{NAME} was late"
    rows, before = [], audit.FIRST_DIGEST
    for number in (1, 2):
        row = AuditEntry(
            chain=chain,
            number=number,
            club_id=story.club.pk,
            what="x",
            by="system",
            source="command",
            why=why,
            at=at(),
            before=before,
        )
        row.digest = before = audit.digest_of(row)
        rows.append(row)
    AuditEntry.objects.bulk_create(rows)
    assert not list(audit.find_broken_entries(chain))
    story.rename(NAME)
    erase(story.player)
    assert not list(audit.find_broken_entries(chain))
    assert places_of(NAME, dumped()) == []


def test_no_word_that_a_person_typed_stands_in_the_details_of_the_trail() -> None:
    """Where they stand they are covered by a salted digest, and can be erased."""
    story = Story(NAME, FORMER)
    for details in AuditEntry.objects.filter(club_id=story.club.pk).values_list("details"):
        assert not [word for word in WORDS if word in str(details)]
    assert "sneezed" not in Decided.objects.get().ruling
    assert Decided.objects.get().decision().text == f"{FORMER} sneezed"


def test_the_words_of_rulings_from_before_are_erased_where_they_stood_twice(
    monkeypatch: pytest.MonkeyPatch, files: Path
) -> None:
    del files
    monkeypatch.setattr(
        changes, "write_ruling", lambda ruling, **_text: states.dumps(states.ruling_data(ruling))
    )
    story = Story(NAME, FORMER)
    entry = AuditEntry.objects.get(what="ruling", club_id=story.club.pk)
    assert FORMER in json.loads(entry.details)["decision"]["text"]
    assert_verifies(story.club)
    migration = import_module("scoring.migrations.0029_words_of_rulings_once")
    with unguarded():
        migration.write_words_once(apps, None)
    assert FORMER not in Decided.objects.get().ruling
    assert_verifies(story.club)
    erase(story.player)
    assert places_of(FORMER, dumped()) == []
    assert_verifies(story.club)


def test_words_of_rulings_about_people_who_were_erased_before_lose_the_name_too(
    monkeypatch: pytest.MonkeyPatch, files: Path
) -> None:
    del files
    monkeypatch.setattr(
        changes, "write_ruling", lambda ruling, **_text: states.dumps(states.ruling_data(ruling))
    )
    monkeypatch.setattr("scoring.erasure._erase_decisions", lambda _erasure: None)
    story = Story(NAME, FORMER)
    erase(story.player)
    assert len(places_of(FORMER, dumped())) == 2
    migration = import_module("scoring.migrations.0029_words_of_rulings_once")
    with unguarded():
        migration.write_words_once(apps, None)
    assert places_of(FORMER, dumped()) == []
    assert_verifies(story.club)


def test_an_erasure_says_which_texts_it_leaves_since_somebody_has_the_same_name() -> None:
    story = Story(NAME, FORMER)
    assert members.find_unclear_texts(story.player).sentence is None
    other = story.players[1]
    members.change_player(
        player_id=other.pk, changes={"name": NAME}, version=2, by=DIRECTOR, at=at(20)
    )
    before = dumped()
    unclear = members.find_unclear_texts(story.player)
    assert dumped() == before
    assert unclear.count > 3
    assert str(unclear.sentence) == (
        f"{unclear.count} texts have the name, but may mean no. {other.number}: "
        "they stay as they are."
    )


def test_a_name_that_is_a_word_of_the_notation_harms_no_record() -> None:
    story = Story("hearts", "N")
    erase(story.player)
    assert_verifies(story.club)
    assert all(b'[Dealer "N"]' in bytes(row.text) for row in HandVersion.objects.all())


def test_who_has_the_same_name_keeps_it_where_nothing_says_who_is_meant() -> None:
    story = Story(NAME, FORMER)
    twin = story.players[1]
    members.change_player(
        player_id=twin.pk, changes={"name": NAME}, version=2, by=DIRECTOR, at=at(20)
    )
    erasure = Erasure.of(Player.objects.get(pk=story.player.pk))
    assert erasure.erase(f"{NAME} and {FORMER}") == f"{NAME} and Former member 1"
    erase(story.player)
    assert Player.objects.get(pk=twin.pk).person.name == NAME
    texts = [bytes(row.text).decode() for row in HandVersion.objects.all()]
    assert all('[North "Former member 1"]' in text for text in texts)


def test_a_name_of_one_word_is_found_in_its_own_spelling_and_a_letter_is_none() -> None:
    story = Story("Will", "A")
    erasure = Erasure.of(Player.objects.get(pk=story.player.pk))
    assert erasure.erase("Will will win") == "Former member 1 will win"
    assert erasure.erase("A card, willing") == "A card, willing"


def test_why_somebody_was_barred_goes_with_the_person_whatever_words_it_has() -> None:
    story = Story(NAME, FORMER)
    (twice,) = make_players(story.club, 1)
    bar = bars.bar_player(
        club_id=story.club.pk,
        player_id=twice.pk,
        reason="Spat at the dealer",
        until=at().date(),
        by=DIRECTOR,
        at=at(11),
    )
    members.merge_player(
        player_id=twice.pk, into=story.player.pk, version=twice.version, by=DIRECTOR, at=at(12)
    )
    erase(story.player)
    assert places_of("Spat at the dealer", dumped()) == []
    bar.refresh_from_db()
    assert (bar.player_id, bar.reason) == (story.player.pk, "")
    assert not list(audit.find_broken_entries(story.club.pk))
    other = story.players[2].bars.get()
    assert other.reason == "Hit Former member 1"


def test_a_bar_whose_reason_is_the_name_alone_hinders_no_erasing() -> None:
    story = Story(NAME, FORMER)
    for bar in story.player.bars.all():
        bars.lift_bar(club_id=story.club.pk, bar_id=bar.pk, by=DIRECTOR, at=at(10))
    bars.bar_player(
        club_id=story.club.pk, player_id=story.player.pk, reason=NAME, by=DIRECTOR, at=at(11)
    )
    erase(story.player)
    assert places_of(NAME, dumped()) == []
    assert_verifies(story.club)


def test_a_reason_as_long_as_its_column_is_erased_too() -> None:
    story = Story(NAME, FORMER)
    why = f"{NAME:.>1000}"
    action = AuditRecord(Message("player changed"), why)
    audit.note(action, chain=story.club.pk, club=story.club.pk, by=DIRECTOR, at=at(7))
    erase(story.player)
    assert places_of(NAME, dumped()) == []
    erased = AuditEntry.objects.get(why__startswith="....").why
    assert len(erased) == 1000
    assert erased.endswith(" Former member 1")
    assert_verifies(story.club)


WORDS_OF_NAMES = st.sampled_from(("Anna", "Li", "li", "Jansen", "van", "Zoë", "Zoe\u0308", "7"))
NAMES = st.lists(WORDS_OF_NAMES, min_size=1, max_size=3).map(" ".join)


@given(
    own=st.sets(NAMES, min_size=1, max_size=3), others=st.sets(NAMES, max_size=4), text=st.data()
)
def test_texts_that_name_nobody_are_left_out_of_the_search_and_no_others(
    own: set[str], others: set[str], text: Any
) -> None:
    erasure = Erasure(
        club=uuid4(),
        players=frozenset(),
        pseudonym="Former member 1",
        own=frozenset(normalize("NFC", name) for name in own),
        others=frozenset(" ".join(normalize("NFC", name).casefold().split()) for name in others),
    )
    pieces = st.sampled_from((*own, *others, ", ", " ", "x", ".", "Jansen, Anna"))
    said = "".join(text.draw(st.lists(pieces, max_size=8)))
    assert erasure.erase(said) == erasure._all_names.sub(erasure._replacement, said)


def test_requests_of_before_are_known_to_be_of_their_club() -> None:
    story = Story(NAME, FORMER)
    ruling = Decided.objects.get()
    paths = {
        f"/api/v1/clubs/{story.club.pk}/players": story.club.pk,
        f"/desk/games/{story.game['id']}/hands/": story.club.pk,
        f"/api/v1/rulings/{ruling.pk}/appeal": story.club.pk,
        f"/api/v1/games/{uuid4()}": None,
        "/api/v1/clubs": None,
    }
    AnsweredRequest.objects.all().delete()
    for number, path in enumerate(paths):
        AnsweredRequest.objects.create(
            asker="desk", key=f"{number}", path=path, body=b"", answer=b"", status=200, at=at()
        )
    import_module("scoring.migrations.0016_erasing_people")._find_clubs(apps, None)
    assert dict(AnsweredRequest.objects.values_list("path", "club_id")) == paths
