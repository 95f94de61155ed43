"""The first night of a club on one page: paste who is there, choose the game, start round 1."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import message_of
from scoring.games.nights import FirstNight, begin_first_night
from scoring.web.desk.name_lists import NEW, NOBODY, ask_about
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.name_folding import fold_text
from tournaments.events.events import default_table_sizes
from tournaments.imports import MemberRoll, NameMatch, match_names, read_name_list
from tournaments.models import Club, Event, PlayerKind
from tournaments.movements import SeatingError, sizes
from tournaments.tables.input_model import CellRemark
from tournaments.web.desk.base import DeskFormView
from tournaments.web.desk.event_form import initial_for_new_event
from tournaments.web.desk.events import find_rules
from tournaments.web.desk.forms import SHORT_NUMBER, DeskForm, field_of_column
from tournaments.web.desk.house_rules import RuleChoice, preset_choices

FILE_BYTES_MAX: Final = 1024 * 1024
TEXT_MAX: Final = 50_000
HAND_MINUTES: Final = 5
"""What a hand takes, dealing and scoring included, where nobody has played here yet."""
USUAL_PRESETS: Final = 5
"""So many presets, the best known, are offered first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedName:
    """A name of the list with a question: the field of the answer, the choices, the answer."""

    field: str
    question: str
    choices: Sequence[tuple[str, str]]
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPerson:
    """A name of the list, as the page shows it; ``who`` is whom to enter, None for nobody."""

    name: str
    who: UUID | str | None
    asked: AskedName | None = None

    @property
    def is_open(self) -> bool:
        """Whether the question about the name waits for an answer."""
        return self.asked is not None and not self.asked.answer


class FirstNightForm(DeskForm):
    """The people who are there and their game; the list is read as soon as there is one."""

    is_quiet = True

    names = forms.CharField(
        label=gettext_lazy("Who is here tonight?"),
        help_text=gettext_lazy(
            "Paste your list, or type: one name a line, commas, or “Surname; First name”."
        ),
        max_length=TEXT_MAX,
        required=False,
        widget=forms.Textarea(attrs={"rows": 11, "autocomplete": "off", "spellcheck": "false"}),
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)
    are_members = forms.BooleanField(
        label=gettext_lazy("All are members of the club."),
        help_text=gettext_lazy("Everybody is ranked. Guests can be marked later."),
        initial=True,
        required=False,
    )
    rules = forms.ChoiceField(label=gettext_lazy("What do you play?"))
    rounds = field_of_column(Event._meta.get_field("rounds"), min_value=1, widget=SHORT_NUMBER)
    hands = field_of_column(Event._meta.get_field("hands"), min_value=1, widget=SHORT_NUMBER)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.rule_choices = list(_rule_choices(club))
        self.set_choices("rules", [(choice.value, choice.title) for choice in self.rule_choices])
        self.fields["rules"].initial = self.rule_choices[0].value
        self.remarks: Sequence[CellRemark] = ()

    def clean_file(self) -> str:
        """Read the names of a file, one a line."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > FILE_BYTES_MAX:
            raise forms.ValidationError(_("The file is longer than 1 MiB."))
        try:
            name_list = read_name_list(file.read(), file.name)
        except RefusedError as error:
            raise forms.ValidationError(translate(message_of(error))) from error
        self.remarks = name_list.remarks
        return "\n".join(name.text for name in name_list.names)

    def clean(self) -> dict[str, Any]:
        """Take the names of a file into the list, where they can be seen and changed."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if typed.get("file"):
            lines = [typed.get("names", ""), typed["file"]]
            typed["names"] = "\n".join(filter(None, lines))
            self.data = {**self.data, "names": typed["names"]}
        return typed

    @cached_property
    def people(self) -> list[ListedPerson]:
        """The names of the list, each with whom it means; empty without a list."""
        text = self.cleaned_data.get("names", "") if self.is_bound else ""
        if not text.strip():
            return []
        try:
            name_list = read_name_list(text.encode())
        except RefusedError as error:
            self.add_error("names", translate(message_of(error)))
            return []
        self.remarks = [*self.remarks, *name_list.remarks]
        seen: Counter[str] = Counter()
        people = []
        for match in match_names(name_list.names, MemberRoll(self.club.pk)):
            key = fold_text(match.listed.text)
            seen[key] += 1
            people.append(self._person(match, f"who-{key}-{seen[key]}"))
        return people

    def _person(self, match: NameMatch, field: str) -> ListedPerson:
        name = match.listed.name
        if match.is_clear:
            member = next((member.player for member in match.members), None)
            return ListedPerson(name=name, who=member or name)
        question, choices = ask_about(match)
        answer = self.data.get(field, "")
        asked = AskedName(
            field=field,
            question=question,
            choices=choices,
            answer=answer if answer in dict(choices) else "",
        )
        found: dict[str, UUID | str | None] = {"": None, NOBODY: None, NEW: name}
        who = found[asked.answer] if asked.answer in found else UUID(asked.answer)
        return ListedPerson(name=name, who=who, asked=asked)

    @property
    def notes(self) -> list[str]:
        """Lines of the list that could not be read, and where they stand."""
        return [translate(remark.sentence) for remark in self.remarks]

    @property
    def questions(self) -> list[AskedName]:
        """Questions about names, answered or not."""
        return [person.asked for person in self.people if person.asked is not None]

    @property
    def open_questions(self) -> int:
        """The number of questions that wait for an answer."""
        return sum(person.is_open for person in self.people)

    @property
    def attendance(self) -> list[UUID | str]:
        """People to enter, each once."""
        named = [person.who for person in self.people if person.who is not None]
        known = dict.fromkeys(who for who in named if isinstance(who, UUID))
        return [*known, *(who for who in named if isinstance(who, str))]

    @property
    def usual_rules(self) -> list[RuleChoice]:
        """The club's own rules and the best known games."""
        rare = self.other_rules
        return [choice for choice in self.rule_choices if choice not in rare]

    @property
    def other_rules(self) -> list[RuleChoice]:
        """Games that few clubs play."""
        rare = {choice.value for choice in list(preset_choices())[USUAL_PRESETS:]}
        return [choice for choice in self.rule_choices if choice.value in rare]

    @property
    def chosen_rules(self) -> RuleChoice:
        """The game that is chosen."""
        value = self["rules"].value()
        return next(
            (choice for choice in self.rule_choices if choice.value == value), self.rule_choices[0]
        )

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """The tables for those who are there. Raises SeatingError."""
        # Whoever has not been asked about yet may be one more.
        many = len(self.attendance) + self.open_questions
        return sizes(many, default_table_sizes(self.chosen_rules.rule_set))

    @property
    def plan(self) -> dict[str, Any]:
        """The seating in words; or why there is none."""
        if not self.people:
            return {}
        try:
            tables = self.table_sizes
        except SeatingError as error:
            return {"problem": translate(message_of(error))}
        many = Counter(tables)
        words = [
            ngettext("%(n)d table of %(size)d", "%(n)d tables of %(size)d", many[size])
            % {"n": many[size], "size": size}
            for size in sorted(many, reverse=True)
        ]
        outs = len(self.attendance) + self.open_questions - sum(tables)
        if outs:
            words.append(
                ngettext("%(n)d sits out in turn", "%(n)d sit out in turn", outs) % {"n": outs}
            )
        words += self._length()
        return {"tables": range(1, len(tables) + 1), "words": words}

    def _length(self) -> list[str]:
        """Return the length of play in words; nothing while the numbers are not valid."""
        try:
            hands = [self.fields[name].clean(self[name].value()) for name in ("rounds", "hands")]
        except forms.ValidationError:
            return []
        if None in hands:
            return []
        hours, minutes = divmod(prod(hands) * HAND_MINUTES, 60)
        said = {"hours": hours, "minutes": f"{minutes:02}", "pace": HAND_MINUTES}
        return [_("about %(hours)d:%(minutes)s hours at %(pace)d minutes a hand") % said]


def _rule_choices(club: Club) -> Iterator[RuleChoice]:
    """The club's own rules first, then the presets, the best known ahead."""
    rows = selectors.rule_sets(club, retired=False)
    own = sorted(rows, key=lambda row: (fold_text(row.name), row.name, -row.version))
    for row in own:
        yield RuleChoice(value=str(row.pk), title=row.name, rule_set=row)
    taken = {row.name for row in own}
    yield from (choice for choice in preset_choices() if choice.title not in taken)


class FirstNightSetUp(DeskFormView[FirstNightForm]):
    """Sets up the first night of a club, with everybody on a list; later ones have their own page.

    The button ``read`` only reads the list and shows what is understood; ``later`` sets the night
    up without beginning it.
    """

    needs = Right.EVENTS_EDIT
    template_name = "desk/first_night.html"
    form_class = FirstNightForm
    event: Event

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if selectors.events(self.club).exists():
            return redirect("desk-event-new", self.club.pk)
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "read" not in request.POST:
            return super().post(request, *args, **kwargs)
        form = self.get_form()
        form.is_valid()
        return self.render(form=form)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"club": self.club}

    def form_valid(self, form: FirstNightForm) -> HttpResponse:
        if not form.people:
            if not form.errors:
                form.add_error("names", _("Who is here? Paste or type their names."))
        elif form.open_questions:
            form.add_error(None, _("Please answer the questions about the names first."))
        elif "problem" in form.plan:
            form.add_error("names", form.plan["problem"])
        if form.errors:
            return self.form_invalid(form)
        return super().form_valid(form)

    @property
    def is_started(self) -> bool:
        """Whether round 1 is to begin at once."""
        return "later" not in self.request.POST

    def save(self, form: FirstNightForm) -> None:
        self.require(Right.PLAYERS_EDIT)
        self.require(Right.RULES_EDIT)
        if self.is_started:
            self.require(Right.GAMES_OPEN)
        typed = form.cleaned_data
        usual = initial_for_new_event(self.at, self.club)
        night = FirstNight(
            event={
                "name": usual["name"],
                "starts_at": self.at if self.is_started else usual["starts_at"],
                "rule_set": find_rules(
                    typed["rules"], club_id=self.club.pk, by=self.by, at=self.at
                ),
                "rounds": typed["rounds"],
                "hands": typed["hands"],
            },
            people=form.attendance,
            kind=PlayerKind.MEMBER if typed["are_members"] else PlayerKind.GUEST,
        )
        self.event = begin_first_night(
            club_id=self.club.pk, new=night, is_started=self.is_started, by=self.by, at=self.at
        )

    def get_success_url(self) -> str:
        page = "desk-codes" if self.is_started else "desk-event"
        return reverse(page, args=[self.event.pk])
