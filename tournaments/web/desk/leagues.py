"""Leagues at the desk: a season set up in words, its sessions and its roll."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar, Final, NamedTuple
from uuid import UUID

from django import forms
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import Message
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.database.name_order import order_by_name
from tournaments.events import leagues
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.announcements import STILL_NEXT, find_nights_to_finish
from tournaments.events.leagues import season_of
from tournaments.models import Event, League, LeagueEvent, LeagueMember, Scope, Status
from tournaments.models.limits import REASON_MAX, SESSIONS_MAX, max_length
from tournaments.people.display_names import (
    distinct_name,
    distinct_names,
    players_by_name,
    shared_names,
)
from tournaments.publishing.official import find_current
from tournaments.standings import SEASON_SETTINGS, SeasonRules
from tournaments.web.club_summaries import PODIUM, find_league
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, DeskUpdateView, LeagueMixin
from tournaments.web.desk.forms import (
    SHORT_TEXT,
    DeskForm,
    DeskFormMixin,
    DeskModelForm,
    FieldGroup,
    clean_line,
    field_of_column,
)
from tournaments.web.desk.settings_fields import SettingsForm
from tournaments.web.number_format import format_number, parse_number
from tournaments.web.season import season
from tournaments.web.standings import names_in
from tournaments.web.standings_query import NONE, PROJECTOR, StandingsQuery
from tournaments.web.table_status import amendment_fields, describe_status

EVENTS_SHOWN: Final = 200
_LEADERS_SHOWN: Final = 5
"""Of so many seasons the first are named in their list."""
_FIRST: Final = ("name", "planned", "is_open")
_COUNTED: Final = ("season_rule", "season_best", "season_measure")
"""The fields that every season needs; all others are folded away."""
_WITHDRAWS: Final = "withdraws"
_IS_BACK: Final = "back"


class LeagueForm(SettingsForm):
    """A season; its settings are `SEASON_SETTINGS`, one field each."""

    settings = SEASON_SETTINGS
    usual = SeasonRules()
    stem = "season"
    own_fields = ("planned", "divisions")

    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Their names from the top, with commas between; none: one table."),
    )

    class Meta:
        model = League
        fields = ["name", "is_open", "rated", "is_hidden", "planned"]
        formfield_callback = field_of_column

    def __init__(self, *args: Any, instance: League | None = None, **kwargs: Any) -> None:
        season = SeasonRules() if instance is None else season_of(instance)
        kwargs["initial"] = self.initial_settings(season) | {
            "divisions": ", ".join(season.divisions),
            "planned": None if instance is None else instance.planned or None,
        }
        super().__init__(*args, instance=instance, rules=season, **kwargs)

    def groups(self) -> Iterator[FieldGroup]:
        """The fields as they stand on the page."""
        yield FieldGroup(self.pick_fields(_FIRST), _("What is it?"))
        yield FieldGroup(self.pick_fields(_COUNTED), _("What counts?"))
        rest = [name for name in self.fields if name not in (*_FIRST, *_COUNTED)]
        fields = self.pick_fields(rest)
        words = " · ".join(str(field.label).removesuffix("?") for field in fields)
        title = _("Everything else about the season")
        yield FieldGroup(fields, title, is_folded=True, words=words)

    def to_values(self) -> dict[str, Any]:
        """Return the typed settings of a league."""
        typed = self.cleaned_data
        names = [name.strip() for name in typed["divisions"].split(",")]
        season = self.read_settings() | {"divisions": [name for name in names if name]}
        own = {name: typed[name] for name in self.Meta.fields}
        return own | {"planned": typed["planned"] or 0, "season": season}


class SessionForm(DeskForm):
    """An event that counts."""

    ids = "session_%s"
    is_quiet = True

    event = forms.ChoiceField(label=gettext_lazy("Night"))
    weight = forms.CharField(
        label=gettext_lazy("Weight"),
        max_length=max_length(LeagueEvent, "weight"),
        initial="1",
        empty_value="1",
        required=False,
        widget=SHORT_TEXT,
    )
    division = forms.TypedChoiceField(
        label=gettext_lazy("Division"), coerce=int, empty_value=None, required=False
    )


class EnrolForm(DeskModelForm):
    """Somebody on the roll, and what they bring into the season."""

    ids = "enrol_%s"
    is_quiet = True

    player = forms.ChoiceField(label=gettext_lazy("Who"))
    division = forms.TypedChoiceField(label=gettext_lazy("Division"), coerce=int)
    opening_events = forms.IntegerField(
        label=gettext_lazy("From so many nights"),
        min_value=0,
        max_value=SESSIONS_MAX,
        required=False,
        widget=SHORT_TEXT,
    )
    field_order = ["player", "division", "opening", "opening_events", "handicap"]

    class Meta:
        model = LeagueMember
        fields = ["opening", "handicap"]
        labels = {
            "opening": gettext_lazy("Brings points from before"),
            "handicap": gettext_lazy("Handicap"),
        }
        widgets = {"opening": SHORT_TEXT, "handicap": SHORT_TEXT}


class WithdrawForm(DeskForm):
    """Somebody on the roll who withdraws, or who did and is back; the value says which of both."""

    ids = "withdraw_%s"
    is_quiet = True

    player = forms.ChoiceField(label=gettext_lazy("Who"))


class TakeOutForm(DeskForm):
    """An event that is not to count any more."""

    ids = "unsession_%s"
    is_quiet = True

    event = forms.ChoiceField(label=gettext_lazy("Night"))


class RollDivision(NamedTuple):
    """The members of a division by name; no name of it where there is only one."""

    name: str
    members: list[tuple[LeagueMember, str]]


class Leagues(DeskFormView[LeagueForm]):
    """The seasons of a club, those that go on first, and a form for a new one."""

    needs = Right.LEAGUES_EDIT
    template_name = "desk/leagues.html"
    form_class = LeagueForm
    object: League

    def save(self, form: LeagueForm) -> None:
        self.object = leagues.create_league(
            club_id=self.club.pk, new=form.to_values(), by=self.by, at=self.at
        )

    def get_success_url(self) -> str:
        return reverse("desk-league", args=[self.object.pk])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = League.objects.filter(club=self.club).order_by(
            F("closed_at").asc(nulls_first=True), "-created_at"
        )
        rows = [
            (league, [] if place >= _LEADERS_SHOWN else self._find_leaders(league))
            for place, league in enumerate(found)
        ]
        return super().get_context_data(**{"rows": rows, **kwargs})

    def _find_leaders(self, league: League) -> list[tuple[str, str, str]]:
        """Return place, name and total of the first of a season. Four queries at most."""
        season = find_league(league.pk, hidden=True)
        if season is None:
            return []
        first = [one.placed for one in season.top[:PODIUM]]
        names = distinct_names(self.club, [UUID(one.player) for one in first], in_full=True)
        return [
            (one.label, names.get(one.player, ""), format_number(str(one.total))) for one in first
        ]


class LeaguePage(ButtonsMixin, LeagueMixin, DeskUpdateView[LeagueForm]):
    """A season: its sessions, its roll, its settings."""

    needs = Right.LEAGUES_EDIT
    template_name = "desk/league.html"
    form_class = LeagueForm
    success_message = gettext_lazy("Saved. The table will update.")
    buttons = ("close", "reopen", "hide", "confirm", "decline")
    button_forms: ClassVar = {
        "session": SessionForm,
        "unsession": TakeOutForm,
        "enrol": EnrolForm,
        "withdraw": WithdrawForm,
    }

    def get_object(self, queryset: QuerySet[League] | None = None) -> League:
        return League.objects.get(pk=self.league.pk)

    def save(self, form: LeagueForm) -> None:
        self._change(form.to_values(), self.version)

    def _change(self, changes: dict[str, Any], version: int) -> None:
        leagues.change_league(
            league_id=self.league.pk, changes=changes, version=version, by=self.by, at=self.at
        )

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        form = super().get_button_form(name, **kwargs)
        if name == "unsession":
            sessions = [(row.event_id, row.event.name) for row in self._sessions()]
            form.set_choices("event", _with_empty(sessions))
            return form
        if name == "withdraw":
            # What is sent may be older than the roll: both are read, and one of them is shown.
            form.set_choices("player", _list_turns(self._members(), both=True))
            return form
        divisions: list[tuple[object, str]] = list(enumerate(season_of(self.league).divisions, 1))
        if name == "session":
            held = LeagueEvent.objects.filter(league=self.league).values("event")
            events = selectors.events(self.club).exclude(pk__in=held)
            rows = events.order_by("-starts_at", "-pk")[:EVENTS_SHOWN]
            form.set_choices("event", _with_empty([(row.pk, _name_and_day(row)) for row in rows]))
        else:
            members = LeagueMember.objects.filter(league=self.league)
            enrolled = set(members.values_list("player", flat=True))
            players = players_by_name(self.club)
            free = [(row.pk, name) for row, name in players if row.pk not in enrolled]
            form.set_choices("player", _with_empty(free))
        if not divisions:
            del form.fields["division"]
        else:
            everybody = [("", _("all"))] if name == "session" else []
            form.set_choices("division", [*everybody, *divisions])
        return form

    def session(self, form: SessionForm) -> str:
        """Let an event count."""
        typed = form.cleaned_data
        leagues.add_session(
            league_id=self.league.pk,
            **{**typed, "event": parse_id(typed["event"])},
            by=self.by,
            at=self.at,
        )
        return _("Done. The table will update.")

    def unsession(self, form: TakeOutForm) -> str:
        """Take an event out."""
        leagues.remove_session(
            league_id=self.league.pk,
            event_id=parse_id(form.cleaned_data["event"]),
            version=None,
            by=self.by,
            at=self.at,
        )
        return _("Done. The table will update.")

    def enrol(self, form: EnrolForm) -> str:
        """Put somebody on the roll."""
        typed = {name: value for name, value in form.cleaned_data.items() if value}
        leagues.enrol(
            league_id=self.league.pk,
            **{**typed, "player": parse_id(typed["player"])},
            by=self.by,
            at=self.at,
        )
        return _("Done. The table will update.")

    def withdraw(self, form: WithdrawForm) -> str:
        """Let somebody withdraw, or come back. Raises RefusedError where it is so already."""
        player, _colon, turn = form.cleaned_data["player"].partition(":")
        found = (pair for pair in self._members() if str(pair[0].player_id) == player)
        row, name = next(found, (None, ""))
        if row is None:
            raise NotThereError
        is_leaving = turn == _WITHDRAWS
        if is_leaving == (row.withdrawn_at is not None):
            words = (
                Message("{name} has withdrawn already.", name=name)
                if is_leaving
                else Message("{name} is on the roll already.", name=name)
            )
            raise RefusedError(words, "player")
        leagues.change_member(
            league_id=self.league.pk,
            player_id=row.player_id,
            changes={"withdrawn": is_leaving},
            version=row.version,
            by=self.by,
            at=self.at,
        )
        return _("Done. The table will update.")

    def close(self, _value: str) -> str:
        """Close the season."""
        leagues.close_league(
            league_id=self.league.pk, version=self.version_seen(), by=self.by, at=self.at
        )
        return _("Done. The table will update.")

    def reopen(self, _value: str) -> str:
        """Open it again."""
        leagues.reopen_league(
            league_id=self.league.pk,
            why=clean_line(self.request.POST.get("why"), REASON_MAX),
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        return _("Done. The table will update.")

    def confirm(self, version: str) -> str:
        """Let the amended table take the place of the official one."""
        leagues.confirm_amendment(
            league_id=self.league.pk, choice=self._choice(version), by=self.by, at=self.at
        )
        return _("The amended table is official.")

    def decline(self, version: str) -> str:
        """Leave the official table as it is."""
        leagues.decline_amendment(
            league_id=self.league.pk, choice=self._choice(version), by=self.by, at=self.at
        )
        return _("The official table stays as it is.")

    def _choice(self, version: str) -> AmendmentChoice:
        reason = clean_line(self.request.POST.get("reason"), REASON_MAX)
        return AmendmentChoice(version=parse_number(version), reason=reason)

    def hide(self, answer: str) -> str:
        """Say who may know of it: of a closed season that alone can be changed."""
        self._change({"is_hidden": answer == "yes"}, self.version_seen())
        return _("Done. The table will update.")

    def _sessions(self) -> list[LeagueEvent]:
        rows = LeagueEvent.objects.filter(league=self.league).select_related("event")
        return list(rows.order_by("number"))

    def _members(self) -> list[tuple[LeagueMember, str]]:
        """The roll by division and name. Two queries."""
        rows = LeagueMember.objects.filter(league=self.league).select_related("player__person")
        by_name = rows.order_by("division", *order_by_name("player__person"), "pk")
        shared = shared_names(self.club)
        return [(row, distinct_name(row.player, shared)) for row in by_name]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        rules = season_of(self.object)
        sessions, members = self._sessions(), self._members()
        context["withdraw_form"].set_choices("player", _list_turns(members, both=False))
        standings = find_current(Scope.LEAGUE, self.object.pk)
        names = names_in(standings, self.club, in_full=True)
        if self.object.closed_at is not None:
            sheet = describe_status(standings, names, in_full=True)
            context |= {"sheet_status": sheet, **amendment_fields(sheet, self.request.POST)}
        to_finish = find_nights_to_finish([row.event for row in sessions], self.at)
        planned = [
            row.event
            for row in sessions
            if row.event.status == Status.PLANNED and row.event.starts_at >= self.at - STILL_NEXT
        ]
        # All rows, as the page shows the first of every division.
        wanted = StandingsQuery(nights=NONE, view=PROJECTOR)
        return context | {
            "league": self.object,
            "says": list(map(translate, rules.describe())),
            "sessions": sessions,
            "hidden_with": next((row for row in sessions if row.event.is_hidden), None),
            "next": min(planned, key=lambda event: event.starts_at, default=None),
            "waiting": [
                row
                for row in sessions
                if row.event.status == Status.FINISHED or row.event_id in to_finish
            ],
            "table": season(standings, [], names, wanted, rules),
            "roll": [
                RollDivision(
                    rules.divisions[division - 1] if division <= len(rules.divisions) else "",
                    list(rows),
                )
                for division, rows in groupby(members, key=lambda pair: pair[0].division)
            ],
        }


def _list_turns(
    members: Sequence[tuple[LeagueMember, str]], *, both: bool
) -> list[tuple[object, str]]:
    """The choices of `WithdrawForm`: what everybody on the roll can do now, or ``both`` ways."""
    words = {_WITHDRAWS: _("%(name)s withdraws"), _IS_BACK: _("%(name)s is back")}
    return _with_empty(
        [
            (f"{row.player_id}:{turn}", words[turn] % {"name": name})
            for row, name in members
            for turn in words
            if both or (turn == _IS_BACK) == (row.withdrawn_at is not None)
        ]
    )


def _with_empty(choices: Sequence[tuple[object, str]]) -> list[tuple[object, str]]:
    """Put an empty choice before others, so that nothing is chosen at first; none before none."""
    return [("", _("Choose")), *choices] if choices else []


def _name_and_day(event: Event) -> str:
    return f"{event.name}, {date_format(timezone.localtime(event.starts_at), _('j M Y'))}"
