"""Counting in the season of a table: marked results, penalties, and the rule that drops nights.

The totals that the file states decide; where they do not, the brackets and the words in it. What is
left open is asked. Values in, values out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

from engine.core.messages import Message, PluralMessage
from tournaments.imports.numbers import is_close
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_choices import CountingRule

BEST_MAX: Final = 60
DROP_MAX: Final = 20
_MAJORITY: Final = Fraction(3, 4)
"""So much of the totals has to agree with a rule that the others are taken for mistakes."""
_NUMBERS: Final = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "ein": 1,
    "eine": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "funf": 5,
    "sechs": 6,
    "sieben": 7,
    "acht": 8,
    "neun": 9,
    "zehn": 10,
    "zwolf": 12,
}
_NUMBER: Final = rf"([0-9]{{1,2}}|{'|'.join(_NUMBERS)})\b"
_YEARS: Final = re.compile(r"\b(?:19|20)[0-9]{2}(?: [0-9]{2,4})?\b")
_BEST: Final = re.compile(rf"\b(?:best|beste|besten)\s+{_NUMBER}")
_BEST_AFTER: Final = re.compile(rf"\b{_NUMBER}\s+(?:best|beste|besten)\b")
_DROP: Final = re.compile(
    rf"\b(?:drop|drops|dropped|worst|streicher|streichresultate?|streichergebnisse?|streichwerte?"
    rf"|schlechtesten?|gestrichen)\s+(?:the\s+)?(?:worst\s+)?{_NUMBER}"
    rf"|\b{_NUMBER}\s+(?:drops?|worst|streicher|streichresultate?|streichergebnisse?"
    rf"|streichwerte?|schlechtesten?)\b"
)


class MarkedResults(StrEnum):
    """The meaning of brackets around a result, or of a star behind it."""

    DROPPED = "dropped"
    NEGATIVE = "negative"
    COUNTED = "counted"


class PenaltySign(StrEnum):
    """The sign with which penalties enter the total."""

    ADDED = "added"
    TAKEN_OFF = "taken_off"

    @property
    def factor(self) -> int:
        """The factor of a number in the column."""
        return 1 if self is PenaltySign.ADDED else -1


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """The rule that says which nights count: all, the best ones, or all but the worst ones.

    >>> [SeasonRule.parse(text) for text in ("all", "best_8", "drop_2")][1].best
    8
    """

    best: int = 0
    drop: int = 0

    @classmethod
    def parse(cls, text: str) -> "SeasonRule":
        """Read the key of a rule; `key` gives it back."""
        name, _, number = text.partition("_")
        return cls(**{name: int(number)}) if number else cls()

    @property
    def key(self) -> str:
        """The answer to the question about it."""
        if self.best:
            return f"best_{self.best}"
        return f"drop_{self.drop}" if self.drop else "all"

    @classmethod
    def of(cls, season: SeasonRules) -> "SeasonRule":
        """The rule of a league, as far as it is one of these."""
        if season.rule is CountingRule.BEST_N:
            return cls(best=season.best or 0)
        return cls(drop=season.drop if season.rule is CountingRule.DROP_WORST else 0)

    @property
    def sentence(self) -> Message:
        """The rule in words."""
        if self.best:
            return PluralMessage(
                "The best night counts.", "The best {count} nights count.", count=self.best
            )
        if self.drop:
            return PluralMessage(
                "All nights but the worst one count.",
                "All nights but the worst {count} count.",
                count=self.drop,
            )
        return Message("All nights count.")

    def count_kept(self, played: int) -> int:
        """Return how many of the nights that somebody played count for them."""
        if self.best:
            return min(self.best, played)
        return max(min(played, 1), played - self.drop)

    def as_season(self) -> dict[str, Any]:
        """The settings of a league that counts so."""
        if self.best:
            return {"rule": "best_n", "best": self.best}
        return {"rule": "drop_worst", "drop": self.drop}


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """A result of somebody in a night; ``mark`` is how it was written if it was marked."""

    value: Fraction
    mark: str = ""

    @property
    def can_be_negative(self) -> bool:
        """Whether the mark may be a minus, as in the books."""
        return self.mark.startswith(("(", "["))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileResults:
    """The results of somebody, and what the file states of them."""

    results: Sequence[SeasonResult]
    penalties: Fraction = Fraction(0)
    bonuses: Fraction = Fraction(0)
    total: Fraction | None = None
    counted: int | None = None

    @property
    def is_marked(self) -> bool:
        """Whether a result is marked."""
        return any(result.mark for result in self.results)

    def values(self, marked: MarkedResults) -> list[Fraction]:
        """The results as numbers, if marks mean this."""
        is_negative = marked is MarkedResults.NEGATIVE
        return [-result.value if is_negative and result.can_be_negative else result.value
                for result in self.results]  # fmt: skip

    def kept_sum(self, marked: MarkedResults) -> Fraction:
        """The sum of what is not marked as dropped."""
        if marked is not MarkedResults.DROPPED:
            return sum(self.values(marked), Fraction())
        return sum((result.value for result in self.results if not result.mark), Fraction())


@dataclass(kw_only=True)
class SeasonCounting:
    """The decisions on what counts, by the file or by the answers to questions.

    ``asked``: the open questions, with the answers that are possible. ``agreeing``: how many of
    the totals that are ``stated`` in the file follow from it.
    """

    is_low: bool = False
    marked: MarkedResults = MarkedResults.DROPPED
    sign: PenaltySign = PenaltySign.TAKEN_OFF
    rule: SeasonRule = field(default_factory=SeasonRule)
    asked: dict[str, Sequence[str]] = field(default_factory=dict)
    agreeing: int = 0
    stated: int = 0


def decide_counting(
    rows: Sequence[FileResults],
    *,
    is_low: bool,
    texts: Iterable[str],
    answers: Mapping[str, str],
    rule: SeasonRule | None = None,
) -> SeasonCounting:
    """Decide what counts in a table. Its ``texts`` are folded.

    ``rule``: that of a league that there is; the file does not change it.
    """
    counting = SeasonCounting(is_low=is_low)
    counting.marked = _decide_marks(rows, counting, answers.get("marked", ""))
    counting.sign = _decide_sign(rows, counting, answers.get("penalties", ""))
    facts = [_Facts.of(row, counting) for row in rows]
    counting.stated = sum(row.total is not None for row in rows)
    if not counting.stated:
        facts = _imply_totals(rows, facts, counting)
    answer = answers.get("counting", "") if rule is None else rule.key
    _decide_rule(facts, counting, _rule_in(texts), answer)
    return counting


@dataclass(frozen=True, slots=True)
class _Facts:
    """The numbers of a row that are compared: sums of the best results, and its total."""

    sums: Sequence[Fraction]
    total: Fraction | None
    counted: int | None
    is_marked: bool

    @classmethod
    def of(cls, row: FileResults, counting: SeasonCounting) -> "_Facts":
        values = sorted(row.values(counting.marked), reverse=not counting.is_low)
        total = row.total
        if total is not None:
            total -= row.bonuses + row.penalties * counting.sign.factor
        is_marked = row.is_marked and counting.marked is MarkedResults.DROPPED
        return cls((Fraction(), *accumulate(values)), total, row.counted, is_marked)

    @property
    def played(self) -> int:
        return len(self.sums) - 1

    def agrees(self, rule: SeasonRule) -> bool:
        kept = rule.count_kept(self.played)
        is_counted = self.counted is None or self.counted == kept
        return is_counted and (self.total is None or is_close(self.total, self.sums[kept]))

    def drops(self, rule: SeasonRule) -> bool:
        return self.sums[rule.count_kept(self.played)] != self.sums[-1]


def _decide_marks(
    rows: Sequence[FileResults], counting: SeasonCounting, answer: str
) -> MarkedResults:
    """Return the meaning of marks that agrees with every total of their rows, else ask."""
    marked = [row for row in rows if row.is_marked]
    if answer:
        return MarkedResults(answer)
    if not marked:
        return MarkedResults.DROPPED
    can_be_negative = any(
        result.can_be_negative for row in marked for result in row.results if result.mark
    )
    readings = [one for one in MarkedResults
                if one is not MarkedResults.NEGATIVE or can_be_negative]  # fmt: skip
    stated = [row for row in marked if row.total is not None]
    fitting = [
        reading
        for reading in readings
        if all(
            row.total - row.bonuses - row.kept_sum(reading) in (row.penalties, -row.penalties)
            for row in stated
            if row.total is not None
        )
    ]
    if stated and fitting:
        return fitting[0]
    if not stated and _is_pattern(rows, counting):
        return MarkedResults.DROPPED
    counting.asked["marked"] = readings
    return MarkedResults.DROPPED


def _is_pattern(rows: Sequence[FileResults], counting: SeasonCounting) -> bool:
    """Whether the marked results of several people are just those that one rule drops."""
    if sum(row.is_marked for row in rows) < 2:
        return False
    facts = _imply_totals(rows, [_Facts.of(row, counting) for row in rows], counting)
    return any(
        all(fact.agrees(rule) for fact in facts)
        and all(
            rule.count_kept(len(row.results)) == sum(not result.mark for result in row.results)
            for row in rows
        )
        for rule in _rules_for(facts)
    )


def _imply_totals(
    rows: Sequence[FileResults], facts: Sequence[_Facts], counting: SeasonCounting
) -> list[_Facts]:
    """Add the totals that marks imply, where none is stated and something was dropped."""
    if "marked" in counting.asked or not any(fact.is_marked for fact in facts):
        return list(facts)
    return [
        _Facts(one.sums, row.kept_sum(counting.marked), one.counted, one.is_marked)
        for row, one in zip(rows, facts, strict=True)
    ]


def _decide_sign(rows: Sequence[FileResults], counting: SeasonCounting, answer: str) -> PenaltySign:
    """Return the sign of penalties: as totals tell, else so that nobody gains by one."""
    if answer:
        return PenaltySign(answer)
    penalties = [row.penalties for row in rows if row.penalties]
    if not penalties:
        return PenaltySign.TAKEN_OFF
    best = {sign: _most_agreeing(rows, counting, sign) for sign in PenaltySign}
    if len(set(best.values())) > 1:
        return max(best, key=best.__getitem__)
    if len({penalty > 0 for penalty in penalties}) > 1:
        counting.asked["penalties"] = list(PenaltySign)
    return PenaltySign.ADDED if (penalties[0] > 0) == counting.is_low else PenaltySign.TAKEN_OFF


def _most_agreeing(rows: Sequence[FileResults], counting: SeasonCounting, sign: PenaltySign) -> int:
    tried = SeasonCounting(is_low=counting.is_low, marked=counting.marked, sign=sign)
    facts = [_Facts.of(row, tried) for row in rows if row.penalties]
    return max(_agreeing(facts, rule) for rule in _rules_for(facts))


def _agreeing(facts: Iterable[_Facts], rule: SeasonRule) -> int:
    return sum(fact.total is not None and fact.agrees(rule) for fact in facts)


def _rules_for(facts: Sequence[_Facts]) -> Iterator[SeasonRule]:
    most = max((fact.played for fact in facts), default=0)
    yield SeasonRule()
    for number in range(1, min(most, BEST_MAX + 1)):
        yield SeasonRule(best=number)
    for number in range(1, min(most, DROP_MAX + 1)):
        yield SeasonRule(drop=number)


def _decide_rule(
    facts: Sequence[_Facts], counting: SeasonCounting, written: SeasonRule | None, answer: str
) -> None:
    """Decide which nights count: as answered, as the file says, or as its totals come about."""
    stated = [fact for fact in facts if fact.total is not None or fact.counted is not None]
    fits = Counter({rule: sum(one.agrees(rule) for one in stated) for rule in _rules_for(facts)})
    if answer:
        counting.rule = SeasonRule.parse(answer)
    elif counting.asked:
        return
    elif written is not None:
        counting.rule = written
        agreeing = sum(one.agrees(written) for one in stated)
        if agreeing < len(stated) and agreeing < max(fits.values()):
            counting.asked["counting"] = _likely(fits, written)
    else:
        counting.rule = _rule_of(stated, fits, counting)
    counting.agreeing = _agreeing(facts, counting.rule)


def _rule_of(
    stated: Sequence[_Facts], fits: Counter[SeasonRule], counting: SeasonCounting
) -> SeasonRule:
    """The rule by which the totals come about; asked about if several do, or none."""
    everything = SeasonRule()
    most = max(fits.values())
    if fits[everything] == most and (most == len(stated) or most >= len(stated) * _MAJORITY):
        return everything
    best = [rule for rule, count in fits.items() if count == most]
    others = [one for one in stated if not one.agrees(everything)]
    if not any(other.agrees(rule) for rule in fits for other in others):
        return everything  # no rule explains these totals: all that differ are listed
    # Of rules that come to the same for everybody the one that says how many nights count.
    same = {tuple(rule.count_kept(one.played) for one in stated) for rule in best}
    telling = [one for one in stated if one.agrees(best[0]) and one.drops(best[0])]
    # One bracket alone does not say whether so many nights count or so many are dropped.
    is_proven = len(telling) > 1 or (
        len(best) == 1 and any(one.is_marked or one.counted for one in telling)
    )
    if len(same) == 1 and is_proven and most >= len(stated) * _MAJORITY:
        return best[0]
    counting.asked["counting"] = _likely(fits)
    return best[0] if everything not in best else everything


def _likely(fits: Counter[SeasonRule], written: SeasonRule | None = None) -> list[str]:
    """The answers that explain most totals first, and that all nights count."""
    rules = [rule for rule, count in fits.most_common() if count][:8]
    first = [] if written is None else [written]
    return list(dict.fromkeys(rule.key for rule in (*first, SeasonRule(), *rules)))


def _rule_in(texts: Iterable[str]) -> SeasonRule | None:
    """The rule that the file states in words, such as "best 8 of 12"; the texts are folded."""
    for written in texts:
        text = _YEARS.sub("", written)
        if match := _BEST.search(text) or _BEST_AFTER.search(text):
            return SeasonRule(best=_number_of(match))
        if match := _DROP.search(text):
            return SeasonRule(drop=_number_of(match))
    return None


def _number_of(match: re.Match[str]) -> int:
    word = next(word for word in match.groups() if word)
    return _NUMBERS.get(word) or int(word)
