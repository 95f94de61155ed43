"""The demo club: everything is in it, its books are right, and a seed always gives the same one."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from engine.core.faults import Code
from engine.record.game_state import EndReason
from engine.record.rulings import Decision
from scoring.games import night_sheets
from scoring.management import demo
from scoring.management.demo import Founded, Size
from scoring.models import (
    Appeal,
    Decided,
    EntryKind,
    Form,
    Game,
    Hand,
    HandVersion,
    Holder,
    Phase,
    SealedPaper,
    SeatLink,
    Sitting,
    State,
    Word,
)
from scoring.models.states import read_state
from scoring.selectors import queries
from scoring.settlement import replay
from scoring.settlement.plan import rules_of, state_before
from scoring.submissions.reading import read_hand
from scoring.transfer.verifying import bundles, look_at_club, look_at_games
from tests.scoring.club import assert_recomputes
from tournaments.models import AuditEntry, Person, Player, Role, RoleKind, RuleSet

pytestmark = pytest.mark.django_db


def small(seed: int) -> Founded:
    return demo.build(seed=seed, name=f"Club {seed}", size=Size.SMALL, nights=0)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_demo_club_has_everything_in_it_and_its_books_are_right(seed: int) -> None:
    club = small(seed)
    differences = list(look_at_club(club.club))
    for bundle in bundles([club.club]):
        differences += look_at_games(bundle.games).differences
    assert differences == []
    for game in Game.objects.all():
        assert_recomputes(game)
    assert [what for what, is_there in contents(club) if not is_there] == []


def contents(club: Founded) -> Iterator[tuple[str, bool]]:
    yield from _people()
    yield from _play()
    yield from _rulings()
    yield from _corrections()
    yield from _money(club)


def _people() -> Iterator[tuple[str, bool]]:
    names = list(Person.objects.values_list("name", flat=True))
    kinds = set(Player.objects.values_list("kind", flat=True))
    role = Role.objects.get()
    yield "an admin", role.kind == RoleKind.ADMIN
    yield "who can sign in", role.account.has_usable_password()
    yield "members, guests, visitors", kinds == {"member", "guest", "visitor"}
    yield "two people with one name", len(set(names)) == len(names) - 1
    yield "a merged duplicate", Player.objects.filter(merged_into__isnull=False).count() == 1
    merged = Sitting.objects.filter(player__merged_into__isnull=False)
    yield "who played before he was merged", merged.exists()
    presets = {rule_set.preset for rule_set in RuleSet.objects.filter(games__isnull=False)}
    five = {"bicycle", "hoyle_hearts", "hoyle_auction", "insurance", "sahara"}
    yield "all five systems", presets == five
    yield "a substitute", Sitting.objects.filter(is_entrant=False, last__isnull=False).exists()
    yield (
        "a link for every seat",
        SeatLink.objects.count() == Sitting.objects.filter(first=1).count(),
    )


def _play() -> Iterator[tuple[str, bool]]:
    games = list(Game.objects.order_by("opened_at", "name"))
    nights = sorted({game.opened_at for game in games})
    week = timedelta(weeks=1)
    yield "three nights a week apart", nights == [nights[0] + n * week for n in range(3)]
    tables = [sum(game.opened_at == night for game in games) for night in nights]
    yield "several tables a night", min(tables) > 1
    yield "tables of three to six", {game.players for game in games} == {3, 4, 5, 6}
    first = HandVersion.objects.filter(number=1)
    yield "all three forms", set(first.values_list("form", flat=True)) == set(Form.values)
    ends = {read_state(game.state).over for game in games}
    yield "ends by bust, at the limit, by word", {EndReason.BUST, EndReason.LIMIT, None} <= ends
    states = set(Hand.objects.filter(rival=None).values_list("state", flat=True))
    for state in (State.ACCEPTED, State.RULED, State.VOID, State.PASSED_OUT, State.FOOT):
        yield f"a hand that is {state}", state in states
    yield "nothing open", not states & {State.DRAFT, State.DISPUTED}
    yield "confirmations", Word.objects.filter(agrees=True).exists()
    phases = {game.phase for game in games}
    yield "closed and official games", phases == {Phase.CLOSED, Phase.OFFICIAL}
    papers = SealedPaper.objects.exclude(opened_at=None).exclude(value="")
    yield "sealed papers of both kinds", papers.count() == 8


def _rulings() -> Iterator[tuple[str, bool]]:
    rows = [(row, row.decision()) for row in Decided.objects.filter(superseded_by=None)]
    made = {(ruling.decision, ruling.code) for _, ruling in rows}
    yield "a revoke, by the law", (Decision.REVOKE_LAW, Code.REVOKE) in made
    yield "a forbidden card stands", (Decision.RESULT_STANDS, Code.FIRST_TRICK) in made
    yield "a misdeal", (Decision.VOID_REDEAL, Code.MISDEAL) in made
    superseded = Decided.objects.exclude(superseded_by=None).filter(lets_stand=None)
    yield "a ruling superseded", superseded.exists()
    yield "an appeal", Appeal.objects.filter(step="changed").exists()
    objection = Word.objects.get(agrees=False)
    ruled = Decided.objects.filter(hand=objection.version.hand)
    yield "an objection, dealt with", objection.version.hand.state == State.RULED and ruled.exists()
    revoked = Decided.objects.filter(ruling__contains="REVOKE_LAW").first()
    yield "a revoke in the record", revoked is not None and Code.REVOKE in _codes(revoked.hand, 1)


def _codes(hand: Hand, version: int) -> set[Code]:
    text = bytes(HandVersion.objects.get(hand=hand, number=version).text)
    entered = replay.HandInput(number=hand.number, record=read_hand(text))
    before = state_before(hand.game, hand.number)
    played = replay.judge_entered(rules_of(hand.game), before, entered)
    return {fault.code for fault in played.judged.faults}


def _corrections() -> Iterator[tuple[str, bool]]:
    rival = Hand.objects.get(rival__isnull=False)
    yield "the second record chosen", rival.reason == "It became the record of the hand."
    corrected = Hand.objects.filter(current__gt=1)
    miscounted = [hand for hand in corrected if Code.CAPTURE_COUNT in _codes(hand, 1)]
    yield "captures that did not add up", bool(miscounted)
    trail = AuditEntry.objects.filter(what="hand corrected")
    late = [one for one in trail if _days_after(one) >= 6]
    policies = {word for one in late for word in ("resettle", "let_stand") if word in one.details}
    yield "corrections a week later, both ways", policies == {"resettle", "let_stand"}
    yield "play let stand", Decided.objects.filter(lets_stand__isnull=False).exists()
    texts = [[one.digest for one in queries.versions(hand)] for hand in corrected]
    yield "a correction undone", any(len(row) > 2 and row[-1] == row[-3] for row in texts)


def _days_after(entry: AuditEntry) -> int:
    return (entry.at - Game.objects.get(pk=entry.chain).opened_at).days


def _money(club: Founded) -> Iterator[tuple[str, bool]]:
    rows = list(queries.club_transfers(club.club).select_related("payer", "payee"))
    kinds = {row.kind for row in rows if row.payer.unit == "EUR"}
    unused = {EntryKind.RETURN, EntryKind.REBUY, EntryKind.ENTRY_FEE, EntryKind.FEE_PAID}
    wanted = set(EntryKind) - unused
    yield "money of every kind", kinds == wanted
    booked = [row for row in rows if row.hand_id is None and row.reverses_id is not None]
    yield "an entry taken back", any(row.kind == EntryKind.FEE for row in booked)
    jackpots = [row for row in rows if row.kind == EntryKind.JACKPOT and row.payer.unit == "chips"]
    kept = next((row for row in jackpots if row.payee.holder == Holder.JACKPOT), None)
    drawn = next((row for row in jackpots if row.payer.holder == Holder.JACKPOT), None)
    yield (
        "a jackpot carried to the next night",
        (
            kept is not None
            and drawn is not None
            and kept.amount == drawn.amount
            and kept.at < drawn.at
            and kept.game_id != drawn.game_id
        ),
    )
    yield "unpaid balances", len(night_sheets.open_balances(club_id=club.club)) > 2
    totals = sum(row.amount for row in night_sheets.open_balances(club_id=club.club))
    yield "debts and claims", totals != 0


def test_the_same_seed_gives_the_same_club_from_the_command_and_only_once() -> None:
    with transaction.atomic():
        first = small(7)
        before = everything()
        transaction.set_rollback(True)
    status, out, err = ask("--seed", "7", "--small", "--name", "Club 7", "--nights", "0")
    assert (status, err) == (0, "")
    assert everything() == before
    lines = out.splitlines()
    assert lines[0].startswith("Club 7, from 2025-02-21 on: 18 players, 0 events, 9 games, ")
    assert lines[2] == "sign in   demo-7@example.org"
    password = lines[3].split()[1]
    assert password != first.sign_in.password
    assert authenticate(username="demo-7@example.org", password=password) is not None
    assert Client().get(lines[4].split()[1]).status_code == 200
    checked = StringIO()
    call_command("verify", lines[1].split()[1], stdout=checked)
    assert checked.getvalue().endswith("hands: no difference.\n")
    assert ask("--seed", "7") == (
        2,
        "",
        "demo: The demo club of seed 7 is here already; take another --seed.\n",
    )


@pytest.mark.parametrize("name", ["", "x" * 201, "two\nlines"])
def test_a_club_needs_a_name(name: str) -> None:
    assert ask("--name", name) == (2, "", "demo: A club's name has 1 to 200 letters.\n")


@pytest.mark.parametrize("seed", ["-1", "1000000000", "one", "9" * 5000])
def test_a_seed_is_a_whole_number(seed: str) -> None:
    with pytest.raises(Exception, match="a whole number from 0 to 999999999 is needed"):
        ask("--seed", seed)


def ask(*words: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    status = 0
    try:
        call_command("demo", *words, stdout=out, stderr=err)
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, out.getvalue(), err.getvalue()


def everything() -> list[Any]:
    """What a seed gives: play, rulings, corrections, chips and money, and when; no secrets."""
    numbers = dict(Player.objects.values_list("pk", "number"))
    sides = ("payer__holder", "payer__seat", "payer__player", "payee__holder", "payee__seat")
    (club,) = {game.club_id for game in Game.objects.all()}
    transfers = queries.club_transfers(club).values_list(
        "kind", "amount", "at", "game", "hand__number", "payee__player", *sides
    )
    return [
        *Game.objects.order_by("pk").values_list("pk", "name", "phase", "state", "start", "booked"),
        *Hand.objects.order_by("pk").values_list("pk", "number", "state", "certainty", "after"),
        *HandVersion.objects.order_by("pk").values_list("hand", "form", "digest", "seat", "at"),
        *Decided.objects.order_by("at", "hand").values_list("hand", "ruling", "facts", "at"),
        *Word.objects.order_by("pk").values_list("agrees", "seat", "at"),
        *SealedPaper.objects.order_by("pk").values_list("hand", "seat", "seal", "value"),
        *[tuple(numbers.get(value, value) for value in row) for row in transfers],
    ]
