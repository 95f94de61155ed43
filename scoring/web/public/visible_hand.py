"""A hand as it is opened in the window: what is known of it, and what may be shown."""

from typing import Any

from django.utils.translation import gettext as _

from engine.analysis.costs import Measure
from engine.core.seats import Seat
from scoring.models import Game, Hand
from scoring.presentation.answers import whole_record
from scoring.presentation.cards import faces
from scoring.presentation.checks import Judged
from scoring.presentation.hand_view import HandView
from scoring.presentation.seat_names import name_people, sitters_of
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.settlement.hand_losses import find_current_losses
from scoring.web.check_page import view_context
from scoring.web.findings import remarks
from scoring.web.record_upload import RecordPlace
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.tables.cells import isolate_name
from tournaments.web.number_format import format_worth
from tournaments.web.viewer import Viewer


def hand_context(
    hand: Hand,
    place: RecordPlace,
    *,
    in_full: bool,
    is_secret: bool = False,
    own_seat: Seat | None = None,
) -> dict[str, Any]:
    """A hand with everything that is known of it, at a place of its play.

    Names are short unless ``in_full``, and there is no card where it ``is_secret``. Of
    ``own_seat``, that of who looks, it says what its cards cost.
    """
    game = hand.game
    played = plan.judge_recorded_hand(game, hand)
    record = whole_record(played, in_full=in_full)
    names = sitters_of(game, in_full=in_full).names_at(hand.number)
    record = {**record, "players": names}
    if is_secret:
        record = _without_cards(record)
    losses = {} if own_seat is None or is_secret else _describe_losses(hand, own_seat)
    found = remarks(record["diagnostics"], record, 1)
    isolated = {seat: isolate_name(name) for seat, name in names.items()}
    return {
        **view_context(HandView(record, called=names, losses=losses), place),
        "number": 1,
        "sentence": translate(name_people(record["sentence"], isolated)),
        # Irregular or remarkable moves, in the order of the play.
        "notes": [note for note in found if note["severity"] != "info"],
    }


def _describe_losses(hand: Hand, seat: Seat) -> dict[int, str]:
    """The cards that cost a seat most in a hand, by their place in the play. One query."""
    found = find_current_losses().filter(hand=hand, seat=seat).first()
    if found is None:
        return {}
    words = (
        _("This card cost you about %(loss)s (±%(error)s) chips.")
        if found.unit == Measure.CHIPS
        else _("This card cost you about %(loss)s (±%(error)s) points.")
    )
    return {
        card["place"]: words
        % {
            "loss": format_worth(choice["excess"], signed=False),
            "error": format_worth(choice["excess_error"], signed=False),
        }
        for card in found.cards
        for choice in card["choices"]
        if card["card"] in [face.code for face in faces(choice["cards"])]
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
