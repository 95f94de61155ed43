"""Figures of bots beside house rules: what a game becomes, and never which rules are better."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.analysis import lab
from engine.analysis.lab import find_shipped
from engine.rules.presets import PRESETS
from engine.rules.switches import ON
from scoring.jobs import rules_lab
from scoring.jobs.kinds import JOB_TYPES
from tests.scoring.club import DIRECTOR, at, make_club
from tests.web.desk import director_of
from tournaments import jobs
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.jobs import runner
from tournaments.models import Club, Job, JobState, RuleSet
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules, rules_of
from tournaments.web.desk.house_rules import ask_switch

pytestmark = pytest.mark.django_db
NOT_YOURS = "of bots, not your club"


@pytest.fixture
def club() -> Club:
    return make_club()


def house(club: Club, preset: str, **overrides: str) -> RuleSet:
    new = HouseRules(preset=preset, name=f"Ours {preset}", overrides=overrides)
    return rule_sets.make_rule_set(club_id=club.pk, new=new, by=DIRECTOR, at=at())


def text(response: object) -> str:
    content: bytes = getattr(response, "content")  # noqa: B009
    return " ".join(content.decode().split())


def address(club: Club, row: RuleSet) -> str:
    return f"/desk/clubs/{club.pk}/rules/{row.pk}/compare/"


def test_the_form_of_house_rules_says_beside_a_switch_what_a_game_becomes(club: Club) -> None:
    desk = director_of(club, "admin")
    shown = text(desk.get(f"/desk/clubs/{club.pk}/rules/new/?preset=bicycle"))
    assert "With “A jackpot is won only by a single clean player” a game has" in shown
    assert " instead of " in shown
    line = find_shipped(PRESETS["bicycle"], 4)
    assert line is not None
    assert f"{line.games} games {NOT_YOURS}" in shown


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_summary_of_rules_drops_no_answer_but_no(club: Club, language: str) -> None:
    desk = director_of(club, "admin")
    toggles = ("queen", "insurance", "foot", "centre_auction")
    for preset in ("insurance", "bicycle"):
        page = desk.client.get(
            f"/desk/clubs/{club.pk}/rules/{house(club, preset).pk}/",
            headers={"accept-language": language},
        )
        told = [
            part for _title, words, _lines in page.context["groups"] for part in words.split(" · ")
        ]
        with override(language):
            said = [name for name in toggles if ask_switch(name).removesuffix("?") in told]
            assert said == [name for name in toggles if getattr(PRESETS[preset], name) is ON]
            assert f"{ask_switch('players')} 4" in told
            assert _("No.").removesuffix(".") not in told


def test_two_rule_sets_stand_side_by_side_with_what_is_more_than_chance(club: Club) -> None:
    sole = house(club, "bicycle", jackpot_split="sole_winner_only")
    shown = text(director_of(club).get(address(club, sole)))
    assert "hands in which nobody wins the pot" in shown
    assert "more than chance" in shown
    assert "may be chance" in shown
    assert "they say nothing of which is better" in shown


def test_bots_play_by_rules_of_which_nothing_is_known_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_lab, "GAMES", 4)
    own = house(club, "standard", limit="20")
    desk = director_of(club, "admin")
    page = address(club, own)
    assert "Nobody has played by these rules yet." in text(desk.get(page))
    desk.fill(page, play="own")
    job = Job.objects.get(club=club)
    assert (job.done, job.total) == (0, 4)
    assert "Bots are playing: 0 of 4 games." in text(desk.get(page))
    assert "Games of bots by house rules" in text(desk.get(f"/desk/clubs/{club.pk}/jobs/"))
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6), seconds=60)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, 4)
    shown = text(desk.get(page))
    assert "4 games of bots" in shown
    assert "hands of a game" in shown
    other = make_club("Delft")
    rules = rules_of(house(other, "standard", limit="20", claims="off"))
    asked = rules_lab.request_games(club_id=other.pk, rules=rules, players=4, by=DIRECTOR, at=at())
    assert asked is None


def test_rules_by_which_no_bot_bids_end_soon_and_the_page_says_why(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "DEALS_MAX", 2)
    dear = house(club, "bicycle", min_bid="20")
    job = rules_lab.request_games(
        club_id=club.pk, rules=rules_of(dear), players=4, by=DIRECTOR, at=at()
    )
    assert job is not None
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6), seconds=60)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.FAILED, 2)
    shown = text(director_of(club, "admin").get(address(club, dear)))
    assert "they never bid as much as these rules ask." in shown
    assert "Have bots play" in shown


def test_bots_play_outside_of_a_transaction_that_writes(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def mark_snapshot(**_how: bool) -> Iterator[None]:
        snapshots.append(True)
        yield
        snapshots.pop()

    def play(*_rules: object, **_games: object) -> Iterator[int]:
        assert snapshots
        yield from ()

    snapshots: list[bool] = []
    monkeypatch.setattr(runner, "read_snapshot", mark_snapshot)
    monkeypatch.setattr(rules_lab, "play_games", play)
    rules = rules_of(house(club, "standard", limit="20"))
    job = rules_lab.request_games(club_id=club.pk, rules=rules, players=4, by=DIRECTOR, at=at())
    assert job is not None
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6), seconds=0)
    job.refresh_from_db()
    assert job.done == 1


def test_a_club_has_one_rule_set_played_at_a_time_at_a_table_that_there_is(club: Club) -> None:
    first, second = house(club, "standard", limit="20"), house(club, "sahara", limit="20")
    play = {"club_id": club.pk, "by": DIRECTOR, "at": at()}
    with pytest.raises(RefusedError, match="for 4"):
        rules_lab.request_games(rules=rules_of(first), players=5, **play)  # type: ignore[arg-type]
    rules_lab.request_games(rules=rules_of(first), players=4, **play)  # type: ignore[arg-type]
    with pytest.raises(ConflictError):
        rules_lab.request_games(rules=rules_of(second), players=4, **play)  # type: ignore[arg-type]


def test_who_may_not_change_rules_sees_figures_and_has_nothing_played(club: Club) -> None:
    own = house(club, "standard", limit="20")
    member = director_of(club, "treasurer", "Ed Example")
    shown = member.get(address(club, own))
    assert shown.status_code == 200
    assert "Have bots play" not in text(shown)
    assert member.client.post(address(club, own), {"play": "own"}).status_code == 403
