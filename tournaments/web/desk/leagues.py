"""Leagues at the desk: a season set up in words, its sessions and its roll."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.access.visibility import LeaguePlace, league_place
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.events.leagues import NewLeague, NewMember, NewSession, season_of
from tournaments.models import League, LeagueEvent, LeagueMember
from tournaments.people.display_names import players_by_name
from tournaments.selectors import shown_name
from tournaments.standings import SEASON_SETTINGS, SeasonRules, describe_season
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm, plain
from tournaments.web.desk.settings_fields import data_of, field_of, tie_fields, typed_of
from tournaments.web.number_format import parse_number

_OWN: Final = ("planned", "tie_breaks", "divisions")
"""Settings with fields of their own."""
TIE_BREAKS: Final = 5


class LeagueForm(DeskForm):
    """A season; its settings are `SEASON_SETTINGS`, one field each."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    planned = forms.IntegerField(
        label=gettext_lazy("Events planned"),
        min_value=0,
        max_value=999,
        required=False,
        help_text=gettext_lazy("Left empty: as many as are held."),
    )
    is_open = forms.BooleanField(
        label=gettext_lazy("Whoever plays counts, on the roll or not"),
        required=False,
        initial=True,
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Its events count in ratings"), required=False, initial=True
    )
    is_hidden = forms.BooleanField(
        label=gettext_lazy("Hidden from strangers"),
        required=False,
        help_text=gettext_lazy(
            "Only the club's people see its table. Its events say for themselves."
        ),
    )

    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Their names from the top, with commas between; none: one table."),
    )

    def __init__(self, *args: Any, kept: League | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        keys = () if kept is None else season_of(kept).tie_breaks
        self.many = max(TIE_BREAKS, len(keys))
        self.fields.update(tie_fields(SEASON_SETTINGS["tie_breaks"], self.many))
        for name, setting in SEASON_SETTINGS.items():
            if name not in _OWN:
                usual = translate(setting.say(getattr(SeasonRules(), name)))
                self.fields[f"season_{name}"] = field_of(setting, usual)

    def first(self) -> Iterator[forms.BoundField]:
        """What every season says."""
        names = ("name", "planned", "is_open", "season_rule", "season_best", "season_measure")
        yield from (self[name] for name in names)

    def rest(self) -> Iterator[forms.BoundField]:
        """Everything else."""
        shown = {field.name for field in self.first()}
        yield from (self[name] for name in self.fields if name not in shown)

    @property
    def rest_is_wrong(self) -> bool:
        """Whether something is to be said at a field that is folded away."""
        return any(field.errors for field in self.rest())

    def wanted(self) -> dict[str, Any]:
        """What was typed, as a league has it."""
        typed = self.cleaned_data
        season: dict[str, Any] = {
            "tie_breaks": [key for place in range(self.many) if (key := typed[f"tie_{place}"])],
            "divisions": [name.strip() for name in typed["divisions"].split(",") if name.strip()],
        }
        for name in SEASON_SETTINGS:
            if name not in _OWN and (text := typed[f"season_{name}"]) != "":
                season[name] = text if name == "lot_seed" else data_of(text)
        return {
            "name": typed["name"],
            "planned": typed["planned"] or 0,
            "is_open": typed["is_open"],
            "rated": typed["rated"],
            "is_hidden": typed["is_hidden"],
            "season": season,
        }


def _initial(league: League | None) -> Mapping[str, Any]:
    season = SeasonRules() if league is None else season_of(league)
    typed = typed_of(SEASON_SETTINGS, season.to_data(), SeasonRules().to_data())
    found: dict[str, Any] = {f"season_{name}": value for name, value in typed}
    found |= {f"tie_{place}": str(key) for place, key in enumerate(season.tie_breaks)}
    found["divisions"] = ", ".join(season.divisions)
    if league is not None:
        found |= {
            "name": league.name,
            "planned": league.planned or None,
            "is_open": league.is_open,
            "rated": league.rated,
            "is_hidden": league.is_hidden,
        }
    return found


class Leagues(DeskPage):
    """The seasons of a club, and a form for a new one."""

    needs = Right.LEAGUES_EDIT
    template = "desk/leagues.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Those that go on first."""
        return self._shown(LeagueForm(initial=_initial(None)))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Begin a season."""
        form = LeagueForm(request.POST)

        def work() -> str:
            league = leagues.create_league(
                club_id=club_id,
                new=NewLeague(**form.wanted()),
                by=self.visit.by,
                at=self.visit.at,
            )
            return reverse("desk-league", args=[league.pk])

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _shown(self, form: LeagueForm, status: int = 200) -> HttpResponse:
        rows = League.objects.filter(club=self.visit.club).order_by("closed_at", "-created_at")
        return self.shown({"form": form, "rows": rows}, status)


class LeaguePage(DeskPage):
    """A season: its sessions, its roll, its settings."""

    needs = Right.LEAGUES_EDIT
    template = "desk/league.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return league_place(ids["league_id"])

    @property
    def league(self) -> League:
        """The league that the address names."""
        assert isinstance(self.visit.place, LeaguePlace)
        assert self.visit.place.league is not None
        return self.visit.place.league

    def get(self, request: HttpRequest, league_id: UUID) -> HttpResponse:
        """Everything as it stands."""
        return self._shown()

    def post(self, request: HttpRequest, league_id: UUID) -> HttpResponse:
        """Change the settings, or do what the button says."""
        if request.POST.get("do") == "change":
            return self._changed(league_id)
        deeds = {
            "session": self._session,
            "unsession": self._unsession,
            "enrol": self._enrol,
            "withdraw": self._withdraw,
            "close": self._close,
            "reopen": self._reopen,
            "hide": self._hide,
        }
        word, _colon, what = request.POST.get("do", "").partition(":")
        if word not in deeds:
            raise NotThereError

        def work() -> str:
            deeds[word](what)
            return reverse("desk-league", args=[league_id])

        return self.tried(
            work,
            said=_("Done; the table follows."),
            otherwise=lambda why: self._shown(status=REFUSED, problem=why),
        )

    def _changed(self, league_id: UUID) -> HttpResponse:
        form, version = LeagueForm(self.request.POST, kept=self.league), self.version_seen()

        def work() -> str:
            leagues.change_league(
                league_id=league_id,
                changes=form.wanted(),
                version=version,
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("Saved; the table follows."))
            return reverse("desk-league", args=[league_id])

        def current() -> Mapping[str, Any]:
            return _initial(League.objects.get(pk=league_id))

        return self.saved(form, work, current) or self._shown(form, REFUSED)

    def _session(self, _what: str) -> None:
        posted = self.request.POST
        new = NewSession(
            event=parse_id(posted.get("event")),
            weight=plain(posted.get("weight"), 40) or "1",
            division=parse_number(posted.get("division")) or None,
        )
        by, at = self.visit.by, self.visit.at
        leagues.add_session(league_id=self.league.pk, new=new, by=by, at=at)

    def _unsession(self, what: str) -> None:
        event, by, at = parse_id(what), self.visit.by, self.visit.at
        leagues.remove_session(league_id=self.league.pk, event_id=event, by=by, at=at)

    def _enrol(self, _what: str) -> None:
        posted = self.request.POST
        new = NewMember(
            player=parse_id(posted.get("player")),
            division=parse_number(posted.get("division")) or 1,
            opening=plain(posted.get("opening"), 40),
            opening_events=parse_number(posted.get("opening_events")),
            handicap=plain(posted.get("handicap"), 40),
        )
        leagues.enrol(league_id=self.league.pk, new=new, by=self.visit.by, at=self.visit.at)

    def _withdraw(self, what: str) -> None:
        player = parse_id(what)
        row = LeagueMember.objects.filter(league=self.league, player=player).first()
        if row is None:
            raise NotThereError
        leagues.change_member(
            league_id=self.league.pk,
            player_id=player,
            changes={"withdrawn": row.withdrawn_at is None},
            by=self.visit.by,
            at=self.visit.at,
        )

    def _close(self, _what: str) -> None:
        version, by, at = self.version_seen(), self.visit.by, self.visit.at
        leagues.close_league(league_id=self.league.pk, version=version, by=by, at=at)

    def _reopen(self, _what: str) -> None:
        leagues.reopen_league(
            league_id=self.league.pk,
            why=plain(self.request.POST.get("why"), 300),
            version=self.version_seen(),
            by=self.visit.by,
            at=self.visit.at,
        )

    def _hide(self, what: str) -> None:
        """Who may know of it: of a closed season that alone can be changed."""
        leagues.change_league(
            league_id=self.league.pk,
            changes={"is_hidden": what == "yes"},
            version=self.version_seen(),
            by=self.visit.by,
            at=self.visit.at,
        )

    def _shown(
        self, form: LeagueForm | None = None, status: int = 200, **more: Any
    ) -> HttpResponse:
        league = League.objects.get(pk=self.league.pk)
        sessions = LeagueEvent.objects.filter(league=league).select_related("event")
        members = LeagueMember.objects.filter(league=league).select_related("player__person")
        held = {row.event_id for row in sessions}
        enrolled = {row.player_id for row in members}
        season = season_of(league)
        context = {
            "league": league,
            "version": league.version,
            "form": form or LeagueForm(kept=league, initial=_initial(league)),
            "says": list(map(translate, describe_season(season))),
            "divisions": list(enumerate(season.divisions, 1)),
            "sessions": sessions.order_by("number"),
            "hidden_with": sessions.filter(event__is_hidden=True).order_by("number").first(),
            "members": [
                (row, shown_name(row.player, in_full=True))
                for row in members.order_by("division", "player__number")
            ],
            "events": [
                event
                for event in selectors.events(self.visit.club).order_by("-starts_at", "-pk")[:200]
                if event.pk not in held
            ],
            "players": [
                (player, name)
                for player, name in players_by_name(self.visit.club)
                if player.pk not in enrolled
            ],
        }
        return self.shown({**context, **more}, status)
