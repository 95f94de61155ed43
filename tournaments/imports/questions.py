"""Questions about a table that somebody answers before it is brought in, as choices by key.

Answers are parameters of the job under the same keys (`TableSettings.answers`). The desk, the API
and the command show and take every question of `QUESTIONS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.messages import Message
from tournaments.imports.dates import DateOrder
from tournaments.imports.numbers import DecimalMark


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportQuestion:
    """Something that the file does not say: the question, its answers, and the refusal without."""

    key: str
    text: Message
    choices: Mapping[str, Message]
    refusal: Message


_ALL: Final = (
    ImportQuestion(
        key="dates",
        text=Message("What comes first in dates such as 03/04/2026?"),
        choices={
            DateOrder.DAY_FIRST: Message("the day: 3 April 2026"),
            DateOrder.MONTH_FIRST: Message("the month: 4 March 2026"),
        },
        refusal=Message(
            "Some dates can be read in two ways. Say whether the day or the month comes first."
        ),
    ),
    ImportQuestion(
        key="decimals",
        text=Message("What is a number such as 1.234?"),
        choices={
            DecimalMark.COMMA: Message("one thousand two hundred and thirty-four"),
            DecimalMark.POINT: Message("a little more than one"),
        },
        refusal=Message(
            "Some numbers can be read in two ways. Say whether a comma or a point begins the "
            "decimals."
        ),
    ),
)
QUESTIONS: Final[Mapping[str, ImportQuestion]] = {question.key: question for question in _ALL}
