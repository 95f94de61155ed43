"""The door of an event: who can check themselves in, as whom, and what a code tells."""

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, draw, make_event
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import ALPHABET
from tournaments.core.name_folding import fold_name
from tournaments.events import door
from tournaments.events.door import (
    GUESTS_MAX,
    SimilarNameError,
    check_in_at_door,
    find_door,
    list_choices,
)
from tournaments.events.entries import change_entry
from tournaments.models import (
    AuditEntry,
    DoorCode,
    Entry,
    Event,
    Person,
    Player,
    PlayerKind,
    Presence,
    Shown,
    Status,
)
from tournaments.people.bars import bar_player

pytestmark = pytest.mark.django_db

NAMES = ("Nora Adams", "Bob Baker", "Ann Archer", "Ann Archer", "Hid Hidden", "Gus Guest")


def open_door(event: Event) -> DoorCode:
    door.open_door(event_id=event.pk, by=DIRECTOR, at=at())
    return find_door(DoorCode.objects.get(event=event).code)


def night() -> tuple[DoorCode, list[Player]]:
    club = make_club()
    players = make_players(club, len(NAMES))
    for player, name in zip(players, NAMES, strict=True):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    Person.objects.filter(player=players[4]).update(shown=Shown.HIDDEN)
    Player.objects.filter(pk=players[5].pk).update(kind=PlayerKind.GUEST)
    return open_door(make_event(club)), players


def test_names_are_offered_as_strangers_see_them_and_no_others() -> None:
    door, players = night()
    assert [name for _player, name in list_choices(door.event)] == [
        "Ann A. (3)",
        "Ann A. (4)",
        "Bob B.",
        "Nora A.",
    ]
    # A guest is offered after a night that they came to.
    check_in(make_event(door.event.club, starts_at=at(-99)), [players[5]])
    assert "Gus G." in [name for _player, name in list_choices(door.event)]


def test_who_chooses_their_name_is_here_and_a_second_tap_changes_nothing() -> None:
    door, players = night()
    for _ in range(2):
        check_in_at_door(door=door, player=players[0].pk, at=at())
    entry = Entry.objects.get()
    assert (entry.player, entry.presence) == (players[0], Presence.HERE)
    note = AuditEntry.objects.get(chain=door.event_id, what="entered")
    assert (note.by, note.source) == (f"door:{door.event_id}", "door")


def test_a_typed_name_is_a_member_of_just_this_name_or_a_new_guest() -> None:
    door, players = night()
    for name in ("hid HIDDEN", "Hidden, Hid", "Zoë Grün", "GRÜN,\u00a0zoë"):
        check_in_at_door(door=door, name=name, at=at())
    zoe = Person.objects.get(name="Zoë Grün").player
    assert zoe.kind == PlayerKind.GUEST
    assert set(Entry.objects.values_list("player", flat=True)) == {players[4].pk, zoe.pk}
    with pytest.raises(RefusedError, match="speak to the director"):
        check_in_at_door(door=door, name="Ann Archer", at=at())
    with pytest.raises(RefusedError, match="Choose your name"):
        check_in_at_door(door=door, name="  ", at=at())
    with pytest.raises(RefusedError, match=r"U\+202E"):
        check_in_at_door(door=door, name="Zoë\u202eGrün", at=at())


def test_a_typed_name_like_one_that_is_offered_is_asked_about() -> None:
    door, players = night()
    typed = f"{NAMES[0]}x"
    with pytest.raises(SimilarNameError) as asked:
        check_in_at_door(door=door, name=typed, at=at())
    assert players[0].pk in {player.pk for player, _shown in asked.value.choices}
    assert not Entry.objects.exists()
    check_in_at_door(door=door, name=typed, is_new=True, at=at())
    assert Entry.objects.get().player.person.name == typed
    with pytest.raises(RefusedError, match="speak to the director"):
        check_in_at_door(door=door, name="Hid Hiden", at=at())


def test_whom_the_director_has_to_look_at_is_sent_to_them_without_a_reason() -> None:
    door, players = night()
    bar_player(
        club_id=door.event.club_id, player_id=players[0].pk, reason="Debts.", by=DIRECTOR, at=at()
    )
    check_in_at_door(door=door, player=players[1].pk, at=at())
    gone = {"presence": Presence.WITHDRAWN}
    change_entry(entry_id=Entry.objects.get().pk, changes=gone, by=DIRECTOR, at=at())
    for player in players[:2]:
        with pytest.raises(RefusedError) as refused:
            check_in_at_door(door=door, player=player.pk, at=at())
        assert str(refused.value) == "You cannot check yourself in: please speak to the director."
    with pytest.raises(NotThereError):
        check_in_at_door(door=door, player=players[4].pk, at=at())
    other = make_players(make_club("Other"), 1)[0]
    with pytest.raises(NotThereError):
        check_in_at_door(door=door, player=other.pk, at=at())
    assert Entry.objects.count() == 1


def test_so_many_new_people_come_in_by_themselves_and_no_more() -> None:
    door, _players = night()
    for number in range(GUESTS_MAX):
        check_in_at_door(door=door, name=f"Guest {number}", at=at())
    with pytest.raises(RefusedError, match="speak to the director"):
        check_in_at_door(door=door, name="One more", at=at())
    check_in_at_door(door=door, name="Guest 1", at=at())
    assert Entry.objects.count() == GUESTS_MAX


def test_a_wrong_name_is_taken_back_until_somebody_is_seated_or_has_paid() -> None:
    door_code, players = night()
    event = door_code.event
    Event.objects.filter(pk=event.pk).update(sizes=[4], rounds=1)
    done = check_in_at_door(door=door_code, player=players[0].pk, at=at())
    door.undo_check_in(door=door_code, entry_id=done.entry.pk, before=done.before, at=at())
    assert not Entry.objects.exists()
    (expected,) = check_in(event, [players[1]])
    later = {"presence": Presence.EXPECTED}
    change_entry(entry_id=expected.pk, changes=later, by=DIRECTOR, at=at())
    done = check_in_at_door(door=door_code, player=players[1].pk, at=at())
    door.undo_check_in(door=door_code, entry_id=done.entry.pk, before=done.before, at=at())
    assert Entry.objects.get().presence == Presence.EXPECTED
    check_in(event, players[1:5])
    draw(event)
    with pytest.raises(RefusedError, match="speak to the director"):
        door.undo_check_in(door=door_code, entry_id=expected.pk, before="", at=at())


def test_a_code_is_read_however_it_is_typed_and_opens_only_what_is_on() -> None:
    found, _players = night()
    event, code = found.event, found.code
    assert len(code) == 6
    assert set(code) <= set(ALPHABET)
    assert find_door(f" {code[:3].lower()}-{code[3:]} ").event == event
    for wrong in ("", code[:5], code + "2", "0O1I", "'; --"):
        with pytest.raises(NotThereError):
            find_door(wrong)
    door.open_door(event_id=event.pk, by=DIRECTOR, at=at())
    with pytest.raises(NotThereError):
        find_door(code)
    code = DoorCode.objects.get().code
    Event.objects.update(status=Status.FINISHED)
    with pytest.raises(GoneError):
        find_door(code)
    Event.objects.update(status=Status.RUNNING)
    for _ in range(2):
        door.close_door(event_id=event.pk, by=DIRECTOR, at=at())
    with pytest.raises(NotThereError):
        find_door(code)
    trail = AuditEntry.objects.filter(what__startswith="door").order_by("pk")
    made, withdrawn = "door code made", "door code withdrawn"
    assert list(trail.values_list("what", flat=True)) == [made, made, withdrawn]
