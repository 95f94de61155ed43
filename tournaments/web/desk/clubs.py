"""Clubs at the desk: those of somebody, a new one, and what there is to do in one."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access.rights import Right, RoleInClub
from tournaments.core import time_zones
from tournaments.models import Club, Confirming, Event, Status
from tournaments.people import clubs
from tournaments.people.clubs import NewClub
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm

EVENTS_SHOWN = 100
_CONFIRMING = (
    (Confirming.OPTIONAL, gettext_lazy("A second seat may confirm a hand")),
    (Confirming.REQUIRED, gettext_lazy("A second seat must confirm every hand")),
    (Confirming.OFF, gettext_lazy("Nobody is asked to confirm")),
)


def _zone_choices() -> Iterator[tuple[str, Any]]:
    yield time_zones.USUAL, time_zones.USUAL
    for area, names in time_zones.places():
        yield area, [(name, name.partition("/")[2].replace("_", " ")) for name in names]


class ClubForm(DeskForm):
    """What a club says of itself."""

    name = forms.CharField(label=gettext_lazy("Name of the club"), max_length=200)
    confirming = forms.ChoiceField(label=gettext_lazy("Confirming hands"), choices=_CONFIRMING)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Nights, prints and exports tell the time by this clock."),
        choices=_zone_choices,
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("Anybody may look at our results"),
        help_text=gettext_lazy("Strangers see first names and initials."),
        required=False,
    )


class NewClubForm(ClubForm):
    """The same, and what stays as it is at the foundation."""

    currency = forms.CharField(
        label=gettext_lazy("Currency of the books"),
        help_text=gettext_lazy("Three letters, such as EUR or USD. It cannot be changed later."),
        initial="EUR",
        min_length=3,
        max_length=3,
        widget=forms.TextInput(attrs={"class": "short", "autocapitalize": "characters"}),
    )
    field_order = ["name", "currency", "time_zone", "confirming", "is_public"]

    def clean_currency(self) -> str:
        """In capital letters, however it was typed."""
        return str(self.cleaned_data["currency"]).upper()


class Home(DeskPage):
    """The clubs of whoever signed in."""

    template = "desk/home.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        """List them; a federation sees all."""
        asker = self.visit.asker
        is_federation = RoleInClub.FEDERATION in asker.roles.get(None, frozenset())
        rows = selectors.clubs(asker, mine=None if is_federation else True).order_by("name", "pk")
        parts = {club: sorted(held) for club, held in asker.roles.items()}
        found = [(club, [_part(one) for one in parts.get(club.pk, [])]) for club in rows[:500]]
        return self.shown({"clubs": found})


def _part(part: RoleInClub) -> str:
    words = {
        RoleInClub.PLAYER: _("player"),
        RoleInClub.DIRECTOR: _("director"),
        RoleInClub.TREASURER: _("treasurer"),
        RoleInClub.ADMIN: _("admin"),
    }
    return words.get(part, str(part))


class FoundClub(DeskPage):
    """A new club."""

    template = "desk/club_new.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        """An empty form."""
        return self.shown({"form": NewClubForm(initial={"time_zone": settings.CLUB_TIME_ZONE})})

    def post(self, request: HttpRequest) -> HttpResponse:
        """Found it; whoever does is its admin."""
        form = NewClubForm(request.POST)

        def work() -> str:
            new = NewClub(**form.cleaned_data)
            club = clubs.found_club(new=new, by=self.visit.by, at=self.visit.at)
            self.say(_("%(club)s is founded, and you are its admin.") % {"club": club.name})
            return reverse("desk-club", args=[club.pk])

        return self.saved(form, work) or self.shown({"form": form}, REFUSED)


class ClubPage(DeskPage):
    """A club: its nights, and the ways to everything else."""

    needs = Right.NAMES_READ
    template = "desk/club.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Nights that go on and come first, then those that were."""
        club = self.visit.club
        rows = list(selectors.events(club).order_by("-starts_at", "-pk")[:EVENTS_SHOWN])
        return self.shown(
            {
                "now": _still_to_play(rows),
                "past": [event for event in rows if event.status not in _AHEAD],
                "players": selectors.players(club, left=False).count(),
                "rule_sets": selectors.rule_sets(club, retired=False).count(),
            }
        )


_AHEAD = (Status.PLANNED, Status.RUNNING)


def _still_to_play(rows: list[Event]) -> list[Event]:
    """What is running first, then what comes next."""
    ahead = [event for event in rows if event.status in _AHEAD]
    return sorted(ahead, key=lambda event: (event.status != Status.RUNNING, event.starts_at))


class ClubSettings(DeskPage):
    """What a club says of itself, changed."""

    needs = Right.CLUB_EDIT
    template = "desk/club_settings.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """The settings as they stand."""
        return self._shown(_form_of(self.visit.club, initial=_settings(self.visit.club)))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Change them."""
        form, version = _form_of(self.visit.club, request.POST), self.version_seen()

        def work() -> str:
            clubs.change_club(
                club_id=club_id,
                changes=form.cleaned_data,
                version=version,
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("Saved."))
            return reverse("desk-club", args=[club_id])

        current = lambda: _settings(Club.objects.get(pk=club_id))  # noqa: E731
        return self.saved(form, work, current) or self._shown(form, REFUSED)

    def _shown(self, form: ClubForm, status: int = 200) -> HttpResponse:
        version = Club.objects.get(pk=self.visit.club.pk).version
        return self.shown({"form": form, "version": version}, status)


def _form_of(club: Club, *args: Any, **more: Any) -> ClubForm:
    """The form of a club, whose time zone may be one that few have."""
    form = ClubForm(*args, **more)
    zone = form.fields["time_zone"]
    assert isinstance(zone, forms.ChoiceField)
    if not zone.valid_value(club.time_zone):
        zone.choices = [(club.time_zone, club.time_zone), *_zone_choices()]
    return form


def _settings(club: Club) -> Mapping[str, Any]:
    return {name: getattr(club, name) for name in clubs.EDITABLE}
