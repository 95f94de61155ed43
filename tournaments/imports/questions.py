"""Questions about a table that somebody answers before it is brought in, as choices by key.

Answers are parameters of the job under the same keys (`TableSettings.answers`). The desk, the API
and the command show and take every question of `QUESTIONS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from engine.core.messages import Message
from tournaments.imports.dates import DateOrder
from tournaments.imports.numbers import DecimalMark, ReadAs
from tournaments.imports.season_counting import (
    BEST_MAX,
    DROP_MAX,
    MarkedResults,
    PenaltySign,
    SeasonRule,
)
from tournaments.tables.csv_reader import TextEncoding

EXAMPLES_MAX: Final = 3
"""How many examples from the file are shown with a question."""
_ANSWERS_SHOWN: Final = 4


UNUSED_LEFT_OUT: Final = "leave-out"


class FooterRows(StrEnum):
    """Treatment of rows at the foot of a table."""

    LEAVE_OUT = "leave-out"
    TAKE = "take"


_RULES: Final = (
    SeasonRule(),
    *(SeasonRule(best=number) for number in range(1, BEST_MAX + 1)),
    *(SeasonRule(drop=number) for number in range(1, DROP_MAX + 1)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportQuestion:
    """Something that the file does not say: the question, its answers, and the refusal without."""

    key: str
    text: Message
    choices: Mapping[str, Message]
    refusal: Message

    @property
    def answers(self) -> str:
        """The answers as one writes them; of very many the first ones."""
        shown = [*self.choices][:_ANSWERS_SHOWN]
        return " | ".join([*shown, *["…"][: len(self.choices) - len(shown)]])


@dataclass(slots=True)
class OpenQuestion:
    """A question as a file raises it: examples, and the answers that may be right.

    No ``answers``: any may be. ``previews``: what the file says with each of them.
    """

    examples: list[str] = field(default_factory=list)
    answers: Sequence[str] = ()
    previews: Mapping[str, str] = field(default_factory=dict)

    def add_example(self, text: str) -> None:
        """Remember one of the cells that it is about."""
        if text and text not in self.examples and len(self.examples) < EXAMPLES_MAX:
            self.examples.append(text)

    def as_data(self) -> dict[str, Any]:
        """It as plain data."""
        data: dict[str, Any] = {"examples": list(self.examples), "answers": list(self.answers)}
        return {**data, "previews": dict(self.previews)} if self.previews else data


_ALL: Final = (
    ImportQuestion(
        key="encoding",
        text=Message("How are the letters of the file written?"),
        choices={
            TextEncoding.WINDOWS_1252: Message("Windows-1252, Western Europe"),
            TextEncoding.WINDOWS_1250: Message("Windows-1250, Central Europe"),
            TextEncoding.MAC_ROMAN: Message("Mac Roman, older Macintosh programs"),
            TextEncoding.IBM_850: Message("IBM 850, DOS programs"),
        },
        refusal=Message("Say how the letters of the file are written."),
    ),
    ImportQuestion(
        key="dates",
        text=Message("What comes first in dates such as 03/04/2026?"),
        choices={
            DateOrder.DAY_FIRST: Message("the day: 3 April 2026"),
            DateOrder.MONTH_FIRST: Message("the month: 4 March 2026"),
            DateOrder.YEAR_FIRST: Message("the year, in two digits: 26-04-03"),
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
    ImportQuestion(
        key="footer",
        text=Message("Is one of these rows at the foot of the table about somebody?"),
        choices={
            FooterRows.LEAVE_OUT: Message("no, they are left out"),
            FooterRows.TAKE: Message("yes, they are like the rows above"),
        },
        refusal=Message("Say whether rows at the foot of the table are about somebody."),
    ),
    ImportQuestion(
        key="unused",
        text=Message("Columns with numbers are not used. Is one of them a night?"),
        choices={
            UNUSED_LEFT_OUT: Message("no, they are left out (else choose what they hold)"),
        },
        refusal=Message("Columns with numbers between the nights are not used."),
    ),
    ImportQuestion(
        key="unfinished",
        text=Message("What do words such as DNF, WD, bye or sub in place of a number mean?"),
        choices={
            ReadAs.ABSENT: Message("nothing counts: as if they had not been there"),
            ReadAs.ZERO: Message("they were there, and have no points: 0"),
        },
        refusal=Message("Say what words such as DNF or bye in place of a number mean."),
    ),
    ImportQuestion(
        key="percent",
        text=Message("What is a number such as 54 %?"),
        choices={
            ReadAs.NUMBER: Message("54 points"),
            ReadAs.SHARE: Message("54 hundredths of a point: 0.54"),
        },
        refusal=Message("Say what percentages in place of points are."),
    ),
    ImportQuestion(
        key="marked",
        text=Message("What are results in brackets or with a star?"),
        choices={
            MarkedResults.DROPPED: Message("they do not count in the total"),
            MarkedResults.NEGATIVE: Message("those in brackets are negative"),
            MarkedResults.COUNTED: Message("results like the others"),
        },
        refusal=Message("Say whether results in brackets or with a star count."),
    ),
    ImportQuestion(
        key="penalties",
        text=Message("How do the penalties enter the total?"),
        choices={
            PenaltySign.TAKEN_OFF: Message("they are taken off"),
            PenaltySign.ADDED: Message("they are added, with the sign that they have"),
        },
        refusal=Message("Say whether penalties are added or taken off."),
    ),
    ImportQuestion(
        key="counting",
        text=Message("Which nights count in the league?"),
        choices={rule.key: rule.sentence for rule in _RULES},
        refusal=Message("Say which nights count in the league."),
    ),
)
QUESTIONS: Final[Mapping[str, ImportQuestion]] = {question.key: question for question in _ALL}
