"""A score slip as the desk shows it: its question, its rows in words, the circles over its picture.

What a slip says and asks comes from `scoring.slips.review`; here it becomes sentences with people's
names, places in the picture, and buttons that say what will be so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from engine.core.messages import Message, join_with_or
from scoring.hands.recording import judge_current_hand
from scoring.models import SlipState
from scoring.presentation.cards import SYMBOLS, CardFace, suit_name
from scoring.presentation.record_comparison import settled_holdings
from scoring.presentation.seat_names import name_people, names_at_table
from scoring.settlement.replay import JudgedHand
from scoring.slips.interpretation import Answer, Origin, Question, RowValue, row_name
from scoring.slips.layout import RADIUS, VALUE_WORDS, Mark, RowKey, SlipLayout, SlipRow
from scoring.slips.review import SlipView, review_slip
from scoring.web.engine_wording import with_cards
from tournaments.core.language import translate
from tournaments.models import TableSeat
from tournaments.people.display_names import table_names
from tournaments.web.number_format import NOTHING, format_number

OUTCOMES_MAX: Final = 4
"""Answers to a question of which the page says what would come of each."""
_SHOWN_WITH: Final[Mapping[RowKey, RowKey]] = {
    RowKey.TABLE_TENS: RowKey.TABLE,
    RowKey.HAND_TENS: RowKey.HAND,
    RowKey.BID_TENS: RowKey.BID,
    RowKey.BID_HUNDREDS: RowKey.BID,
    RowKey.CENTRE_TENS: RowKey.CENTRE,
    RowKey.CENTRE_RANK: RowKey.CENTRE_SUIT,
}
"""Rows that are shown as one with another: their values make one number, or one card."""
_SELDOM: Final = frozenset({RowKey.MOON, RowKey.TRICKS, RowKey.ENDING, RowKey.DIRECTOR})
"""Rows that are marked in few hands; without a mark they are folded."""
_KEYS: Final = 9
_NO_MARK_KEY: Final = "x"
_NUMBER_WORDS: Final[Mapping[RowKey, str | Promise]] = {
    RowKey.PAPER: gettext_lazy("paper %(n)d"),
    RowKey.REBUYS: gettext_lazy("%(n)d bought again"),
    RowKey.CENTRE: gettext_lazy("pays %(n)d"),
}
"""Numbers of a seat beside that of the cards that it took."""
_AROUND: Final = 1.35
"""Radii of a drawn circle, which goes round that of the slip."""


@dataclass(frozen=True, slots=True)
class ShownCircle:
    """A circle: its place, and the change that a press on it makes, as ``row=value``.

    ``style`` is the end of the name of a CSS class, as in all of this module.
    """

    change: str
    words: str
    x: str
    y: str
    style: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ShownPart:
    """Circles of a row, under a title where the row has several parts.

    ``clearing`` are the changes after which nothing is marked in it.
    """

    title: str
    circles: Sequence[ShownCircle]
    clearing: Sequence[str]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """Values of one seat, or of one thing of the table; ``note`` says where they come from.

    ``is_read``: they were marked, and nothing is asked about them. ``frame`` is the box around the
    circles in question as x, y, width and height.
    """

    label: str
    value: str
    note: str
    is_asked: bool
    is_read: bool
    is_seldom: bool
    parts: Sequence[ShownPart]
    frame: Sequence[str]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as a button: the change that it makes, its words, and its key.

    ``is_last``: with it nothing is left to ask, and the hand is recorded. ``outcome`` says what
    comes of it, ``holdings`` what everybody has then.
    """

    change: str
    words: str
    value: str
    key: str
    is_likely: bool
    is_last: bool
    outcome: str
    holdings: str


@dataclass(frozen=True, slots=True)
class DrawnSize:
    """The size of a slip for a drawing over its picture: millimetres, and pixels to be shown."""

    view: str
    pixels: tuple[int, int]
    radius: str


class ShownSlip:
    """A slip on its page, and in the strip of all slips.

    ``is_last``: no other slip is open. ``has_round``: the night has slips of several rounds.
    """

    def __init__(self, view: SlipView, *, has_round: bool) -> None:
        self.view, self.slip, self.pk = view, view.slip, view.slip.pk
        self.is_last, self.has_round = False, has_round

    # Its hand

    @cached_property
    def names(self) -> dict[str, str]:
        """What the people at the table are called, by seat."""
        view = self.view
        if view.game is not None:
            return names_at_table(view.game, self.slip.number or 1)
        if view.table is None:
            return {}
        seats = TableSeat.objects.filter(table=view.table).order_by("seat")
        players = [row.entry.player for row in seats.select_related("entry__player__person")]
        return dict(zip(view.seats, table_names(players), strict=False))

    @cached_property
    def title(self) -> str:
        """Table and hand."""
        table, number = self.view.table, self.slip.number
        if table is None:
            return _("A slip without a table")
        if not number:
            return _("Table %(table)d, no hand") % {"table": table.number}
        return _("Table %(table)d, hand %(hand)d") % {"table": table.number, "hand": number}

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at it."""
        return self.slip.state == SlipState.READ

    @property
    def is_clean(self) -> bool:
        """Whether Enter accepts it."""
        return self.view.is_clean

    @property
    def style(self) -> str:
        """Its state as a style."""
        if self.is_open:
            return "clean" if self.is_clean else "question"
        return {SlipState.ACCEPTED: "accepted", SlipState.ASIDE: "aside"}.get(
            SlipState(self.slip.state), "foreign"
        )

    @property
    def state_words(self) -> str:
        """Its state in words."""
        many = len(self.view.questions)
        if self.style == "question" and many:
            return ngettext("one question", "%(n)d questions", many) % {"n": many}
        if self.is_clean:
            return pgettext("a score slip", "clean")
        return self.slip.get_state_display()

    @property
    def short_title(self) -> str:
        """Table and hand in the strip."""
        table = self.view.table
        if self.style == "foreign":
            return _("another night")
        if table is None:
            return "?"
        values = {"table": table.number, "hand": self.slip.number or "?"}
        if self.has_round:
            return _("R%(round)s T%(table)s · %(hand)s") % {**values, "round": table.round.number}
        return _("T%(table)s · %(hand)s") % values

    # Its rows

    @cached_property
    def question(self) -> Question | None:
        """The first question."""
        return next(iter(self.view.questions), None) if self.is_open else None

    @cached_property
    def _asked_rows(self) -> frozenset[str]:
        return frozenset(() if self.question is None else self.question.rows)

    @cached_property
    def _doubted_rows(self) -> frozenset[str]:
        """The rows that some question is about."""
        return frozenset(row for asked in self.view.questions for row in asked.rows)

    @cached_property
    def headline(self) -> str:
        """The question in a few words, else table and hand."""
        asked = self.question
        if self.style == "foreign":
            return _("This slip is not of this night")
        if asked is None:
            return self.title
        values = [one.value for one in asked.answers if one.value is not None]
        row = self._row_of(asked.rows[0]) if len(asked.rows) == 1 else None
        if row is None or row.seat is None or row.key is not RowKey.TAKEN:
            return self._say(asked.message).rstrip(".")
        name = self._name(self.view.seats[row.seat])
        if not 1 < len(values) <= OUTCOMES_MAX:
            return _("How many cards did %(name)s take?") % {"name": name}
        words = {"values": translate(join_with_or(values)), "name": name}
        if suit := self._suit:
            return _("%(values)s %(suit)s for %(name)s?") % {**words, "suit": suit_name(suit)}
        return _("%(values)s for %(name)s?") % words

    @property
    def why(self) -> str:
        """The reason of the question, or why the slip is not to be accepted."""
        asked = self.question
        if asked is None:
            return self._say(self.view.obstacle or self.slip.reason)
        words = [self._say(asked.message)]
        if words[0].startswith(self.headline):
            words.clear()
        are_alike = len({one.reasons for one in asked.answers}) == 1 < len(asked.answers)
        for answer in () if are_alike else asked.answers[:OUTCOMES_MAX]:
            if answer.reasons:
                reasons = " ".join(map(self._say, answer.reasons))
                row = self._row_of(answer.row)
                words.append(f"{self._answer_words(row, answer)}: {reasons}")
        if self.view.recorded_hand is not None and not asked.rows and self.view.game is not None:
            played = judge_current_hand(self.view.game, self.view.recorded_hand)
            if played is not None:
                said = {"sentence": self._say(played.sentence)}
                words.append(_("On record: %(sentence)s") % said)
        return " ".join(words)

    @property
    def size(self) -> DrawnSize | None:
        """The size of its picture; None where nobody knows how it was printed."""
        layout = self.view.layout
        if layout is None:
            return None
        view = f"{layout.width:g} {layout.height:g}"
        return DrawnSize(view=view, pixels=layout.pixels, radius=f"{RADIUS * _AROUND:.2f}")

    @cached_property
    def rows(self) -> list[ShownRow]:
        """All rows: those of a seat, or of one number, as one."""
        layout = self.view.layout
        if layout is None:
            return []
        grouped: dict[tuple[str, int | None], list[SlipRow]] = {}
        for row in layout.rows:
            key = "" if row.seat is not None else str(_SHOWN_WITH.get(row.key, row.key))
            key = RowKey.BID if key == RowKey.BIDDER else key
            grouped.setdefault((key, row.seat), []).append(row)
        return [self._show_row(rows) for rows in grouped.values()]

    @property
    def shown_rows(self) -> list[ShownRow]:
        """The rows that every hand has, or that are marked or asked about."""
        return [row for row in self.rows if not row.is_seldom]

    @property
    def seldom_rows(self) -> list[ShownRow]:
        """The rows that few hands have, without a mark."""
        return [row for row in self.rows if row.is_seldom]

    def _show_row(self, rows: Sequence[SlipRow]) -> ShownRow:
        names = [row_name(row, self.view.seats) for row in rows]
        values = [one for name in names if (one := self._values.get(name)) is not None]
        asked = [row for row, name in zip(rows, names, strict=True) if name in self._asked_rows]
        marked = [one for one in values if one.value is not None]
        parts: dict[RowKey, list[SlipRow]] = {}
        for row in sorted(rows, key=lambda row: row.key is not RowKey.BIDDER):
            parts.setdefault(_SHOWN_WITH.get(row.key, row.key), []).append(row)
        title = rows[0].key if rows[0].key is not RowKey.BIDDER else RowKey.BID
        seat = rows[0].seat
        return ShownRow(
            label=translate(title.words) if seat is None else self._name(self.view.seats[seat]),
            value=self._row_words(parts.values()),
            note=self._describe_origin(values),
            is_asked=bool(asked),
            is_read=bool(marked) and not self._doubted_rows.intersection(names),
            is_seldom=rows[0].key in _SELDOM and not marked and not asked,
            parts=[
                self._show_part(part, translate(key.words) if len(parts) > 1 else "")
                for key, part in parts.items()
            ],
            frame=_frame(asked),
        )

    def _show_part(self, rows: Sequence[SlipRow], title: str) -> ShownPart:
        values = [self._values.get(row_name(row, self.view.seats)) for row in rows]
        return ShownPart(
            title=title,
            circles=[one for row in rows for one in self._circles(row)],
            clearing=[f"{one.row}=" for one in values if one is not None and one.value is not None],
        )

    @property
    def _values(self) -> Mapping[str, RowValue]:
        found = self.view.interpretation
        return {} if found is None else found.rows

    def _circles(self, row: SlipRow) -> Iterator[ShownCircle]:
        name = row_name(row, self.view.seats)
        value, read = self._values.get(name), self.view.marks.get(name, {})
        for circle in row.circles:
            mark = read[circle.value].mark if circle.value in read else Mark.EMPTY
            is_chosen = value is not None and value.value == circle.value
            style = ""
            if is_chosen and value is not None:
                style = "read" if value.origin is Origin.MARK else "changed"
            elif name in self._doubted_rows and mark is not Mark.EMPTY:
                style = "unsure"
            yield ShownCircle(
                change=f"{name}={circle.value}",
                words=self._value_words(row, circle.value),
                x=f"{circle.x:.2f}",
                y=f"{circle.y:.2f}",
                style=style,
                is_chosen=is_chosen,
            )

    def _label(self, row: SlipRow) -> str:
        if row.seat is None:
            return translate(_SHOWN_WITH.get(row.key, row.key).words)
        name = self._name(self.view.seats[row.seat])
        return f"{name}, {translate(_SHOWN_WITH.get(row.key, row.key).words)}"

    def _row_words(self, parts: Iterable[Sequence[SlipRow]]) -> str:
        """The values of a row, part by part; a dash for none."""
        words = [one for part in parts if (one := self._part_words(part))]
        return format_html_join(", ", "{}", ((one,) for one in words)) or NOTHING

    def _part_words(self, rows: Sequence[SlipRow]) -> str:
        names = [row_name(row, self.view.seats) for row in rows]
        values = [self._values.get(name) for name in names]
        if any(
            name in self._doubted_rows and (one is None or one.value is None)
            for name, one in zip(names, values, strict=True)
        ):
            return self._doubt_words(rows)
        said = [one.value for one in values if one is not None and one.value is not None]
        key = rows[0].key
        if not said:
            return ""
        if key is RowKey.PAIN:
            return self._suit_words(said[0])
        if key is RowKey.CENTRE_SUIT and len(said) == len(rows):
            return with_cards("".join(said))
        if not all(one.isdecimal() for one in said) or key in (RowKey.BIDDER, RowKey.QUEEN):
            return self._value_words(rows[0], said[0])
        return str(_NUMBER_WORDS.get(key, "%(n)d") % {"n": sum(map(int, said))})

    def _doubt_words(self, rows: Sequence[SlipRow]) -> str:
        """The values among which somebody has to choose."""
        names = {row_name(row, self.view.seats) for row in rows}
        answers = () if self.question is None else self.question.answers
        words = [
            self._value_words(self._row_of(one.row), one.value)
            for one in answers
            if one.row in names
        ]
        return f"{translate(join_with_or(words))}?" if 0 < len(words) <= OUTCOMES_MAX else "?"

    def _suit_words(self, letter: str) -> SafeString:
        return format_html(
            '<span class="word suit-{}" aria-hidden="true">{}</span> {}',
            letter,
            SYMBOLS[letter],
            suit_name(letter),
        )

    def _value_words(self, row: SlipRow | None, value: str | None) -> str:
        if value is None:
            return _("no mark")
        if row is None:  # the round of a blank slip
            return value
        if row.key in (RowKey.BIDDER, RowKey.QUEEN):
            return self._name(self.view.seats[int(value)])
        if row.key in (RowKey.PAIN, RowKey.CENTRE_SUIT):
            return f"{SYMBOLS[value]} {suit_name(value)}"
        if row.key is RowKey.CENTRE_RANK:
            return CardFace(f"S{value}").rank
        return translate(VALUE_WORDS[value]) if value in VALUE_WORDS else value

    def _describe_origin(self, values: Sequence[RowValue]) -> str:
        notes = [self._say(one.note) for one in values if one.note is not None]
        if notes:
            return notes[0]
        is_by_hand = any(one.origin is Origin.PERSON for one in values)
        return _("put right") if is_by_hand else ""

    # Answers and outcomes

    @cached_property
    def answers(self) -> list[ShownAnswer]:
        """The possible answers to the first question, the likely one first."""
        if self.question is None:
            return []
        found = [*self._answers(self.question.answers)]
        return sorted(found, key=lambda one: not one.is_likely)

    def _answers(self, answers: Sequence[Answer]) -> Iterator[ShownAnswer]:
        are_numbers = all(one.value is None or one.value.isdecimal() for one in answers)
        are_one_row = len({one.row for one in answers}) == 1
        views = [
            self._review_with(answer) if len(answers) <= OUTCOMES_MAX else None
            for answer in answers
        ]
        fitting = [place for place, view in enumerate(views) if view is not None and view.is_clean]
        for place, (answer, view) in enumerate(zip(answers, views, strict=True)):
            row = self._row_of(answer.row)
            is_seat_row = row is not None and row.key in (RowKey.BIDDER, RowKey.QUEEN)
            key = str(place + 1) if place < _KEYS else ""
            if are_numbers and are_one_row and not is_seat_row:
                key = answer.value or _NO_MARK_KEY
            outcome, holdings = self._outcome(view)
            yield ShownAnswer(
                change=f"{answer.row}={answer.value or ''}",
                words=self._answer_words(row, answer),
                value=self._value_words(row, answer.value),
                key=key,
                is_likely=fitting == [place] or len(answers) == 1,
                is_last=place in fitting,
                outcome=outcome,
                holdings=holdings,
            )

    def _review_with(self, answer: Answer) -> SlipView:
        """Review the slip as if this were answered; nothing is saved."""
        slip = copy(self.slip)
        slip.changes = {**slip.changes, answer.row: answer.value}
        return review_slip(slip)

    def _answer_words(self, row: SlipRow | None, answer: Answer) -> str:
        value = self._value_words(row, answer.value)
        if row is None:  # the round of a blank slip
            return _("Round %(number)s") % {"number": answer.value}
        if row.key is RowKey.TAKEN and row.seat is not None and answer.value is not None:
            name = self._name(self.view.seats[row.seat])
            return _("%(name)s took %(value)s") % {"name": name, "value": value}
        return _("%(what)s: %(value)s") % {"what": self._label(row), "value": value}

    @cached_property
    def outcome(self) -> tuple[str, str]:
        """What comes of the hand as it is read, and what everybody has then."""
        return self._outcome(self.view)

    def _outcome(self, view: SlipView | None) -> tuple[str, str]:
        found = None if view is None else view.interpretation
        if found is None or found.played is None:
            return "", ""
        return self._say(found.played.sentence), self._describe_holdings(found.played)

    def _describe_holdings(self, played: JudgedHand) -> str:
        holdings, pot = settled_holdings(played, self.view.seats)
        if holdings is None:
            return ""
        words = [f"{self._name(seat)} {format_number(has)}" for seat, has in holdings.items()]
        if pot:
            words.append(_("pot %(n)s") % {"n": format_number(pot)})
        return ", ".join(words)

    @property
    def force_words(self) -> str:
        """The words of the button that records a hand in spite of a question about all of it."""
        found, asked = self.view.interpretation, self.view.questions
        if self.view.obstacle or found is None or found.played is None:
            return ""
        if not asked or any(one.rows for one in asked):
            return ""
        if self.view.recorded_hand is not None:
            return _("Set it beside the other record")
        if found.played.is_sure:
            return _("This slip is right")
        return _("Record it, and rule on the hand")

    @property
    def accept_words(self) -> str:
        """The words of the button that records the hand of a clean slip."""
        values = {"hand": self.slip.number}
        if self.view.recorded_hand is not None:
            return _("Both say the same") if self.is_last else _("Both say the same, next slip")
        if self.is_last:
            return _("Record hand %(hand)d") % values
        return _("Record hand %(hand)d, next slip") % values

    # Helpers

    @property
    def _suit(self) -> str | None:
        pain = self._values.get(RowKey.PAIN)
        return None if pain is None else pain.value

    def _row_of(self, name: str) -> SlipRow | None:
        layout: SlipLayout | None = self.view.layout
        rows = () if layout is None else layout.rows
        return next((row for row in rows if row_name(row, self.view.seats) == name), None)

    def _name(self, seat: str) -> str:
        return self.names.get(seat, seat)

    def _say(self, words: str | Message) -> str:
        return with_cards(translate(name_people(words, self.names))) if words else ""


def _frame(rows: Sequence[SlipRow]) -> list[str]:
    """The box around the circles of rows: x, y, width and height."""
    if not rows:
        return []
    xs = [circle.x for row in rows for circle in row.circles]
    ys = [circle.y for row in rows for circle in row.circles]
    around = RADIUS * _AROUND + 0.4
    left, top = min(xs) - around, min(ys) - around
    box = (left, top, max(xs) + around - left, max(ys) + around - top)
    return [f"{length:.2f}" for length in box]
