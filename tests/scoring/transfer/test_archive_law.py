"""The archive law (DEC-21): a club out as PHN and in again counts, ranks and owes the same."""

import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db.models import Q
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games.board_states import start_next_board
from engine.live.hand import Phase, start
from engine.record.actions import Deal
from engine.record.rulings import Decision, Ruling
from engine.verdicts.judge import judge
from scoring.games import fees, money, nights
from scoring.games.money import NewBooking
from scoring.games.opening import SeatChange, seat_player
from scoring.hands import rulings
from scoring.ledger.transfers import Stamp
from scoring.models import EntryKind, Game, Hand, State
from scoring.models.transfer import Transfer
from scoring.selectors import queries
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import rules_of
from scoring.submissions.reading import write_hand
from scoring.transfer.importing import AS_WRITTEN, BY_TAGS, ArchiveImport, Options, place_all
from tests.engine.table import record_of, seeded, some_action
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at, enter, make_club, make_players, make_rules, state_of
from tests.scoring.transfer.test_archive_round_trip import (
    export,
    people,
    set_up_events_of,
    standings,
    summary,
)
from tests.scoring.transfer.test_imports import assert_verifies
from tests.tournaments.imports.tables import bring
from tests.tournaments.imports.test_nights_law import own_file, table_of
from tests.tournaments.night import check_in, draw, make_event, play
from tests.tournaments.night import start as start_round
from tournaments.core.deals import read_deal
from tournaments.core.errors import RefusedError
from tournaments.core.name_folding import fold_name
from tournaments.events import adjustments, decisions, leagues, recorded_results
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.events.decisions import NewDecision
from tournaments.events.recorded_results import NewResult
from tournaments.imports import ImportLog, undo_import
from tournaments.models import (
    Adjustment,
    Board,
    Club,
    Entry,
    Event,
    League,
    LeagueEvent,
    Person,
    Player,
    Result,
    Scope,
    SeatDecision,
    SitOut,
    TableSeat,
)
from tournaments.publishing import publish_due, versions

pytestmark = pytest.mark.django_db


def play_board(event: Event, game: Game, number: int, seed: int) -> None:
    """Enter a prepared board card by card."""
    rules, before = rules_of(game), start_next_board(rules_of(game), state_of(game))
    deal = Board.objects.get(event=event, number=number).deal
    hand = start(rules, before, Deal(read_deal(deal, before.dealer)))
    dice = seeded(seed)
    while hand.phase is not Phase.DONE:
        hand = hand.apply(some_action(hand, dice))
    assert enter(game, write_hand(record_of(hand)).text).hand.state == State.ACCEPTED


def duplicate_night(
    club: Club,
    some: list[Player],
    *,
    rounds: int = 1,
    hands: int = 2,
    foul: Random | None = None,
) -> Event:
    """A night of prepared boards, all of it played; the first of them with other cards perhaps."""
    event = make_event(
        club, name="Duplicate", rounds=rounds, hands=hands, duplicate=True, sizes=[4],
        scoring={"method": "matchpoints"}, rule_set=make_rules(club),
    )  # fmt: skip
    check_in(event, some)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    for number in range(1, rounds + 1):
        draw(event)
        for table, game in enumerate(start_round(event, number)):
            for board in range((number - 1) * hands + 1, number * hands + 1):
                is_foul = foul is not None and not table and foul.random() < 0.3
                if is_foul and foul is not None:
                    play(game, 1, foul.random())
                else:
                    play_board(event, game, board, 100 * table + board)
        nights.end_round(event_id=event.pk, number=number, by=DIRECTOR, at=at(number))
    return event


def bring_to(there: Club, text: bytes, log: ImportLog | None = None) -> ArchiveImport:
    options = Options(kind=AS_WRITTEN, event=BY_TAGS)
    stamp = Stamp(DIRECTOR, at(60 * 24))
    archive = ArchiveImport(there.pk, text, options, stamp, log)
    while archive.take():
        pass
    place_all(archive, BY_TAGS, there.pk, stamp, log)
    return archive


def test_a_duplicate_night_of_32_people_comes_back_with_its_points() -> None:
    club, there = make_club(), make_club("Empty")
    duplicate_night(club, make_players(club, 32))
    set_up_events_of(club, there)
    archive = bring_to(there, export(club))
    assert archive.report.problems == []
    assert all_boards(there) == all_boards(club)
    before = standings(club)["Duplicate"]
    assert standings(there)["Duplicate"] == before
    assert len({total for _place, total in before.values()}) > 1


def test_boards_are_judged_from_the_state_in_which_they_begin() -> None:
    club = make_club()
    event = duplicate_night(club, make_players(club, 8), rounds=2, hands=3)
    text = export(club)
    verdict = judge(text)
    hands = [one for one in verdict.records if one.result is not None]
    assert len(hands) == 2 * 2 * 3
    assert [fault.message for one in hands for fault in one.faults] == []
    starts = [tuple(one.result.replay.before.chips) for one in hands if one.result is not None]
    assert set(starts) == {(50, 50, 50, 50)}
    scores = Result.objects.filter(game__event=event).values_list("game", "number", "score")
    settled = {
        (one.entry.value("GameId"), one.entry.required_record.number): sorted(
            sum(
                (posting.payee == seat) * posting.amount - (posting.payer == seat) * posting.amount
                for posting in one.result.settlement.postings
            )
            for seat in range(4)
        )
        for one in hands
        if one.result is not None and one.result.settlement is not None
    }
    kept: dict[Any, list[int]] = {}
    for game, number, score in scores:
        kept.setdefault((str(game), number), []).append(score)
    assert settled == {key: sorted(values) for key, values in kept.items()}
    # Without the tag the second board begins with what the first one left.
    plain = b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"[BoardStart "))
    records = [one.result for one in judge(plain).records if one.result is not None]
    assert {tuple(one.replay.before.chips) for one in records} > {(50, 50, 50, 50)}


METHODS = ("chips", "places", "percent", "wins")


@pytest.fixture(scope="module")
def clubs(module_db: None) -> list[Club]:
    """The clubs of the first seeds, all of them published."""
    made = [any_club(seed) for seed in range(3)]
    while publish_due(clock=lambda: datetime.now(UTC)):
        pass
    return made


def any_club(seed: int) -> Club:
    """A club with ordinary and duplicate nights, results without hands, a league and money."""
    luck = Random(seed)
    club = make_club(currency="EUR")
    known = make_players(club, 13)
    Player.objects.filter(pk__in=[one.pk for one in known[:7]]).update(kind="member")
    Person.objects.filter(player=known[8]).update(name="Player 3", sought=fold_name("Player 3"))
    league = leagues.create_league(
        club_id=club.pk,
        new={
            "name": "Season",
            "season": luck.choice(
                [{}, {"rule": "sum"}, {"rule": "drop_worst", "drop": 1}, {"rule": "weighted"}]
            ),
            "is_open": luck.random() < 0.7,
        },
        by=DIRECTOR,
        at=at(),
    )
    nights_of = [ordinary_night(club, known, luck), past_night(club, known, luck)]
    if luck.random() < 0.8:
        some = luck.sample(known, luck.choice([8, 12]))
        nights_of.append(duplicate_night(club, some, rounds=luck.choice([1, 2]), foul=luck))
    for event in nights_of:
        decide_something(event, luck)
        rule_on_something(event, luck)
        weight = luck.choice(["1", "2", "1/3", "1.5"])
        leagues.add_session(
            league_id=league.pk, event=event.pk, weight=weight, by=DIRECTOR, at=at()
        )
    for player in luck.sample(known, 6):
        opening = luck.choice(["", "17/3", "-2.5", "40"])
        leagues.enrol(
            league_id=league.pk,
            player=player.pk,
            opening=opening,
            opening_events=bool(opening),
            by=DIRECTOR,
            at=at(),
        )
    for kind in luck.sample(money.KINDS, 3):
        one, other = luck.sample(known, 2)
        booking = NewBooking(
            kind=EntryKind(kind),
            player=one.pk,
            amount=1 if kind == EntryKind.WRITE_OFF else luck.randint(1, 2000),
            note='For the trip; "all of us"',
            other=other.pk if kind == EntryKind.BETWEEN else None,
        )
        with suppress(RefusedError):  # nothing is open that could be written off
            money.enter_money(
                club_id=club.pk, entry=booking, by=DIRECTOR, at=at(luck.randint(1, 99))
            )
    return club


def ordinary_night(club: Club, known: list[Player], luck: Random) -> Event:
    """Tables of four at which hands are entered as results; the rest sits out."""
    scoring = {"method": luck.choice(METHODS), "sit_out_credit": "fixed", "sit_out_points": "5/2"}
    fee = luck.choice([0, 500])
    event = make_event(
        club, name="Night", rounds=2, hands=2, scoring=scoring, entry_fee=fee, sit_outs=True,
        sizes=[4], rule_set=make_rules(club, overrides={"starting_chips": "200"}),
    )  # fmt: skip
    came = check_in(event, luck.sample(known, luck.choice([9, 10, 13])))
    for entry in luck.sample(came, 3) if fee else ():
        fees.mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at(2))
    here = {entry.player_id for entry in came}
    absent = [one for one in known if one.pk not in here]
    for number in (1, 2):
        draw(event)
        for table, game in enumerate(start_round(event, number)):
            first = luck.choice([1, 2])
            play(game, first - 1, luck.random())
            if absent and not table:
                change = SeatChange(seat=luck.randrange(4), player=absent[0].pk, first=first)
                seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(number))
            play(game, 3 - first if table else 1, luck.random())
        nights.end_round(event_id=event.pk, number=number, why="Late.", by=DIRECTOR, at=at(number))
    return event


def past_night(club: Club, known: list[Player], luck: Random) -> Event:
    """A night of which only the results are known."""
    event = make_event(
        club, name="Past", rounds=1, is_results_only=True, starts_at=at(-60 * 24 * 30)
    )
    results = [
        NewResult(player=one.pk, points=luck.choice(["3", "-17/4", "1/2"]), games=luck.randrange(4))
        for one in luck.sample(known, 6)
    ]
    recorded_results.record_results(
        event_id=event.pk, results=results, version=None, by=DIRECTOR, at=at()
    )
    return event


def decide_something(event: Event, luck: Random) -> None:
    """Penalties, forfeits and given scores; some of them are taken back."""
    entries = list(event.entries.order_by("number"))
    for entry in luck.sample(entries, 3):
        rounds = event.round_rows.count()
        number = luck.choice([None, 1]) if rounds else None
        made = adjustments.adjust_score(
            event_id=event.pk,
            entry=entry.pk,
            amount=luck.choice(["-1", "7/2", "-0.25"]),
            reason="Came late",
            round=number,
            affects_place=luck.random() < 0.3,
            by=DIRECTOR,
            at=at(),
        )
        if luck.random() < 0.3:
            adjustments.cancel_adjustment(
                event_id=event.pk, adjustment_id=made.pk, why="No", by=DIRECTOR, at=at()
            )
    seats = list(TableSeat.objects.filter(round__event=event).order_by("pk"))
    for seat in luck.sample(seats, min(2, len(seats))):
        score = luck.random() < 0.5
        new_decision = NewDecision(
            kind="score" if score else "forfeit",
            round=seat.round.number,
            entry=seat.entry_id,
            reason="He left",
            amount="13/2" if score else "",
            hands=None if score else luck.choice([None, 0, 1]),
        )
        decisions.decide_seats(event_id=event.pk, new=new_decision, by=DIRECTOR, at=at())


def rule_on_something(event: Event, luck: Random) -> None:
    """Rulings, of which others take the place, and that are taken back or hold again."""
    rows = list(Hand.objects.filter(game__table__round__event=event, rival=None).order_by("pk"))
    for hand in luck.sample(rows, min(3, len(rows))):
        for step in range(luck.choice([1, 2, 4])):
            standing = hand.decisions.filter(superseded_by=None, withdrawn=False).first()
            ruling = luck.choice(
                [
                    Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0)),
                    Ruling(decision=Decision.CHIP_ADJUST, chips=(0, 3, 0, -3)),
                    Ruling(decision=Decision.WARNING),
                    Ruling(decision=Decision.RESULT_STANDS),
                ]
            )
            is_withdrawal = standing is not None and luck.random() < 0.4
            decree = RulingRequest(
                ruling=None if is_withdrawal else ruling,
                facts=f'He saw "{step}"; so they say',
                law=luck.choice(["", "law 24"]),
                trick=luck.choice([None, 3]),
                supersedes=None if standing is None else standing.pk,
                policy=luck.choice(list(Policy)),
            )
            with suppress(RefusedError):
                rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=at(200 + step))


def payments(club: Club) -> Counter[tuple[Any, ...]]:
    """What was paid and is owed beside the games; what was taken back counts for nothing."""
    who = people(club)
    rows = Transfer.objects.filter(payer__club=club, payer__game=None, payee__game=None)
    held = rows.filter(reverses=None, reversed_by=None).select_related("payer", "payee")
    return Counter(
        (
            row.kind,
            *(who.get(side.player_id, side.holder) for side in (row.payer, row.payee)),
            row.amount,
            row.payer.unit,
            row.note,
            row.at,
            None if row.game is None else row.game.name,
        )
        for row in held.select_related("payer", "payee", "game")
    )


def club_balances(club: Club) -> dict[Any, int]:
    """What everybody has with the club."""
    who = people(club)
    found = queries.balances(club.pk)
    return {(who[player], unit): amount for (player, unit), amount in found.items() if amount}


def all_boards(club: Club) -> list[Any]:
    rows = Board.objects.filter(event__club=club).order_by("event__name", "number")
    return list(rows.values_list("event__name", "number", "deal"))


def board_results(club: Club) -> Counter[Any]:
    """What was scored with which board, and whether its cards were played."""
    who = people(club)
    rows = Result.objects.filter(game__event__club=club, board__isnull=False)
    columns = ("player_id", "game__event__name", "board", "to_dealer", "score", "fits")
    return Counter((who[key], *rest) for key, *rest in rows.values_list(*columns))


def league_tables(club: Club) -> dict[str, Any]:
    who, found = people(club), {}
    publish_due(clock=lambda: datetime.now(UTC))
    for league in League.objects.filter(club=club):
        rows = versions.find_latest(Scope.LEAGUE, league.pk).data["rows"]
        found[league.name] = {who[UUID(row["entry"])]: (row["label"], row["total"]) for row in rows}
    return found


def takes_part(club: Club) -> set[str]:
    """Everybody who entered, sat, is on a roll or in the books."""
    some = Q(entries__isnull=False) | Q(sittings__isnull=False) | Q(league_places__isnull=False)
    rows = Player.objects.filter(some | Q(accounts__isnull=False), club=club)
    who = people(club)
    return {str(who[number]) for number in rows.values_list("pk", flat=True)}


def everything(club: Club) -> dict[str, Any]:
    """All that the law speaks of."""
    known = summary(club)
    return {
        "events": standings(club),
        "leagues": league_tables(club),
        "games": known["games"],
        "results": known["results"],
        "payments": payments(club),
        "balances": club_balances(club),
        "boards": all_boards(club),
        "board results": board_results(club),
        "people": takes_part(club),
    }


def decided(club: Club) -> tuple[int, ...]:
    return (
        Adjustment.objects.filter(entry__event__club=club).count(),
        SeatDecision.objects.filter(game__club=club).count(),
        SitOut.objects.filter(round__event__club=club).count(),
        Entry.objects.filter(event__club=club).count(),
        LeagueEvent.objects.filter(league__club=club).count(),
        Transfer.objects.filter(payer__club=club).count(),
    )


def assert_archive_law(club: Club) -> None:
    there = make_club("Empty", currency="EUR")
    set_up_events_of(club, there)
    text = export(club)
    assert not [one for one in judge(text).diagnostics if "bridge" in str(one.message)]
    before = everything(club)
    archive = bring_to(there, text)
    assert archive.report.problems == []
    after = everything(there)
    for name, value in before.items():
        assert after[name] == value, name
    assert_verifies(there)
    twice = decided(there)
    assert bring_to(there, text).report.problems == []
    assert (everything(there), decided(there)) == (after, twice)
    once = decided(club)
    assert bring_to(club, text).report.problems == []
    assert (everything(club), decided(club)) == (before, once)


@given(st.integers(0, 10**6))
@settings(max_examples=examples(20, 2), deadline=None, suppress_health_check=list(HealthCheck))
def test_a_club_comes_back_as_it_counts_and_owes(seed: int) -> None:
    assert_archive_law(any_club(seed))


@pytest.mark.parametrize("seed", range(3))
def test_clubs_that_were_seen_come_back(clubs: list[Club], seed: int) -> None:
    assert_archive_law(clubs[seed])


@pytest.mark.parametrize("seed", range(2))
def test_what_came_with_an_archive_goes_as_one_step(clubs: list[Club], seed: int) -> None:
    club, there = clubs[seed], make_club("Empty", currency="EUR")
    set_up_events_of(club, there)
    before = decided(there)[:-1]
    log = ImportLog.begin(club_id=there.pk, kind="archive", by=DIRECTOR, at=at(60 * 24))
    assert bring_to(there, export(club), log).report.problems == []
    assert decided(there)[:-1] != before
    log.note_progress({}, at(60 * 24))
    undo_import(import_id=log.row.pk, by=DIRECTOR, at=at(60 * 25))
    assert decided(there)[:-1] == before
    assert not club_balances(there)
    assert not payments(there)
    assert not Board.objects.filter(event__club=there).exists()
    assert not League.objects.filter(club=there).exists()
    assert not Player.objects.filter(club=there, removed_at=None).exists()
    assert_verifies(there)
    assert bring_to(there, export(club)).report.problems == []
    assert everything(there)["events"] == everything(club)["events"]


@pytest.mark.parametrize("form", ["csv", "csv-semicolon", "xlsx", "ods"])
@pytest.mark.parametrize("seed", range(2))
def test_the_file_of_a_league_gives_the_same_people_and_totals(
    clubs: list[Club], seed: int, form: str
) -> None:
    club, empty = clubs[seed], make_club("Haarlem")
    rows = table_of(League.objects.get(club=club))
    make_rules(empty)
    data = own_file(League.objects.get(club=club), form)
    # Ties that other nights broke are broken anew, which is asked about.
    bring("nights", empty, data, league="new", new="member", accept_differences=True)
    again = table_of(League.objects.get(club=empty))
    assert {name: total for _place, name, total, _nights in again} == {
        name: total for _place, name, total, _nights in rows
    }


def test_what_has_no_place_is_named_before_and_after(clubs: list[Club]) -> None:
    club, there = clubs[0], make_club("Empty", currency="EUR")
    text = export(club)
    dry = ArchiveImport(
        there.pk, text, Options(kind=AS_WRITTEN, event=BY_TAGS, dry_run=True), Stamp(DIRECTOR, at())
    )
    while dry.take():
        pass
    place_all(dry, BY_TAGS, there.pk, None)
    named = [one.message for one in dry.report.problems]
    assert any("penalties and bonuses" in words and "'Night'" in words for words in named)
    assert any("results without hands" in words and "'Past'" in words for words in named)
    archive = bring_to(there, text)
    assert {one.message for one in archive.report.problems} >= set(named)
    alone = ArchiveImport(there.pk, text, Options(kind=AS_WRITTEN), Stamp(DIRECTOR, at()))
    while alone.take():
        pass
    assert any("put into no events" in words for words in alone.list_notices())


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("EntryTable", "First"),
        ("RollTable", "Division"),
        ("RollTable", "Joined"),
        ("PaymentTable", "At"),
        ("PaymentTable", "Amount"),
    ],
)
def test_a_damaged_cell_of_the_club_is_a_problem_and_never_a_guess(
    clubs: list[Club], table: str, column: str
) -> None:
    club, there = clubs[0], make_club("Empty", currency="EUR")
    set_up_events_of(club, there)
    text = export(club).decode()
    # The first night of a club has results without hands, which tell nothing of rounds.
    *_, head = re.finditer(rf'^\[{table} "([^"]*)"\]\n', text, re.MULTILINE)
    place = [name.partition("\\")[0] for name in head[1].split(";")].index(column)
    row, line_end = head.end(), text.index("\n", head.end())
    cells = re.findall(r'"[^"]*"|\S+', text[row:line_end])
    cells[place] = "x7"
    damaged = text[:row] + " ".join(cells) + text[line_end:]
    problems = bring_to(there, damaged.encode()).report.problems
    assert any("'x7'" in one.message for one in problems), [one.message for one in problems]
