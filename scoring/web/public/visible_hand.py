"""A hand as it is opened in the window: what is known of it, and what may be shown."""

from typing import Any

from scoring.models import Game, Hand
from scoring.presentation.answers import whole_record
from scoring.presentation.checks import Judged
from scoring.presentation.hand_view import HandView
from scoring.presentation.seat_names import name_people, sitters_of
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.web.check_page import view_context
from scoring.web.findings import remarks
from scoring.web.record_upload import RecordPlace
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.tables.cells import isolate_name
from tournaments.web.viewer import Viewer


def hand_context(
    hand: Hand, place: RecordPlace, *, in_full: bool, is_secret: bool = False
) -> dict[str, Any]:
    """A hand with everything that is known of it, at a place of its play.

    Names are short unless ``in_full``, and there is no card where it ``is_secret``.
    """
    game = hand.game
    played = plan.judge_recorded_hand(game, hand)
    record = whole_record(played, in_full=in_full)
    names = sitters_of(game, in_full=in_full).names_at(hand.number)
    record = {**record, "players": names}
    if is_secret:
        record = _without_cards(record)
    found = remarks(record["diagnostics"], record, 1)
    isolated = {seat: isolate_name(name) for seat, name in names.items()}
    return {
        **view_context(HandView(record, called=names), place),
        "number": 1,
        "sentence": translate(name_people(record["sentence"], isolated)),
        # Irregular or remarkable moves, in the order of the play.
        "notes": [note for note in found if note["severity"] != "info"],
    }


def is_part(game: Game, hand: Hand) -> bool:
    """Whether a record is the one of its hand, and all hands before it are there."""
    return hand.rival_id is None and hand.number <= game.hands


def is_secret(game: Game, hand: Hand, viewer: Viewer) -> bool:
    """Whether they may not see cards that other tables have still to play."""
    return Right.EVENTS_EDIT not in viewer.rights and queries.is_still_played(game, hand.number)


def _without_cards(record: Judged) -> Judged:
    """Return the outcome of a hand, without a card of it."""
    captures = record["captures"]
    return {
        **record,
        "deal": None,
        "held": None,
        "centre": None,
        "exchange": None,
        "centre_bids": None,
        "tricks": [],
        "diagnostics": [],
        "captures": captures and {seat: {**one, "cards": None} for seat, one in captures.items()},
    }
