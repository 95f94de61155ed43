"""The setting BOOKS, which joins clubs and events to games and money."""

from django.conf import settings
from django.core.checks import run_checks
from django.test import override_settings

from scoring.books import GameBooks


class OldBooks:
    """Books of a version in which erasing took another argument and nothing was announced."""

    undoers = GameBooks.undoers
    blocked_finders = GameBooks.blocked_finders
    charge_fees = GameBooks.charge_fees
    find_calling_tables = GameBooks.find_calling_tables
    objection_to_merger = GameBooks.objection_to_merger
    remove_event = GameBooks.remove_event
    announce_event = GameBooks.announce_event

    def erase_person(self, person: str) -> None:
        """Erase by name."""


def complaints_about(path: str) -> list[str]:
    with override_settings(BOOKS=path):
        return [found.msg for found in run_checks() if found.id == "tournaments.E001"]


def test_the_books_of_games_fit() -> None:
    assert complaints_about(settings.BOOKS) == []


def test_a_setting_that_names_no_class_is_reported_by_the_system_check() -> None:
    (complaint,) = complaints_about("scoring.books.NoBooks")
    assert "NoBooks" in complaint
    assert len(complaints_about("nowhere.Books")) == 1


def test_a_class_of_books_that_lacks_something_is_reported_with_what_it_lacks() -> None:
    path = f"{OldBooks.__module__}.{OldBooks.__qualname__}"
    erasing, announcing = complaints_about(path)
    assert "has no erase_person(self, erasure)" in erasing
    assert "has no announce_standings(self, issue, at)" in announcing
