"""Members and guests of a club: found, added, changed, merged, erased."""

from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.database.name_order import order_by_name
from tournaments.imports import check_new_name
from tournaments.models import EventReply, Person, PlayerBar, PlayerKind, Shown
from tournaments.models.limits import max_length
from tournaments.people import bars, members, player_devices
from tournaments.people.erasure import Erasure
from tournaments.people.members import NewPlayer
from tournaments.people.player_devices import GIVEN_CODE_LIFE
from tournaments.people.result_consent import ask_for_consent, letterhead_of
from tournaments.selectors import shown_name
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, DeskUpdateView
from tournaments.web.desk.forms import DeskForm, DeskModelForm, clean_line
from tournaments.web.number_format import parse_number

PAGE: Final = 200
OTHERS_SHOWN: Final = 2000
_KINDS: Final = (
    (PlayerKind.MEMBER, gettext_lazy("Member")),
    (PlayerKind.GUEST, gettext_lazy("Guest")),
    (PlayerKind.VISITOR, gettext_lazy("Visitor from another club")),
)
SHOWN_CHOICES: Final = (
    (Shown.SHORT, gettext_lazy("A first name and an initial")),
    (Shown.FULL, gettext_lazy("The whole name")),
    (Shown.HIDDEN, gettext_lazy("A number, and no page of their own")),
)
"""What strangers see of somebody."""


class PlayerForm(DeskModelForm):
    """A person, and how to reach them."""

    kind = forms.ChoiceField(label=gettext_lazy("Is a"), choices=_KINDS)
    shown = forms.ChoiceField(
        label=gettext_lazy("Strangers see"),
        help_text=gettext_lazy("Members of the club see the name."),
        choices=SHOWN_CHOICES,
    )
    field_order = ["name", "kind"]

    class Meta:
        model = Person
        fields = ["name", "email", "gets_results", "phone", "note", "shown", "shows_statistics"]
        labels = {
            "name": gettext_lazy("Name"),
            "email": gettext_lazy("Email address"),
            "gets_results": gettext_lazy(
                "Wants by e-mail: results of nights, invitations, and what becomes of their nights"
            ),
            "phone": gettext_lazy("Telephone"),
            "note": gettext_lazy("Note"),
            "shows_statistics": gettext_lazy("Strangers may see their statistics"),
        }
        help_texts = {
            "gets_results": gettext_lazy(
                "They are asked by e-mail first, and get the first mail once they agree."
            ),
        }


class NewPlayerForm(PlayerForm):
    """Somebody new; ``is_new`` is asked where the name is like a member's."""

    is_new = forms.BooleanField(
        label=gettext_lazy("This is somebody else"), required=False, widget=forms.HiddenInput
    )


class KnownPlayerForm(PlayerForm):
    """The form of somebody who is known already."""

    left = forms.BooleanField(label=gettext_lazy("Has left the club"), required=False)


class BarForm(DeskForm):
    """Until when somebody may not play, and why."""

    ids = "bar_%s"

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=max_length(PlayerBar, "reason"),
        help_text=gettext_lazy("Shown to directors and admins only."),
    )
    until = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("If empty, until the bar is lifted."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class Members(DeskFormView[NewPlayerForm]):
    """Everybody who plays at a club, to search and to turn pages, and a form to add somebody."""

    needs = Right.PLAYERS_EDIT
    template_name = "desk/members.html"
    form_class = NewPlayerForm
    success_message = gettext_lazy("%(name)s is added.")

    def save(self, form: NewPlayerForm) -> None:
        person = dict(form.cleaned_data)
        if not person.pop("is_new"):
            form.fields["is_new"].widget = forms.CheckboxInput()
            check_new_name(self.club.pk, person["name"])
        new = NewPlayer(kind=person.pop("kind"), person=person)
        player = members.add_player(club_id=self.club.pk, new=new, by=self.by, at=self.at)
        ask_for_consent(player_id=player.pk, letterhead=letterhead_of(self.request), at=self.at)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        asked = self.request.GET
        search, kind = clean_line(asked.get("q"), 100), asked.get("kind", "")
        kind = kind if kind in PlayerKind.values else ""
        has_left = "left" in asked
        rows = selectors.players(self.club, search=search, kind=kind, left=has_left)
        start = parse_number(asked.get("from"))
        named = rows.exclude(person=None).order_by(*order_by_name("person"), "pk")
        found = named[start : start + PAGE + 1]
        context = {
            "players": found[:PAGE],
            "more": start + PAGE if len(found) > PAGE else None,
            "search": search,
            "kind": kind,
            "kinds": _KINDS,
            "has_left": has_left,
            "total": rows.count(),
        }
        return super().get_context_data(**context, **kwargs)


class Member(ButtonsMixin, DeskUpdateView[KnownPlayerForm]):
    """One of them: changed, merged, erased, barred and let play again."""

    needs = Right.PLAYERS_EDIT
    template_name = "desk/member.html"
    form_class = KnownPlayerForm
    buttons = ("lift", "merge", "erase", "code", "sign_out")
    button_forms = {"bar": BarForm}
    success_message = gettext_lazy("Saved.")
    new_code = ""
    """A code for My season, which is shown on the answer to this request alone."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().post(request, *args, **kwargs)
        return self.render() if self.new_code else answer

    def get_object(self, queryset: QuerySet[Person] | None = None) -> Person:
        player = selectors.player(self.club, self.kwargs["player_id"])
        if player is None or not hasattr(player, "person"):
            raise NotThereError
        return player.person

    def get_initial(self) -> dict[str, Any]:
        player = self.object.player
        return {"kind": player.kind, "left": player.left_at is not None}

    def get_version(self) -> int:
        version: int = self.object.player.version
        return version

    def get_success_url(self) -> str:
        if self.pressed in ("lift", "bar", "code", "sign_out"):
            return self.request.path
        return reverse("desk-members", args=[self.club.pk])

    def save(self, form: KnownPlayerForm) -> None:
        members.change_player(
            player_id=self.object.pk,
            changes=form.cleaned_data,
            version=self.version,
            by=self.by,
            at=self.at,
        )
        letterhead = letterhead_of(self.request)
        ask_for_consent(player_id=self.object.pk, letterhead=letterhead, at=self.at)

    def code(self, _value: str) -> str:
        """Make a code with which they open My season at home."""
        self.new_code = player_devices.make_code(
            player_id=self.get_object().pk, life=GIVEN_CODE_LIFE, by=self.by, at=self.at
        )
        return ""

    def sign_out(self, _value: str) -> str:
        """Sign all devices out that show their page."""
        player_devices.sign_out_everywhere(player_id=self.get_object().pk, by=self.by, at=self.at)
        return _("All devices are signed out, and codes and links that were open have ended.")

    def merge(self, _value: str) -> str:
        """Make them one with somebody who is known already."""
        player, version = self.get_object().player, self.version_seen()
        into = parse_id(self.request.POST.get("into"))
        members.merge_player(
            player_id=player.pk, into=into, version=version, by=self.by, at=self.at
        )
        return _("They are one person now; all results are kept.")

    def erase(self, _value: str) -> str:
        """Erase the person for ever."""
        player, version = self.get_object().player, self.version_seen()
        self.require(Right.PLAYERS_ERASE)
        if self.request.POST.get("sure") != "yes":
            raise RefusedError(_("Tick that you are sure; erasing cannot be undone."))
        left = members.find_unclear_texts(player).sentence
        if left is not None and self.request.POST.get("leave") != "yes":
            raise RefusedError(
                _("%(texts)s Merge the two first if they are one person, or tick that it may stay.")
                % {"texts": translate(left)}
            )
        members.erase_person(player_id=player.pk, version=version, by=self.by, at=self.at)
        erased = _("Name and contact details are erased for good; all results are kept.")
        return erased if left is None else f"{erased} {translate(left)}"

    def bar(self, form: BarForm) -> str:
        """Bar from playing."""
        player = self.get_object().player
        bars.bar_player(
            club_id=self.club.pk, player_id=player.pk, **form.cleaned_data, by=self.by, at=self.at
        )
        return _("%(name)s is barred.") % {"name": shown_name(player, in_full=True)}

    def lift(self, bar: str) -> str:
        """Let somebody play again."""
        player, bar_id = self.get_object().player, parse_id(bar)
        if not bars.bars_of(player).filter(pk=bar_id).exists():
            raise NotThereError
        bars.lift_bar(club_id=self.club.pk, bar_id=bar_id, by=self.by, at=self.at)
        return _("%(name)s may play again.") % {"name": shown_name(player, in_full=True)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        player = self.object.player
        others = selectors.players(self.club).exclude(pk=player.pk).exclude(person=None)
        return context | {
            "player": player,
            "name": shown_name(player, in_full=True),
            "replies": EventReply.objects.filter(player=player)
            .exclude(reply="")
            .select_related("event")
            .order_by("event__starts_at", "pk"),
            "bars": bars.bars_of(player).order_by("-at", "pk"),
            "devices": player_devices.list_devices(player, at=self.at),
            "code": self.new_code,
            "code_days": GIVEN_CODE_LIFE.days,
            "namesakes": [other.number for other in Erasure.of(player).list_namesakes()],
            "others": others.order_by(*order_by_name("person"), "pk")[:OTHERS_SHOWN],
        }
