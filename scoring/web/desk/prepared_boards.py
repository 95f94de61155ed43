"""Prepared boards of a duplicate night: dealt from its secret, or brought as a file of records."""

from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.record_listing import decode
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.models import Board
from tournaments.models.limits import ROUNDS_MAX, TABLE_NUMBER_MAX
from tournaments.web.desk.base import DeskFormView, EventMixin
from tournaments.web.desk.forms import DeskForm

BYTES_MAX: Final = 200_000


class PreparationForm(DeskForm):
    """The source of the deals."""

    file = forms.FileField(
        label=gettext_lazy("A file with a deal for each board"),
        required=False,
        help_text=gettext_lazy(
            "PHN or PBN; without it, all are dealt from the secret of the night."
        ),
    )
    table = forms.IntegerField(
        label=gettext_lazy("Or from the records of table"),
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=gettext_lazy(
            "That table shuffles and deals; its full records tell the deal of each board, and"
            " every other table plays the same cards."
        ),
    )
    round = forms.IntegerField(
        label=gettext_lazy("Only for round"),
        min_value=1,
        max_value=ROUNDS_MAX,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def preparation(self) -> Preparation:
        """Return the deals that were brought. Raises RefusedError."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        where = {"table": self.cleaned_data["table"], "round": self.cleaned_data["round"]}
        if file is None:
            return Preparation(**where)
        if file.size is None or file.size > BYTES_MAX:
            raise RefusedError(_("This file is too long to be the deals of a night."), "file")
        content: bytes = file.read()
        return Preparation(records=decode(content), **where)


class Boards(EventMixin, DeskFormView[PreparationForm]):
    """The boards of an event, and who played them; prepares those that were not played yet."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/boards.html"
    form_class = PreparationForm

    def save(self, form: PreparationForm) -> None:
        preparation = form.preparation()
        made = boards.prepare_boards(
            event_id=self.event.pk, preparation=preparation, by=self.by, at=self.at
        )
        self.success_message = _("%(n)d boards are prepared.") % {"n": len(made)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        played = selectors.boards_played(event)
        rows = boards.with_deals(Board.objects.filter(event=event).order_by("number"))
        context = {
            "rows": [(row, played.get(row.number, 0)) for row in rows],
            "needed": event.rounds * event.hands,
        }
        return super().get_context_data(**{**context, **kwargs})
