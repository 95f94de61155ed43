"""Clubs at the desk: those of somebody, a new one, what there is to do in one, and its picture."""

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.generic import ListView

from tournaments import selectors
from tournaments.access.rights import Right, RoleInClub
from tournaments.api.feeds import secret_calendar_url
from tournaments.core import time_zones
from tournaments.core.name_folding import fold_text
from tournaments.core.public_address import public_url
from tournaments.models import Club, ClubPicture, RoleKind
from tournaments.people import calendar_addresses, club_pictures, clubs
from tournaments.selectors import describe_backups
from tournaments.web.desk.base import (
    ButtonsMixin,
    DeskFormView,
    DeskMixin,
    DeskPage,
    DeskUpdateView,
)
from tournaments.web.desk.forms import DeskForm, DeskModelForm, field_of_column

CLUBS_SHOWN: Final = 500
_TIME_ZONE: Final = Club._meta.get_field("time_zone")


def zone_choices() -> Iterator[tuple[str, Any]]:
    """Time zones by their areas, the usual one first."""
    yield time_zones.USUAL, time_zones.USUAL
    for area, names in time_zones.places():
        yield area, [(name, name.partition("/")[2].replace("_", " ")) for name in names]


class CurrencyField(forms.CharField):
    """The letters of a currency, in capitals however they are typed."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).upper()


def currency_field() -> forms.Field | None:
    """Return the field for the currency of a new club's books."""
    return field_of_column(
        Club._meta.get_field("currency"),
        form_class=CurrencyField,
        widget=forms.TextInput(attrs={"class": "short", "autocapitalize": "characters"}),
    )


class ClubForm(DeskModelForm):
    """A club's words about itself."""

    time_zone = forms.ChoiceField(
        label=_TIME_ZONE.verbose_name, help_text=_TIME_ZONE.help_text, choices=zone_choices
    )

    class Meta:
        model = Club
        fields = [
            "name",
            "about",
            "venue",
            "confirming",
            "analysis",
            "time_zone",
            "is_public",
            "admins_need_second_factor",
        ]
        widgets = {"about": forms.Textarea(attrs={"rows": 4})}
        formfield_callback = field_of_column

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        known = self.instance.time_zone
        if not zone.valid_value(known):
            zone.choices = [(known, known), *zone_choices()]


class NewClubForm(ClubForm):
    """The form of a new club, with what stays as it is at the foundation."""

    currency = currency_field()

    class Meta(ClubForm.Meta):
        fields = ["name", "venue", "currency", "time_zone", "confirming", "is_public"]


class Home(DeskMixin, ListView):  # type: ignore[type-arg]  # Django's takes one only in its stubs
    """The clubs of whoever signed in; a federation sees all."""

    template_name = "desk/home.html"

    @property
    def is_federation(self) -> bool:
        """Whether they look after all clubs."""
        return RoleInClub.FEDERATION in self.asker.roles.get(None, frozenset())

    def get_queryset(self) -> list[Club]:  # type: ignore[override]  # Django's takes any list
        rows = selectors.clubs(self.asker, mine=None if self.is_federation else True)
        found = rows.order_by("name", "pk")[:CLUBS_SHOWN]
        return sorted(found, key=lambda club: (fold_text(club.name), club.name))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        held = self.asker.roles
        clubs = [
            (
                club,
                [pgettext("state", RoleKind(role).label) for role in sorted(held.get(club.pk, ()))],
            )
            for club in self.object_list
        ]
        reports = describe_backups(self.at) if self.is_federation else []
        missed = [line for line in reports if line.is_missed]
        return super().get_context_data(clubs=clubs, missed_backups=missed, **kwargs)


class CreateClub(DeskFormView[NewClubForm]):
    """A new club; the person who creates it is its admin."""

    template_name = "desk/club_new.html"
    form_class = NewClubForm
    success_message = gettext_lazy("%(name)s has been created, and you are its admin.")
    object: Club

    def get_initial(self) -> dict[str, Any]:
        return {"time_zone": settings.CLUB_TIME_ZONE}

    def save(self, form: NewClubForm) -> None:
        self.object = clubs.create_club(new=form.cleaned_data, by=self.by, at=self.at)

    def get_success_url(self) -> str:
        return reverse("desk-club", args=[self.object.pk])


class ClubSettings(DeskUpdateView[ClubForm]):
    """A club's words about itself, changed."""

    needs = Right.CLUB_EDIT
    template_name = "desk/club_settings.html"
    form_class = ClubForm
    success_message = gettext_lazy("Saved.")

    def get_object(self, queryset: QuerySet[Club] | None = None) -> Club:
        return Club.objects.get(pk=self.club.pk)

    def save(self, form: ClubForm) -> None:
        clubs.change_club(
            club_id=self.club.pk,
            changes=form.cleaned_data,
            version=self.version,
            by=self.by,
            at=self.at,
        )

    def get_success_url(self) -> str:
        return reverse("desk-club", args=[self.club.pk])


class CalendarPage(ButtonsMixin, DeskPage):
    """The calendar of a club: its secret address, made anew or ended, and that for everybody."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/calendar.html"
    buttons = ("renew", "revoke")

    def renew(self, _value: str) -> str:
        """Make an address; one that there was ends."""
        calendar_addresses.renew_club_address(club_id=self.club.pk, by=self.by, at=self.at)
        return _("The new address works. One that there was before opens nothing any more.")

    def revoke(self, _value: str) -> str:
        """End the address."""
        calendar_addresses.revoke_club_address(club_id=self.club.pk, by=self.by, at=self.at)
        return _("The address is ended. It opens nothing any more.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        address = calendar_addresses.find_club_address(self.club)
        public = public_url(self.request, reverse("club-calendar", args=[self.club.pk]))
        return super().get_context_data(
            public_calendar=public,
            has_calendar=address is not None,
            calendar_url=secret_calendar_url(self.request, address),
            **kwargs,
        )


class PictureForm(DeskForm):
    """The file of a picture."""

    file = forms.FileField(
        label=gettext_lazy("A picture"),
        help_text=gettext_lazy(
            "JPEG, PNG or WebP: the room, the table. It is made smaller, and loses the place and"
            " time that a camera writes into it."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )


class ClubPicturePage(ButtonsMixin, DeskFormView[PictureForm]):
    """The picture of a club, changed or removed."""

    needs = Right.CLUB_EDIT
    template_name = "desk/club_picture.html"
    form_class = PictureForm
    success_message = gettext_lazy("The picture is on the page of the club.")
    buttons = ("remove",)

    def save(self, form: PictureForm) -> None:
        file: UploadedFile[bytes] = form.cleaned_data["file"]
        assert file.file is not None
        picture = club_pictures.read_picture(file.file, file.size or 0)
        club_pictures.change_picture(club_id=self.club.pk, picture=picture, by=self.by, at=self.at)

    def remove(self, _value: str) -> str:
        """Take the picture away."""
        club_pictures.remove_picture(club_id=self.club.pk, by=self.by, at=self.at)
        return _("The picture is gone.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        picture = ClubPicture.objects.defer("image").filter(club=self.club).first()
        return super().get_context_data(picture=picture, **kwargs)
