"""Any table is read, or refused in a sentence: never an error of ours, whatever its cells are."""

from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.club import make_club, make_rules
from tests.tournaments.imports.tables import Cell, bring, xlsx
from tournaments.core.errors import RefusedError
from tournaments.imports.questions import QUESTIONS
from tournaments.models import Club

pytestmark = pytest.mark.django_db
_WORDS: Final = (
    *("", "Name", "Vorname", "Datum", "Abend", "Punkte", "Platz", "Total", "Summe", "Division"),
    *("Anna", "Bo Holm", "Check", "Anzahl", "Unterschrift: ____", "Saison 2025/26", "Liga A"),
    *("12.09.", "12.9.25", "2025-9-12", "03/04/2025", "12-Sep", "Sep-25", "KW 51", "2025-W37"),
    *("Rd 2", "Night 3", "R3 12.9.", "29.02.", "2025-13-45", "12.09.2025 20:00", "20:00", "45912"),
    *("2025-03-30T02:30:00", "2025-09-19T20:00:00+02:00", "0001-01-01", "9999-12-31", "31.12.9999"),
    *("1", "12", "-3", "1.234", "1,5", "3½", "7/4", "(4)", "5*", "54 %", "DNF", "x", "nicht da"),
    *(
        "1e5",
        "1" * 70,
        "9" * 12,
        "0.333333333333",
        "\u0661\u0662",
        "=1",
        "12;5",
        "\u2212",
        "%",
        "#1",
    ),
)
_TYPED: Final[tuple[Cell, ...]] = (
    *(None, 0, 7, -2.5, 17 / 3, 1e15, 1e-9, 45912, 20250912, True),
    *(date(2025, 9, 12), datetime(2025, 9, 19, 20), datetime(1900, 1, 1), date(2099, 1, 1)),
)


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    return {key: [*question.choices][-1] for key, question in QUESTIONS.items()}


def table_of(cells: st.SearchStrategy[Any]) -> st.SearchStrategy[list[list[Any]]]:
    return st.integers(1, 6).flatmap(
        lambda width: st.lists(st.lists(cells, min_size=1, max_size=width + 1), max_size=9)
    )


def check(club: Club, data: bytes | str, answers: dict[str, str]) -> None:
    for kind in ("nights", "members"):
        for more in ({}, {"answers": answers, "year": "2024", "first": "2024-09-12"}):
            options = {"league": "new", "new": "member", "counts": "points"}
            # Whatever else is raised is an error of ours.
            with suppress(RefusedError):
                plan = bring(kind, club, data, dry_run=True, **{**options, **more})
                assert plan.as_data()
                assert all(one.sentence for one in plan.problems)


@given(table_of(st.sampled_from(_WORDS)), st.sampled_from(";,\t"))
@settings(max_examples=60)
def test_any_text_is_read_or_refused_in_a_sentence(
    answers: dict[str, str], rows: list[list[str]], delimiter: str
) -> None:
    club = Club.objects.first() or make_club()
    make_rules(club)
    check(club, "\n".join(delimiter.join(row) for row in rows), answers)


@given(table_of(st.sampled_from((*_TYPED, *_WORDS))))
@settings(max_examples=25)
def test_any_worksheet_is_read_or_refused_in_a_sentence(
    answers: dict[str, str], rows: list[list[Cell]]
) -> None:
    club = Club.objects.first() or make_club()
    make_rules(club)
    check(club, xlsx(rows), answers)
