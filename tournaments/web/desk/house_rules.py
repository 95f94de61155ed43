"""House rules: what differs from the book, every switch in plain words, and a sheet to print."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, Final

from django import forms
from django.urls import reverse
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.cards import EMPTY, NAMES, SUIT_OF, CardSet, members, parse_cards, show
from engine.core.messages import Choice, MessageError
from engine.rules.presets import PRESETS, TITLES
from engine.rules.rule_sheet import idle_switches
from engine.rules.rules import Rules
from engine.rules.switch_specs import SWITCHES, PlayerRange, Switch
from engine.rules.switches import PainBy, SettledBy, Toggle
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.core.name_folding import fold_text
from tournaments.models import RuleSet, Status
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules, read_rules, rules_of
from tournaments.web.desk.base import DeskFormView, DeskMixin, DeskPage, DeskUpdateView
from tournaments.web.desk.fields import MoneyField
from tournaments.web.desk.forms import SHORT_NUMBER, DeskForm, FieldGroup, FoldedForm
from tournaments.web.desk.lab_figures import describe_effects
from tournaments.web.desk.round_rules_fields import PRESET_PREFIX
from tournaments.web.number_format import money as shown_money

PRESET_DETAILS: Final[dict[str, Promise]] = {
    "bicycle": gettext_lazy("bid, name a suit, pot, jackpot"),
    "hoyle_auction": gettext_lazy("each bid above the last, pot, jackpot"),
    "hoyle_hearts": gettext_lazy("no bidding, hearts count"),
    "insurance": gettext_lazy("papers, centre, foot"),
    "sahara": gettext_lazy("queen of spades 13, to 100"),
    "standard": gettext_lazy("pass three cards, queen of spades 13, to 100"),
    "sweepstake": gettext_lazy("no bidding, hearts count, the clean win the pot"),
    "howell": gettext_lazy("no bidding, every heart is paid for at once"),
    "auction_moon": gettext_lazy("as Bicycle; whoever takes every trick wins the game"),
}
"""The play of the presets in a few words, the best known first."""
_WON_BY: Final[dict[SettledBy, Promise]] = {
    SettledBy.POT: gettext_lazy("chips"),
    SettledBy.AVERAGE: gettext_lazy("against the average"),
    SettledBy.POINTS: gettext_lazy("fewest points win"),
}
_MONEY: Final[dict[str, Promise]] = {
    "ante": gettext_lazy("What does everybody ante?"),
    "buy_in": gettext_lazy("What do the chips cost?"),
    "unit": gettext_lazy("What is a point worth?"),
}
"""Switches with an amount of money, in minor units, and their questions."""
_NUMBERED: Final[dict[str, Promise]] = {
    "hands:n": gettext_lazy("after so many hands:"),
    "dealer_orbits:n": gettext_lazy("when everybody has dealt so many times:"),
    "penalty:n": gettext_lazy("so many points to everybody:"),
    "n": gettext_lazy("so many:"),
}
"""Choices of switches that hold a number."""
TABLE_SIZES: Final = range(3, 7)
"""The numbers of people who may sit at a table."""
KEEPS_JACKPOT: Final = "keeps_jackpot"
"""The field of house rules that is no switch: the rules of games know nothing of it."""
_SUBJECTS: Final[tuple[tuple[Promise, tuple[str, ...]], ...]] = (
    (gettext_lazy("People and cards"), ("players", "strip", "pain", "queen")),
    (gettext_lazy("Bidding"), ("bid_order", "min_bid", "max_bid", "all_pass")),
    (
        gettext_lazy("The tricks"),
        (
            "first_leader",
            "first_trick_penalty",
            "pain_lead",
            "broken_by",
            "hearts_plus_queen",
            "misdeal_if_all_forbidden",
            "claims",
        ),
    ),
    (
        gettext_lazy("Passing, insurance, centre, foot"),
        (
            "passing",
            "pass_cycle",
            "pass_count",
            "insurance",
            "bad_paper",
            "moon_own_insurance",
            "centre_auction",
            "bad_bid",
            "max_centre_bid",
            "bid_points_on_moon",
            "foot",
        ),
    ),
    (
        gettext_lazy("Pot, chips and jackpot"),
        (
            "settlement",
            "starting_chips",
            "zero_clean",
            "three_player_sweep",
            "odd_chip",
            "jackpot_namer",
            "jackpot_suit",
            "jackpot_split",
            "insolvency",
            "end_pot",
            KEEPS_JACKPOT,
            "spare_units",
        ),
    ),
    (
        gettext_lazy("Points, end and winner"),
        (
            "length",
            "limit",
            "moon",
            "moon_all_tricks",
            "winner",
            "tie",
            "tiebreak",
            "average_each",
            "average_rounding",
        ),
    ),
    (gettext_lazy("Money"), ("prize", "ante", "buy_in", "unit", "currency", "credit")),
    (
        gettext_lazy("When something goes wrong"),
        ("revoke_law", "unplayed", "correction_period"),
    ),
)
"""The switches as somebody looks for them; one with a single value is no question."""
SwitchWords = Sequence[tuple[str, str]]
"""A value in plain words, part by part, each with the cards that belong to it, as in a record."""


def say_switch(name: str, value: Any, currency: str) -> SwitchWords:
    """Return a value of a switch in plain words; money as an amount of ``currency``."""
    if name in _MONEY and value:
        return [(f"{shown_money(value, currency)} {currency}".strip(), "")]
    if (name, value) == ("currency", "none"):
        return [(_("no money is played for"), "")]
    if name == "strip" and value:
        return [
            (ngettext("%(n)s player", "%(n)s players", n) % {"n": n}, show(cards))
            for n, cards in value
        ]
    return [(translate(SWITCHES[name].say(value)).removesuffix("."), "")]


def format_cards(cards: CardSet) -> str:
    """Format cards as they are typed and read: the rank before the sign of the suit.

    >>> format_cards(parse_cards("S2D2C32"))
    '2♠ 2♦ 3♣ 2♣'
    """
    ranks = [(NAMES[card][1].replace("T", "10"), SUIT_OF[card].glyph) for card in members(cards)]
    return " ".join(f"{rank}{glyph}" for rank, glyph in reversed(ranks))


def format_switch(parts: SwitchWords) -> str:
    """Return the words of a value in one line."""
    return ", ".join(
        f"{words} {format_cards(parse_cards(cards))}".strip() for words, cards in parts
    )


def summarise_reply(value: object, question: str, reply: SwitchWords) -> str:
    """Return a value of a switch on one line; a number or "Yes" goes with what was asked.

    >>> summarise_reply(Toggle.ON, "Is insurance written?", [("Yes", "")])
    'Is insurance written'
    >>> summarise_reply(4, "How many play?", [("4", "")])
    'How many play? 4'
    """
    if value is Toggle.ON:
        return question.removesuffix("?")
    words = format_switch(reply)
    return words if value is None or isinstance(value, Choice) else f"{question} {words}"


def ask_switch(name: str) -> str:
    """Return the question that a switch answers."""
    return str(_MONEY[name]) if name in _MONEY else translate(SWITCHES[name].question)


def describe_switches(
    row: RuleSet, names: Iterable[str]
) -> Iterator[tuple[str, SwitchWords, SwitchWords]]:
    """Yield questions, answers, and where house rules differ the answer of the book."""
    rules, book = rules_of(row), PRESETS[row.preset]
    currency = row.club.currency if rules.currency == "none" else rules.currency
    for name in names:
        if name == KEEPS_JACKPOT:
            shared = [(_("It is shared as the rules say"), "")]
            waits = [(_("It waits for the next game"), "")]
            question = _("What becomes of a pot that a game leaves?")
            yield question, waits if row.keeps_jackpot else shared, shared * row.keeps_jackpot
            continue
        own, usual = (say_switch(name, getattr(one, name), currency) for one in (rules, book))
        yield ask_switch(name), own, usual if name in row.overrides else ()


def differing_names(row: RuleSet) -> list[str]:
    """Return the names of what house rules say otherwise than the book."""
    return [*row.overrides, *[KEEPS_JACKPOT] * row.keeps_jackpot]


def silent_names(rules: Rules) -> set[str]:
    """Return the names of what changes nothing under these rules, as the rest stands."""
    idle = idle_switches(rules)
    return idle | {KEEPS_JACKPOT} if "end_pot" in idle else idle


def describe_base(row: RuleSet) -> str:
    """Return the preset of house rules, and in how much they differ from it."""
    title, count = translate(TITLES[row.preset]), len(differing_names(row))
    if not count:
        return _("%(title)s, as in the book") % {"title": title}
    words = ngettext("%(title)s, with %(n)s difference", "%(title)s, with %(n)s differences", count)
    return words % {"title": title, "n": count}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """A game that can be chosen: the value of the form, what it is called, and its rules.

    ``rule_set`` is not stored for rules that the club does not have yet.
    """

    value: str
    title: str
    rule_set: RuleSet
    detail: str = ""

    @property
    def players(self) -> str:
        """The number of people at a table."""
        return translate(rules_of(self.rule_set).players.in_words())

    @property
    def has_auction(self) -> bool:
        """Whether any suit may be the one to avoid."""
        return rules_of(self.rule_set).pain is PainBy.AUCTION

    @property
    def won_by(self) -> Promise:
        """In a few words, who wins."""
        return _WON_BY[rules_of(self.rule_set).settlement]


def preset_choices() -> Iterator[RuleChoice]:
    """Yield the presets, the best known first."""
    for name, detail in PRESET_DETAILS.items():
        yield RuleChoice(
            value=f"{PRESET_PREFIX}{name}",
            title=translate(TITLES[name]),
            rule_set=RuleSet(preset=name, overrides={}),
            detail=str(detail),
        )


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return ``wanted``, with a number where that name is taken already."""
    names = (wanted if n == 1 else f"{wanted} {n}" for n in count(1))
    return next(name for name in names if name not in taken)


class BookChoiceField(forms.ChoiceField):
    """A choice whose values all stand on the page, with a mark at the ``book``'s."""

    widget = forms.RadioSelect

    def __init__(self, *, book: str, **more: Any) -> None:
        super().__init__(**more)
        self.book = book


class NumberedChoiceWidget(forms.MultiWidget):
    """A choice, and beside it the number that some of the choices hold."""

    def decompress(self, value: str | None) -> list[str | None]:
        word, colon, number = (value or "").partition(":")
        if word.isdecimal():
            return ["n", word]
        return [f"{word}:n", number] if colon else [word, None]


class NumberedChoiceField(forms.MultiValueField):
    """A text of a switch: one of its choices, of which an ``n`` stands for a number."""

    def __init__(self, choices: Sequence[tuple[str, str]], **more: Any) -> None:
        number = {"aria-label": _("Number"), "min": "0", "class": "short"}
        super().__init__(
            fields=(
                forms.ChoiceField(choices=choices, required=False),
                forms.IntegerField(min_value=0, required=False),
            ),
            widget=NumberedChoiceWidget(
                (
                    forms.Select(choices=choices, attrs={"aria-label": more["label"]}),
                    forms.NumberInput(attrs=number),
                )
            ),
            require_all_fields=False,
            **more,
        )

    def compress(self, data_list: Sequence[Any]) -> str:
        choice, number = data_list or ("", None)
        if choice not in _NUMBERED:
            return str(choice)
        if number is None:
            raise forms.ValidationError(_("How many?"))
        return f"{choice.removesuffix('n')}{number}"


class LeftOutWidget(forms.MultiWidget):
    """The cards that are left out of the pack, for each number of players."""

    def decompress(self, value: str | None) -> list[str]:
        left_out = dict(SWITCHES["strip"].read(value or "none"))
        return [format_cards(left_out.get(players, EMPTY)) for players in TABLE_SIZES]


class LeftOutField(forms.MultiValueField):
    """The text of the switch ``strip``, typed as cards for each number of players."""

    def __init__(self, **more: Any) -> None:
        labels = [ngettext("%(n)s player", "%(n)s players", n) % {"n": n} for n in TABLE_SIZES]
        super().__init__(
            fields=[forms.CharField(max_length=60, required=False) for _size in TABLE_SIZES],
            widget=LeftOutWidget([forms.TextInput(attrs={"title": label}) for label in labels]),
            require_all_fields=False,
            **more,
        )

    def compress(self, data_list: Sequence[str]) -> str:
        rows = list[str]()
        for players, typed in zip(TABLE_SIZES, data_list, strict=False):
            try:
                cards = parse_cards(typed.replace(",", " "))
            except MessageError as error:
                raise forms.ValidationError(translate(error.message)) from error
            if cards:
                rows.append(f"{players}:{show(cards)}")
        return ",".join(rows) or "none"


class RulesForm(FoldedForm):
    """House rules: one field for each switch of which there are several values.

    A field shows what is played; what is as in the book, or left empty, is not stored.
    """

    is_quiet = True

    class Meta:
        model = RuleSet
        fields = ["name", "keeps_jackpot"]
        labels = {
            "name": gettext_lazy("Name of these rules"),
            "keeps_jackpot": gettext_lazy("A pot that a game leaves waits for the next game"),
        }
        help_texts: ClassVar = {
            "keeps_jackpot": gettext_lazy("in the book: it is shared as the rules say"),
        }

    def __init__(
        self,
        *args: Any,
        preset: str,
        currency: str = "",
        overrides: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.preset, self.book = preset, PRESETS[preset]
        own = dict(overrides or {})
        texts = self.book.texts | own
        kwargs["initial"] = kwargs.get("initial", {}) | {
            f"overrides_{name}": _shown_text(name, text) for name, text in texts.items()
        }
        super().__init__(*args, **kwargs)
        played_for = self.data.get("overrides_currency", texts["currency"]).strip()
        self.currency = currency if played_for in ("", "none") else played_for
        for name, switch in SWITCHES.items():
            field = _make_field(switch, getattr(self.book, name), self.currency)
            if field is not None:
                effects = describe_effects(self.book, name)
                field.help_text = ". ".join(filter(None, (str(field.help_text), effects)))
                self.fields[f"overrides_{name}"] = field
        self.own = own

    def groups(self) -> Iterator[FieldGroup]:
        """Yield what differs from the book; folded the rest, switches without effect last."""
        typed = self._overrides() if self.is_bound else self.own
        differing = [n for n in SWITCHES if n in typed or f"overrides_{n}" in self.errors]
        if self.answer(KEEPS_JACKPOT):
            differing.append(KEEPS_JACKPOT)
        try:
            rules = read_rules(self.preset, typed)
        except RefusedError:
            rules = self.book
        idle = silent_names(rules) - {*differing}
        yield FieldGroup(self.pick_fields(n for n in self.Meta.fields if n != KEEPS_JACKPOT))
        yield FieldGroup(self._switches(differing))
        rest: list[tuple[Promise, Iterable[str]]] = [
            (title, [name for name in names if name not in idle and name not in differing])
            for title, names in _SUBJECTS
        ]
        rest.append((gettext_lazy("Without effect in this game"), sorted(idle)))
        for title, names in rest:
            if fields := self._switches(names):
                words = " · ".join(str(field.label).removesuffix("?") for field in fields)
                yield FieldGroup(fields, str(title), is_folded=True, words=words)

    def _switches(self, names: Iterable[str]) -> list[forms.BoundField]:
        fields = (name if name == KEEPS_JACKPOT else f"overrides_{name}" for name in names)
        return [self[field] for field in fields if field in self.fields]

    def _overrides(self) -> dict[str, str]:
        """Return what differs from the book, as text."""
        found = {}
        for name, switch in SWITCHES.items():
            value = self.cleaned_data.get(f"overrides_{name}")
            text = "" if value is None else str(value)
            try:
                is_usual = not text or switch.read(text) == getattr(self.book, name)
            except ValueError:
                is_usual = False  # the service function says what is wrong with it
            if not is_usual:
                found[name] = text
        return found

    def to_values(self) -> dict[str, Any]:
        """Return the typed house rules; ``overrides`` is what differs, as text."""
        own = {name: self.cleaned_data[name] for name in self.Meta.fields}
        return own | {"overrides": self._overrides()}


class NextRulesForm(RulesForm):
    """The form of rules that keep their name."""

    class Meta(RulesForm.Meta):
        fields = ["keeps_jackpot"]


def _shown_text(name: str, text: str) -> Any:
    """Return the initial value of a field: the text of a switch as somebody would type it."""
    if name in _MONEY:
        return int(text) or None
    if name == "currency" and text == "none":
        return ""
    return text.removeprefix("PT").removesuffix("H") if name == "correction_period" else text


def _make_field(switch: Switch, usual: Any, currency: str) -> forms.Field | None:
    """Return the field of a switch; None where it has only one value."""
    told = format_switch(say_switch(switch.name, usual, currency))
    in_the_book = _("in the book: %(words)s") % {"words": told}
    usually: dict[str, Any] = {
        "label": ask_switch(switch.name),
        "help_text": in_the_book,
        "required": False,
    }
    texts = switch.choices
    if switch.name == "players":
        ranges = [PlayerRange(low, high) for low in TABLE_SIZES for high in range(low, 7)]
        sizes = [(switch.write(one), translate(one.in_words())) for one in ranges]
        return forms.ChoiceField(choices=sizes, **usually)
    if switch.name == "strip":
        return LeftOutField(**usually)
    if switch.name in _MONEY:
        return MoneyField(currency=currency, **usually)
    if isinstance(usual, Choice):
        if len(texts) == 1:
            return None
        choices = [(text, translate(switch.say(switch.read(text)))) for text in texts]
        return BookChoiceField(choices=choices, book=str(usual), **usually | {"help_text": ""})
    if texts == ("n",):
        return forms.IntegerField(min_value=0, widget=SHORT_NUMBER, **usually)
    if _NUMBERED.keys() & {*texts}:
        choices = [
            (text, str(_NUMBERED.get(text) or translate(switch.say(switch.read(text)))))
            for text in texts
        ]
        return NumberedChoiceField(choices, **usually)
    if switch.name != "correction_period":
        shown = " / ".join(text for text in texts if text != "none")
        usually["help_text"] += ". " + _("Written as: %(examples)s.") % {"examples": shown}
    return forms.CharField(
        max_length=rule_sets.VALUE_MAX,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "autocapitalize": "off", "class": "short"}
        ),
        **usually,
    )


class RuleSets(DeskPage):
    """The rules of a club with what differs from the book, and the presets as cards."""

    needs = Right.NAMES_READ
    template_name = "desk/rule_sets.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = list(
            selectors.rule_sets(self.club).select_related("club").order_by("name", "-version")
        )
        played = selectors.events(self.club).exclude(status__in=(Status.PLANNED, Status.CANCELLED))
        nights = Counter(played.values_list("rule_set__name", flat=True))
        offered = [row for row in rows if row.retired_at is None]
        offered.sort(key=lambda row: (-nights[row.name], fold_text(row.name)))
        names = {row.name for row in rows}
        unchanged = [row for row in offered if not row.overrides]
        return super().get_context_data(
            rows=[
                (
                    row,
                    describe_base(row),
                    list(describe_switches(row, differing_names(row))),
                    nights[row.name],
                )
                for row in offered
            ],
            retired=[row for row in rows if row.retired_at is not None],
            cards=[
                (
                    choice,
                    free_name(choice.title, names),
                    [row.name for row in unchanged if row.preset == choice.rule_set.preset],
                )
                for choice in preset_choices()
            ],
            **kwargs,
        )


class NewRules(DeskFormView[RulesForm]):
    """Rules under a new name, which begin with a preset or as a copy of rules that are there."""

    needs = Right.RULES_EDIT
    template_name = "desk/rules_form.html"
    form_class = RulesForm
    object: RuleSet

    @cached_property
    def original(self) -> RuleSet | None:
        """The rules of the club that are to be copied."""
        wanted = self.request.GET.get("copy")
        return selectors.rule_set(self.club, parse_id(wanted)) if wanted else None

    @property
    def preset(self) -> str:
        """The preset that was chosen, or the first one."""
        chosen = self.request.POST.get("preset") or self.request.GET.get("preset")
        if not chosen and self.original is not None:
            return self.original.preset
        return chosen if chosen in PRESETS else next(iter(PRESETS))

    @property
    def title(self) -> str:
        """The name of the rules that these begin with."""
        return self.original.name if self.original else translate(TITLES[self.preset])

    def get_form_kwargs(self) -> dict[str, Any]:
        taken = {*selectors.rule_sets(self.club).values_list("name", flat=True)}
        original = self.original
        return super().get_form_kwargs() | {
            "preset": self.preset,
            "currency": self.club.currency,
            "overrides": original.overrides if original else {},
            "initial": {
                "name": free_name(self.title, taken),
                "keeps_jackpot": bool(original and original.keeps_jackpot),
            },
        }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"preset": self.preset, "title": self.title, **kwargs})

    def save(self, form: RulesForm) -> None:
        new = HouseRules(preset=self.preset, **form.to_values())
        self.object = rule_sets.make_rule_set(club_id=self.club.pk, new=new, by=self.by, at=self.at)

    success_message = gettext_lazy("“%(name)s” is there, and every night can be played by it.")

    def get_success_url(self) -> str:
        return reverse("desk-rules", args=[self.club.pk, self.object.pk])


class RuleSetMixin(DeskMixin):
    """A page of one version of house rules."""

    def get_object(self, queryset: object = None) -> RuleSet:
        """The rules that the address names. Raises NotThereError."""
        row = selectors.rule_set(self.club, self.kwargs["rule_set_id"])
        if row is None:
            raise NotThereError
        return row

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.get_object()
        return super().get_context_data(**{"row": row, "base": describe_base(row), **kwargs})


class OneRuleSet(RuleSetMixin, DeskFormView[DeskForm]):
    """House rules as a sheet, first where the club differs; its form retires them."""

    needs = Right.NAMES_READ
    needs_to_write = Right.RULES_EDIT
    template_name = "desk/rules.html"
    form_class = DeskForm
    success_message = gettext_lazy("They are no longer offered; games keep theirs.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row, groups = self.get_object(), list[tuple[Promise, str, list[Any]]]()
        own, rules = differing_names(row), rules_of(row)
        silent = silent_names(rules) | {*own}
        for title, names in _SUBJECTS:
            if lines := list(describe_switches(row, [n for n in names if n not in silent])):
                values = [getattr(rules, name, None) for name in names if name not in silent]
                words = " · ".join(
                    summarise_reply(value, ask, reply)
                    for value, (ask, reply, _book) in zip(values, lines, strict=True)
                    if value is not Toggle.OFF
                )
                groups.append((title, words, lines))
        context = {"groups": groups, "own": list(describe_switches(row, own))}
        return super().get_context_data(**{**context, **kwargs})

    def save(self, form: DeskForm) -> None:
        rule_sets.retire_rule_set(rule_set_id=self.get_object().pk, by=self.by, at=self.at)

    def get_success_url(self) -> str:
        return reverse("desk-rule-sets", args=[self.club.pk])


class ChangeRules(RuleSetMixin, DeskUpdateView[NextRulesForm]):
    """The next version of house rules; games keep theirs."""

    needs = Right.RULES_EDIT
    template_name = "desk/rules_form.html"
    form_class = NextRulesForm
    made: RuleSet

    def get_form_kwargs(self) -> dict[str, Any]:
        row = self.object
        own = {"overrides": row.overrides, "currency": self.club.currency, "preset": row.preset}
        return super().get_form_kwargs() | own

    def save(self, form: NextRulesForm) -> None:
        self.made = rule_sets.change_rule_set(
            rule_set_id=self.object.pk,
            changes=form.to_values(),
            version=self.version,
            by=self.by,
            at=self.at,
        )

    def get_success_url(self) -> str:
        return reverse("desk-rules", args=[self.club.pk, self.made.pk])
