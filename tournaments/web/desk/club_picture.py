"""The picture of a club at the desk: upload, see and remove it."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.access.rights import Right
from tournaments.models import ClubPicture
from tournaments.people import club_pictures
from tournaments.web.desk.base import ButtonsMixin, DeskFormView
from tournaments.web.desk.forms import DeskForm


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
