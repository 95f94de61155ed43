"""`manage.py verify` names rights, bars, house rules and fees of which no trail tells."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from scoring.games.fees import mark_fee
from scoring.games.money import NewBooking, enter_money
from scoring.models import EntryKind
from scoring.transfer.verifying import look_at_club, look_at_installation
from tests.api.asking import PASSWORD, account_of
from tests.scoring.club import DIRECTOR, at, make_players
from tests.tournaments.night import check_in, make_event
from tests.unguarded import unguarded
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.models import Account, Club, Entry, PlayerBar, Role, RoleKind
from tournaments.people import accounts, roles
from tournaments.people.accounts import NewAccount
from tournaments.people.bars import bar_player, lift_bar
from tournaments.people.clubs import create_club
from tournaments.people.roles import grant_role
from tournaments.people.rule_sets import HouseRules, change_rule_set, make_rule_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    nora, olga, kim = (account_of(f"{name}@club.example") for name in ("nora", "olga", "kim"))
    by = Actor(ActorKind.PERSON, Source.PAGE, nora.pk)
    club = create_club(new={"name": "Leiden"}, by=by, at=at())
    for account, kind in ((olga, RoleKind.DIRECTOR), (kim, RoleKind.TREASURER)):
        grant_role(club_id=club.pk, email=account.email, kind=kind, by=by, at=at())
    gone = Role.objects.get(account=kim)
    roles.revoke_role(club_id=club.pk, role_id=gone.pk, by=by, at=at())
    rules = make_rule_set(
        club_id=club.pk, new=HouseRules(name="Ours", preset="bicycle"), by=by, at=at()
    )
    rules = change_rule_set(
        rule_set_id=rules.pk, changes={"overrides": {"starting_chips": "77"}}, version=1, by=by,
        at=at(1),
    )  # fmt: skip
    players = make_players(club, 4)
    for minute, player in enumerate(players[:2]):
        bar_player(club_id=club.pk, player_id=player.pk, reason="Threw cards", by=by, at=at(minute))
    first = PlayerBar.objects.get(player=players[0])
    lift_bar(club_id=club.pk, bar_id=first.pk, by=by, at=at(5))
    event = make_event(club, rule_set=rules, entry_fee=500)
    check_in(event, players[2:])
    entry = Entry.objects.get(event=event, player=players[2])
    mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at(9))
    booking = NewBooking(kind=EntryKind.RECEIVED, player=players[3].pk, amount=900, note="Cash")
    enter_money(club_id=club.pk, entry=booking, by=by, at=at(10))
    return club


def lines(club: Club) -> list[str]:
    prefix = f"club {club.pk}, "
    found = (*look_at_club(club.pk), *look_at_installation())
    return [str(one).removeprefix(prefix).split(": ", 1)[1] for one in found]


def sql(statement: str) -> Callable[[Club], None]:
    def act(_club: Club) -> None:
        with unguarded(), connection.cursor() as cursor:
            cursor.execute(statement)
            assert cursor.rowcount

    return act


def give_a_role(club: Club) -> None:
    account = Account.objects.get(email="kim@club.example")
    Role.objects.create(account=account, club=club, kind=RoleKind.ADMIN, created_at=at())


def give_all_clubs(_club: Club) -> None:
    account = Account.objects.get(email="kim@club.example")
    Role.objects.create(account=account, kind=RoleKind.FEDERATION, created_at=at())


def lift(club: Club) -> None:
    bar = PlayerBar.objects.get(player__club=club, lifted_at=None)
    PlayerBar.objects.filter(pk=bar.pk).update(lifted_at=at() + timedelta(days=1), lifted_by="x")


def test_what_the_services_did_gives_no_line(club: Club) -> None:
    assert lines(club) == []


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (give_a_role, ("role admin of account", "the trail does not tell of it")),
        (give_all_clubs, ("federation right of account", "the trail does not tell of it")),
        (
            sql("UPDATE tournaments_role SET kind = 'treasurer' WHERE kind = 'director'"),
            ("role director of account", "none"),
        ),
        (
            sql("UPDATE tournaments_account SET is_superuser = true"),
            ("operator right of account", "the trail does not tell of it"),
        ),
        (sql("DELETE FROM tournaments_playerbar WHERE lifted_at IS NULL"), ("bar of player",)),
        (sql("UPDATE tournaments_playerbar SET until = '2031-01-01'"), ("bar ",)),
        (sql("UPDATE tournaments_playerbar SET reason = 'Nothing'"), ("bar ",)),
        (lift, ("bar ", "lifted")),
        (
            sql("UPDATE tournaments_ruleset SET overrides = '{}' WHERE version = 2"),
            ("house rules ", "fields preset and overrides"),
        ),
        (
            sql("UPDATE tournaments_ruleset SET digest = 'x' WHERE version = 2"),
            ("house rules ", "field digest"),
        ),
        (
            sql("UPDATE scoring_transfer SET amount = 400 WHERE kind = 'FEE_PAID'"),
            ("fee of player", "400", "500 paid"),
        ),
        (
            sql("UPDATE scoring_transfer SET at = '2020-01-01 10:00:00' WHERE kind = 'FEE_PAID'"),
            ("moment of transfer",),
        ),
        (
            sql("UPDATE scoring_transfer SET note = 'Gift' WHERE note = 'Cash'"),
            ("money entered", "no transfer of this amount with this note"),
        ),
    ],
)
def test_what_was_done_beside_the_services_is_named(
    club: Club, act: Callable[[Club], None], words: tuple[str, ...]
) -> None:
    act(club)
    found = lines(club)
    assert any(all(word in line for word in words) for line in found), found


def test_operators_and_admins_of_all_clubs_have_a_trail() -> None:
    new = NewAccount(email="fed@club.example", name="Fed", password=PASSWORD)
    account = accounts.make_account(new=new, federation=True, at=at())
    for is_superuser in (True, True, False, True):
        accounts.set_superuser(
            email=account.email, is_superuser=is_superuser, by=DIRECTOR, at=at(1)
        )
    assert look_at_installation() == ()
    sql("UPDATE tournaments_account SET is_superuser = false")(Club())
    (found,) = look_at_installation()
    assert f"operator right of account {account.pk}: kept none" in str(found)
    sql("DELETE FROM tournaments_auditentry WHERE number > 2")(Club())
    assert any("it was cut" in str(one) for one in look_at_installation())
