"""Turn a submission into the record (PHN text) that is judged.

Three forms: a record as text, the moves as they were made, or only the result. Each is a pure
function of the game before the hand and of what was sent. Nothing is judged here: what is wrong
with a hand is written down as it was sent, and found when the record is judged. Only what cannot
be written down at all is an `UnclearError`, with the field that is to blame.
"""

from scoring.submissions.writing.moves import from_actions
from scoring.submissions.writing.records import from_record
from scoring.submissions.writing.results import from_result
from scoring.submissions.writing.table import GameContext, UnclearError

__all__ = ["GameContext", "UnclearError", "from_actions", "from_record", "from_result"]
