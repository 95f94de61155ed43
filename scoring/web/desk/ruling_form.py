"""The form of a ruling: the engine's proposal typed in already, everything open to the director."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.cards import Suit
from engine.faults import TITLES, Code
from engine.game_state import plays_for_chips
from engine.messages import message_of
from engine.record.irregularities import IRREGULARITIES, Event, Named
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy, Toggle
from engine.rulings import Decision, NextHand, Ruling
from engine.seats import Seat
from scoring.hands.rulings import code_named
from scoring.models import Decided, Finding, Game
from scoring.presentation.answers import seats_of
from scoring.settlement.changes import Decree
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import rules_of
from scoring.web.cards import sitter_name, suit_name
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.forms import DeskForm

MOST: Final = 10**9
DECISIONS: Final[dict[str, str | Promise]] = {
    Decision.RESULT_STANDS: gettext_lazy("The result stands as it was written"),
    Decision.CARD_CORRECTED: gettext_lazy("A card is put right; the play stands"),
    Decision.REVOKE_LAW: gettext_lazy("The revoke law: the offender bears the hand"),
    Decision.ASSIGNED_CAPTURES: gettext_lazy("I say who took how many pain cards"),
    Decision.SCORE_ADJUST: gettext_lazy("Points are added or taken away"),
    Decision.CHIP_ADJUST: gettext_lazy("Chips are moved"),
    Decision.VOID_REDEAL: gettext_lazy("The hand is void and dealt again"),
    Decision.VOID_NO_REPLAY: gettext_lazy("The hand is void and not played again"),
    Decision.ARTIFICIAL_SCORE: gettext_lazy("The hand gets an artificial score"),
    Decision.WARNING: gettext_lazy("A warning; nothing changes"),
}
POLICIES: Final = (
    (Policy.RESETTLE, gettext_lazy("Judge the hands after it anew")),
    (Policy.LET_STAND, gettext_lazy("Let them stand as they were played, in good faith")),
)
_SUITS: Final = {suit: suit.name[0] for suit in Suit}
_EACH: Final = ("taken", "chips", "score")
_OF_SOME_GAMES: Final = ("pot", "queen", "jackpot", "namer", "pain")


class DecreeForm(DeskForm):
    """A decision on one hand, with what is written down beside it; only what this game has.

    ``NUMBERED`` are the decisions that are nothing without numbers: the fields of these unfold.
    """

    NUMBERED: Final = (
        Decision.ASSIGNED_CAPTURES,
        Decision.SCORE_ADJUST,
        Decision.CHIP_ADJUST,
        Decision.ARTIFICIAL_SCORE,
    )

    decision = forms.ChoiceField(label=gettext_lazy("Decision"), choices=list(DECISIONS.items()))
    facts = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    policy = forms.ChoiceField(
        label=gettext_lazy("And the hands after it?"),
        choices=POLICIES,
        initial=Policy.RESETTLE,
        widget=forms.RadioSelect,
    )
    law = forms.CharField(label=gettext_lazy("By which rule"), max_length=300, required=False)
    code = forms.CharField(
        label=gettext_lazy("Irregularity"),
        max_length=30,
        required=False,
        widget=forms.Select,
    )
    found = forms.ChoiceField(
        label=gettext_lazy("When it was found, it was"),
        choices=[
            ("", gettext_lazy("not said")),
            (Finding.BEFORE_ESTABLISHED, gettext_lazy("not established yet")),
            (Finding.ESTABLISHED, gettext_lazy("established")),
        ],
        required=False,
    )
    pot = forms.IntegerField(
        label=gettext_lazy("Into the pot"), min_value=-MOST, max_value=MOST, required=False
    )
    jackpot = forms.IntegerField(
        label=gettext_lazy("Jackpot hand number"),
        min_value=0,
        max_value=1000,
        required=False,
        help_text=gettext_lazy("0: an ordinary hand."),
    )
    deals = forms.IntegerField(
        label=gettext_lazy("Deals so far"), min_value=0, max_value=100_000, required=False
    )
    play_on = forms.BooleanField(
        label=gettext_lazy("The game goes on, whatever end it had reached"), required=False
    )

    def __init__(
        self,
        *args: Any,
        game: Game,
        standing: Sequence[Decided],
        names: Mapping[str, str],
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.seats = seats_of(game)
        named = [(name, sitter_name(name, names)) for name in self.seats]
        nobody = [("", _("not said")), *named]
        self.fields["offenders"] = forms.MultipleChoiceField(
            label=_("Offenders"),
            choices=named,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        for name, label in (
            ("queen", _("Who took the queen")),
            ("called_by", _("Called by")),
            ("dealer", _("Next dealer")),
            ("namer", _("Who names the suit next")),
        ):
            self.fields[name] = forms.ChoiceField(label=label, choices=nobody, required=False)
        suits = [("", _("not said")), *((key, suit_name(key)) for key in _SUITS.values())]
        self.fields["pain"] = forms.ChoiceField(
            label=_("Pain suit of the jackpot"), choices=suits, required=False
        )
        self.fields["code"].widget.choices = irregularities()
        for kind in _EACH:
            for seat in self.seats:
                self.fields[f"{kind}_{seat}"] = forms.IntegerField(
                    label=sitter_name(seat, names),
                    min_value=-MOST,
                    max_value=MOST,
                    required=False,
                )
        earlier = [
            ("", _("none: it is added to them")),
            *((str(r.pk), _title(r)) for r in standing),
        ]
        self.fields["supersedes"] = forms.ChoiceField(
            label=_("Takes the place of"), choices=earlier, required=False
        )
        self.has_standing = bool(standing)
        self._leave_out(rules_of(game))

    def _leave_out(self, rules: Rules) -> None:
        """Take away what these house rules do not know."""
        decision = self.fields["decision"]
        assert isinstance(decision, forms.ChoiceField)
        unknown = _unknown(rules)
        decision.choices = [pair for pair in DECISIONS.items() if pair[0] not in unknown]
        for name in [*self.fields]:
            if name in unknown or name.partition("_")[0] in unknown.intersection(_EACH):
                del self.fields[name]

    def _shown(self, names: Sequence[str]) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def clean_code(self) -> Named | None:
        """The irregularity by its name or id."""
        written = str(self.cleaned_data["code"]).strip()
        if not written:
            return None
        try:
            return code_named(written)
        except RefusedError as error:
            raise ValidationError(translate(message_of(error))) from error

    def refuse(self, error: RefusedError) -> None:
        """Say at its field why it cannot be; what is wrong of all seats, at the first of them."""
        if error.field in _EACH:
            error.field = f"{error.field}_{self.seats[0]}"
        super().refuse(error)

    def first(self) -> Iterator[forms.BoundField]:
        """What every ruling has."""
        names = ["decision", *(["supersedes"] if self.has_standing else []), "offenders", "facts"]
        yield from (self[name] for name in names)

    def beside(self) -> Iterator[forms.BoundField]:
        """What is written down beside it."""
        yield from (self[name] for name in ("law", "code", "found", "called_by"))

    def by_seat(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Numbers for each seat: a row for what is taken, for chips and for points."""
        titles = (_("Pain cards taken"), _("Chips added"), _("Points added"))
        for kind, title in zip(_EACH, titles, strict=True):
            if fields := self._shown([f"{kind}_{seat}" for seat in self.seats]):
                yield title, fields

    def numbers(self) -> list[forms.BoundField]:
        """What belongs to the numbers of the seats."""
        return self._shown(("pot", "queen"))

    def then(self) -> list[forms.BoundField]:
        """What the next hand inherits, where it is not what follows."""
        return self._shown(("dealer", "jackpot", "namer", "pain", "deals", "play_on"))

    @property
    def has_more(self) -> bool:
        """Whether something stands in a field that is folded away."""
        names = [f"{kind}_{seat}" for kind in _EACH for seat in self.seats]
        names += ["pot", "queen", "dealer", "jackpot", "namer", "pain", "deals"]
        return any(one.value() not in (None, "") or one.errors for one in self._shown(names))

    def decree(self) -> Decree:
        """What was typed, as a decision."""
        typed = self.cleaned_data
        called, supersedes = typed["called_by"], typed["supersedes"]
        return Decree(
            ruling=self._ruling(),
            facts=typed["facts"],
            law=typed["law"],
            called_by=self.seats.index(called) if called else None,
            found=typed["found"],
            supersedes=forms.UUIDField().to_python(supersedes) if supersedes else None,
            policy=Policy(typed["policy"]),
        )

    def _ruling(self) -> Ruling:
        typed: dict[str, Any] = {**dict.fromkeys(_OF_SOME_GAMES), **self.cleaned_data}
        return Ruling(
            decision=Decision(typed["decision"]),
            code=typed["code"],
            offenders=tuple(self._seat(name) for name in typed["offenders"]),
            taken=self._each("taken"),
            queen=self._seat(typed["queen"]) if typed["queen"] else None,
            score=self._each("score"),
            chips=self._each("chips"),
            pot=typed["pot"] or 0,
            then=NextHand(
                dealer=self._seat(typed["dealer"]) if typed["dealer"] else None,
                jackpot=typed["jackpot"],
                namer=self._seat(typed["namer"]) if typed["namer"] else None,
                pain=_suit(typed["pain"]),
                deals=typed["deals"],
                play_on=typed["play_on"],
            ),
            text=typed["facts"][:300],
        )

    def _seat(self, name: str) -> Seat:
        return Seat(self.seats.index(name))

    def _each(self, kind: str) -> tuple[int, ...]:
        """A number for each seat; nothing where none was typed."""
        values = [self.cleaned_data.get(f"{kind}_{seat}") for seat in self.seats]
        if all(value is None for value in values):
            return ()
        return tuple(value or 0 for value in values)


def _unknown(rules: Rules) -> frozenset[str]:
    """The decisions and fields that are about what nobody plays for under these house rules."""
    lacks = {
        (Decision.CHIP_ADJUST, "chips"): not plays_for_chips(rules),
        (Decision.SCORE_ADJUST, "score"): rules.settlement is SettledBy.POT,
        ("pot", "jackpot", "namer", "pain"): rules.settlement is not SettledBy.POT,
        ("queen",): rules.queen is not Toggle.ON,
    }
    return frozenset(name for names, is_so in lacks.items() if is_so for name in names)


def _suit(key: str | None) -> Suit | None:
    return next((suit for suit, name in _SUITS.items() if name == key), None)


def _title(row: Decided) -> str:
    return _("ruling %(n)d") % {"n": row.number}


Choices = list[tuple[str, str]]


def irregularities() -> list[tuple[str, str] | tuple[str, Choices]]:
    """What a ruling can be on: the events of section 8, and what else a record can show."""
    events = [(event.name, translate(row.title)) for event, row in IRREGULARITIES.items()]
    others = [
        (code.name, f"{code.value} {translate(TITLES[code])}")
        for code in Code
        if code.name not in Event.__members__
    ]
    return [
        ("", _("everything that is open")),
        (_("What can go wrong at a table"), events),
        (_("What else a record can show"), others),
    ]


def initial_of(ruling: Ruling, seats: Sequence[str]) -> dict[str, Any]:
    """A proposal as the form shows it."""
    then = ruling.then
    found: dict[str, Any] = {
        "decision": ruling.decision,
        "code": "" if ruling.code is None else ruling.code.name,
        "offenders": [seats[seat] for seat in ruling.offenders],
        "queen": "" if ruling.queen is None else seats[ruling.queen],
        "pot": ruling.pot or None,
        "facts": ruling.text,
        "policy": Policy.RESETTLE,
        "dealer": "" if then.dealer is None else seats[then.dealer],
        "jackpot": then.jackpot,
        "namer": "" if then.namer is None else seats[then.namer],
        "pain": "" if then.pain is None else _SUITS[then.pain],
        "deals": then.deals,
        "play_on": then.play_on,
    }
    for kind in _EACH:
        for seat, value in zip(seats, getattr(ruling, kind), strict=False):
            found[f"{kind}_{seat}"] = value
    return found
