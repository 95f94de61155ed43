"""Members and guests of a club: found, added, changed, merged, erased."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access import rights
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.models import Player, PlayerKind, Shown
from tournaments.people import bars, members
from tournaments.people.bars import NewBar
from tournaments.people.members import PERSONAL, NewPlayer
from tournaments.selectors import shown_name
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm, plain
from tournaments.web.number_format import parse_number

PAGE: Final = 200
_KINDS: Final = (
    (PlayerKind.MEMBER, gettext_lazy("Member")),
    (PlayerKind.GUEST, gettext_lazy("Guest")),
    (PlayerKind.VISITOR, gettext_lazy("Visitor from another club")),
)


_SHOWN: Final = (
    (Shown.SHORT, gettext_lazy("A first name and an initial")),
    (Shown.FULL, gettext_lazy("The whole name")),
    (Shown.HIDDEN, gettext_lazy("A number, and no page of his own")),
)


class PlayerForm(DeskForm):
    """Who somebody is, and how to reach him."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    kind = forms.ChoiceField(label=gettext_lazy("Is a"), choices=_KINDS)
    email = forms.EmailField(label=gettext_lazy("Email address"), max_length=254, required=False)
    phone = forms.CharField(label=gettext_lazy("Telephone"), max_length=40, required=False)
    note = forms.CharField(label=gettext_lazy("Note"), max_length=500, required=False)
    shown = forms.ChoiceField(
        label=gettext_lazy("Strangers see"),
        help_text=gettext_lazy("Members of the club see the name."),
        choices=_SHOWN,
    )


class KnownPlayerForm(PlayerForm):
    """The same of somebody who is known already."""

    left = forms.BooleanField(label=gettext_lazy("Has left the club"), required=False)


class BarForm(DeskForm):
    """Until when somebody may not play, and why."""

    ids = "bar_%s"

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=300,
        help_text=gettext_lazy("Told to directors and admins alone."),
    )
    until = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Left empty, until the bar is lifted."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class Members(DeskPage):
    """Everybody who plays at a club."""

    needs = Right.PLAYERS_EDIT
    template = "desk/members.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Search, and turn pages."""
        usual = {"kind": PlayerKind.MEMBER, "shown": Shown.SHORT}
        return self._listed(PlayerForm(initial=usual))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Add somebody."""
        form = PlayerForm(request.POST)

        def work() -> str:
            typed = form.cleaned_data
            person = {name: typed[name] for name in (*PERSONAL, "shown")}
            new = NewPlayer(person=person, kind=typed["kind"])
            members.add_player(club_id=club_id, new=new, by=self.visit.by, at=self.visit.at)
            self.say(_("%(name)s is added.") % {"name": typed["name"]})
            return reverse("desk-members", args=[club_id])

        return self.saved(form, work) or self._listed(form, REFUSED)

    def _listed(self, form: PlayerForm, status: int = 200) -> HttpResponse:
        asked, club = self.request.GET, self.visit.club
        search, kind = plain(asked.get("q"), 100), asked.get("kind", "")
        kind = kind if kind in PlayerKind.values else ""
        has_left = "left" in asked
        rows = selectors.players(club, search=search, kind=kind, left=has_left)
        start = parse_number(asked.get("from"))
        found = rows.exclude(person=None).order_by("person__name", "pk")[start : start + PAGE + 1]
        context = {
            "form": form,
            "players": found[:PAGE],
            "more": start + PAGE if len(found) > PAGE else None,
            "search": search,
            "kind": kind,
            "kinds": _KINDS,
            "has_left": has_left,
            "total": rows.count(),
        }
        return self.shown(context, status)


class Member(DeskPage):
    """One of them."""

    needs = Right.PLAYERS_EDIT
    template = "desk/member.html"

    def get(self, request: HttpRequest, club_id: UUID, player_id: UUID) -> HttpResponse:
        """What the club knows."""
        player = self._player(player_id)
        return self._shown(player, KnownPlayerForm(initial=_known(player)))

    def post(self, request: HttpRequest, club_id: UUID, player_id: UUID) -> HttpResponse:
        """Change, merge, bar, let play again, or erase the person."""
        if "bar" in request.POST:
            return self._bar(self._player(player_id))
        if "lift" in request.POST:
            return self._lift(self._player(player_id), parse_id(request.POST.get("lift")))
        player, version = self._player(player_id), self.version_seen()
        form = KnownPlayerForm(request.POST)
        by, at = self.visit.by, self.visit.at

        def work() -> str:
            if "merge" in request.POST:
                into = parse_id(request.POST.get("into"))
                members.merge_player(player_id=player.pk, into=into, version=version, by=by, at=at)
                self.say(_("They are one person now; all results stay."))
            elif "erase" in request.POST:
                rights.admit(self.visit.asker, _place(self), Right.PLAYERS_ERASE)
                members.erase_person(player_id=player.pk, version=version, by=by, at=at)
                self.say(_("Name and contact are erased for ever; all results stay."))
            else:
                changes = form.cleaned_data
                members.change_player(
                    player_id=player.pk, changes=changes, version=version, by=by, at=at
                )
                self.say(_("Saved."))
            return reverse("desk-members", args=[club_id])

        if "erase" in request.POST and request.POST.get("sure") != "yes":
            form.add_error(None, _("Tick that you are sure; erasing cannot be undone."))

        def current() -> Mapping[str, Any]:
            return _known(self._player(player_id))

        return self.saved(form, work, current) or self._shown(player, form, REFUSED)

    def _bar(self, player: Player) -> HttpResponse:
        club, form = self.visit.club, BarForm(self.request.POST)

        def work() -> str:
            new = NewBar(player=player.pk, **form.cleaned_data)
            bars.bar_player(club_id=club.pk, new=new, by=self.visit.by, at=self.visit.at)
            self.say(_("%(name)s is barred.") % {"name": shown_name(player, in_full=True)})
            return reverse("desk-member", args=[club.pk, player.pk])

        known = KnownPlayerForm(initial=_known(player))
        return self.saved(form, work) or self._shown(player, known, REFUSED, bar_form=form)

    def _lift(self, player: Player, bar_id: UUID) -> HttpResponse:
        club = self.visit.club
        if not bars.bars_of(player).filter(pk=bar_id).exists():
            raise NotThereError

        def work() -> str:
            bars.lift_bar(club_id=club.pk, bar_id=bar_id, by=self.visit.by, at=self.visit.at)
            return reverse("desk-member", args=[club.pk, player.pk])

        said = _("%(name)s may play again.") % {"name": shown_name(player, in_full=True)}
        return self.carried_out(work, said=said)

    def _player(self, player_id: UUID) -> Player:
        found = selectors.player(self.visit.club, player_id)
        if found is None or not hasattr(found, "person"):
            raise NotThereError
        return found

    def _shown(
        self,
        player: Player,
        form: DeskForm,
        status: int = 200,
        bar_form: BarForm | None = None,
    ) -> HttpResponse:
        now = self._player(player.pk)
        others = selectors.players(self.visit.club).exclude(pk=player.pk).exclude(person=None)
        context = {
            "player": now,
            "name": shown_name(now, in_full=True),
            "form": form,
            "version": now.version,
            "bars": bars.bars_of(now).order_by("-at", "pk"),
            "bar_form": bar_form or BarForm(),
            "others": others.order_by("person__name", "pk")[:2000],
        }
        return self.shown(context, status)


def _place(page: DeskPage) -> rights.Place:
    assert page.visit.place is not None
    return page.visit.place


def _known(player: Player) -> Mapping[str, Any]:
    person = {name: getattr(player.person, name) for name in (*PERSONAL, "shown")}
    return {**person, "kind": player.kind, "left": player.left_at is not None}
