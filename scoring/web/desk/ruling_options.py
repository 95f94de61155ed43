"""Proposed rulings as choices of the director: what each says, costs, and changes later."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import join_with_and, message_of
from engine.record.irregularities import Event, event_of
from engine.record.rulings import Decision, Ruling
from engine.rules.rules import plays_for_chips
from engine.rules.switches import SettledBy
from engine.settlement.scoring import queen_points
from scoring.hands.rulings import moves_nothing, preview_ruling
from scoring.models import Decided, Game, Hand, State
from scoring.presentation.answers import (
    ConsequenceAnswer,
    consequence_answer,
    seats_of,
    settlement_answer,
)
from scoring.presentation.hand_view import describe_beginning
from scoring.presentation.seat_names import name_people
from scoring.settlement.changes import (
    RulingRequest,
    find_later_consequences,
    list_policies,
)
from scoring.settlement.consequences import Consequence, ConsequenceKind, Policy
from scoring.settlement.plan import GamePlan, plan, rules_of
from scoring.settlement.replay import JudgedHand
from scoring.web.desk.ruling_form import initial_of
from scoring.web.engine_wording import with_cards
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.number_format import format_number

Gain = tuple[str, int, str]
"""A name, what they have more or less, and that in writing."""
_ALL_OF_A_SUIT: Final = 13
_TITLES: Final = {
    Decision.RESULT_STANDS: gettext_lazy("The result stands"),
    Decision.VOID_REDEAL: gettext_lazy("The hand is dealt again"),
    Decision.VOID_NO_REPLAY: gettext_lazy("The hand is left out"),
    Decision.CARD_CORRECTED: gettext_lazy("The card is put right, the play stands"),
}
"""Rulings of which the people at the table are no part."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """Holdings of somebody, or the pot, before a hand, as it was told, and after it.

    ``gain`` is what is signed in ``said``; ``taken`` are pain cards, None where nobody knows.
    """

    name: str
    before: str
    told: str
    after: str
    gain: int
    said: str
    taken: int | None = None
    is_pot: bool = False


@dataclass(frozen=True, slots=True)
class RulingOption:
    """A ruling that the director can make with one button.

    ``note`` is what comes of the hand; ``rows`` are chips or points before and after it; ``later``
    says what changes in later hands, ``consequences`` hand by hand; ``fields`` are those of the
    form of a ruling, by name; ``words`` are what the table will read. ``cannot`` says why it cannot
    be made; it ``is_without_numbers`` where it needs some first.
    """

    place: int
    title: str
    note: str
    rows: list[OutcomeRow]
    whole: str
    later: list[str | SafeString]
    consequences: list["ConsequenceRow"]
    fields: list[tuple[str, str]]
    words: str
    is_by_law: bool
    is_without_numbers: bool
    cannot: str


class OptionBuilder:
    """Makes choices of proposed rulings on a hand; ``names`` are what people are called, by seat.

    ``words`` say what happened; ``replaced`` is the ruling whose place a new one takes.
    """

    def __init__(
        self,
        hand: Hand,
        names: Mapping[str, str],
        *,
        at: datetime,
        replaced: Decided | None = None,
        words: str = "",
    ) -> None:
        self.hand, self.game, self.names, self.at = hand, hand.game, names, at
        self.replaced, self.words = replaced, words

    @cached_property
    def _seats(self) -> tuple[str, ...]:
        return seats_of(self.game)

    @cached_property
    def _is_for_chips(self) -> bool:
        return plays_for_chips(rules_of(self.game))

    def build(self, place: int, ruling: Ruling, played: JudgedHand) -> RulingOption:
        """Return a proposed ruling as a choice; ``played`` is the hand with it."""
        found, cannot = self._preview(ruling, played)
        decision = self.title(ruling, played)
        rows = compare_outcomes(None, played, self.names)
        chips = (*played.after.chips, played.after.pot) if self._is_for_chips else ()
        fields = [
            (name, "on" if one is True else str(one))
            for name, value in initial_of(ruling, self._seats).items()
            if name != "facts" and value not in (None, "", False)
            for one in (value if isinstance(value, list) else [value])
        ]
        replaced = [] if self.replaced is None else [("supersedes", str(self.replaced.pk))]
        return RulingOption(
            place=place,
            title=decision,
            note=translate(name_people(played.sentence, self.names)),
            rows=rows,
            whole=format_number(sum(chips)) if chips else "",
            later=[*self._describe_later(found, played)],
            consequences=list(
                consequence_rows(found if any(map(_is_moved, found)) else (), self.game, self.names)
            ),
            fields=[*fields, *replaced],
            words=f"{self.words} {decision}.".strip(),
            is_by_law=place == 0 and ruling.code is not None,
            is_without_numbers=moves_nothing(ruling),
            cannot=cannot,
        )

    @cached_property
    def _current(self) -> tuple[GamePlan, bool]:
        """The game from the hand on as it stands, and whether an earlier change let play stand."""
        return plan(self.game, self.hand.number), bool(list_policies(self.hand))

    def _preview(self, ruling: Ruling, played: JudgedHand) -> tuple[Sequence[Consequence], str]:
        """Return what becomes of later hands that were played, and why it cannot be."""
        if self.hand.number == self.game.hands or moves_nothing(ruling):
            return (), ""
        current, is_let_stand = self._current
        supersedes = None if self.replaced is None else self.replaced.pk
        decree = RulingRequest(ruling=ruling, supersedes=supersedes, policy=Policy.RESETTLE)
        try:
            if is_let_stand:
                return preview_ruling(hand_id=self.hand.pk, decree=decree, at=self.at)[1:], ""
            return find_later_consequences(current, played), ""
        except RefusedError as error:
            return (), translate(message_of(error))

    def _describe_later(
        self, found: Sequence[Consequence], played: JudgedHand
    ) -> Iterator[str | SafeString]:
        """Say which later hands are settled again, or how the next one begins."""
        moved = [one for one in found if _is_moved(one)]
        if not found:
            yield self._describe_next(played)
        elif not moved:
            yield _("Later hands stay as they are; only what everybody had before them changes.")
        else:
            numbers = translate(join_with_and([str(one.number) for one in moved]))
            yield ngettext(
                "Hand %(numbers)s is settled again.",
                "Hands %(numbers)s are settled again.",
                len(moved),
            ) % {"numbers": numbers}
        for one in moved:
            for words in (*one.premises, *one.questions)[:2]:
                yield with_cards(
                    _("Hand %(n)d: %(words)s")
                    % {"n": one.number, "words": translate(name_people(words, self.names))}
                )

    def _describe_next(self, played: JudgedHand) -> str:
        after = settlement_answer(played, in_full=True)["next"]
        if after is None:
            return _("Nothing after it was played yet.")
        if after["phase"] == "over":
            return _("The game ends with this hand.")
        values = {
            "n": self.hand.number + 1,
            "name": self.names.get(after["dealer"], after["dealer"]),
            "beginning": describe_beginning(after, self.names),
        }
        if after["phase"] in ("auction", "jackpot"):
            return _("Hand %(n)d begins with %(beginning)s; %(name)s deals.") % values
        return _("%(name)s deals hand %(n)d.") % values

    def title(self, ruling: Ruling, played: JudgedHand | None) -> str:
        """Say what happens by a ruling, as a button does: ``Ed pays for all thirteen``."""
        who = [self.names[self._seats[seat]] for seat in ruling.offenders]
        names = translate(join_with_and(who)) if who else ""
        event = None if ruling.code is None else event_of(ruling.code)
        moved = ruling.chips or ruling.score or ()
        title = str(_TITLES.get(ruling.decision, "")) or translate(ruling.decision.details)
        if ruling.decision is Decision.REVOKE_LAW and who:
            title = self._title_of_revoke(who, played)
        elif ruling.decision is Decision.WARNING and who:
            title = _("A warning for %(name)s") % {"name": names}
        elif ruling.taken and who and event in (Event.MISSED_TRICK, Event.SHORT_HAND):
            title = _("%(name)s takes the last trick") % {"name": names}
        elif ruling.taken:
            taken = zip(self.names.values(), ruling.taken, strict=True)
            counts = ", ".join(f"{name} {count}" for name, count in taken)
            title = _("Counted again: %(counts)s") % {"counts": counts}
        elif any(moved):
            gains = zip(self.names.values(), moved, strict=True)
            title = ", ".join(f"{name} {format_number(n, signed=True)}" for name, n in gains if n)
        return title

    def _title_of_revoke(self, who: Sequence[str], played: JudgedHand | None) -> str:
        facts = None if played is None or played.result is None else played.result.facts
        rules, names = rules_of(self.game), translate(join_with_and(who))
        whole = _ALL_OF_A_SUIT if facts is None else facts.whole
        if rules.settlement is not SettledBy.POT:
            whole += 0 if facts is None else sum(queen_points(rules, facts))
            words = ngettext(
                "%(names)s gets all %(n)d points", "%(names)s get all %(n)d points", len(who)
            )
        elif whole == _ALL_OF_A_SUIT:
            words = ngettext(
                "%(names)s pays for all thirteen", "%(names)s pay for all thirteen", len(who)
            )
        else:
            words = ngettext(
                "%(names)s pays for all %(n)d", "%(names)s pay for all %(n)d", len(who)
            )
        return words % {"names": names, "n": whole}


def _is_moved(one: Consequence) -> bool:
    """Whether a later hand brings anybody more or less, or leaves something open."""
    gains = (*one.chips, *one.points, one.pot)
    return any(gains) or one.verdict is ConsequenceKind.CONFLICT or one.state != one.was


def compare_outcomes(
    told: JudgedHand | None, played: JudgedHand, names: Mapping[str, str]
) -> list[OutcomeRow]:
    """Return what everybody has before a hand and after it; ``told`` is it without rulings."""
    rules = played.judged.rules
    for_chips = rules is not None and plays_for_chips(rules)
    what = "chips" if for_chips else "totals"
    facts = None if played.result is None else played.result.facts
    is_told = told is not None and told.result is not None and told.result.settlement is not None
    first = getattr(told.after, what) if told is not None and is_told else ()
    rows = [
        OutcomeRow(
            name,
            format_number(before),
            format_number(first[seat]) if first else "",
            format_number(after),
            after - before,
            format_number(after - before, signed=True) if after != before else "=",
            taken=facts.taken[seat] if facts is not None and facts.taken else None,
        )
        for seat, (name, before, after) in enumerate(
            zip(
                names.values(),
                getattr(played.before, what),
                getattr(played.after, what),
                strict=True,
            )
        )
    ]
    if for_chips:
        before, after = played.before.pot, played.after.pot
        pot = format_number(told.after.pot) if told is not None and is_told else ""
        gain = format_number(after - before, signed=True) if after != before else "="
        numbers = format_number(before), pot, format_number(after), after - before, gain
        rows.append(OutcomeRow(_("Pot"), *numbers, is_pot=True))
    return rows


@dataclass(frozen=True, slots=True)
class ConsequenceRow:
    """The effect of a change on one hand, as a line of a table.

    ``states`` are what the hand is and what it becomes, empty where that stays; ``questions`` are
    what is open to a ruling by it and was not; ``pot`` is empty where nobody plays for one.
    """

    answer: ConsequenceAnswer
    chips: list[Gain]
    pot: str
    states: tuple[str, ...]
    questions: list[SafeString]


def consequence_rows(
    found: Sequence[Consequence], game: Game, names: Mapping[str, str]
) -> Iterator[ConsequenceRow]:
    """Consequences as lines: the changed hand, and all after it; ``names`` are by seat."""
    seats, for_chips = seats_of(game), plays_for_chips(rules_of(game))
    for one in found:
        answer: ConsequenceAnswer = translate(name_people(consequence_answer(one, seats), names))
        was, becomes = State(answer["was"]), State(answer["state"])
        gains = answer["chips"] if for_chips else answer["points"]
        yield ConsequenceRow(
            answer,
            [
                (names.get(seat, seat), by, format_number(by, signed=True))
                for seat, by in gains.items()
            ],
            format_number(answer["pot"], signed=True) if for_chips else "",
            () if was == becomes else (was.label, becomes.label),
            [with_cards(question) for question in answer["questions"]],
        )
