"""Prepared boards of a duplicate night: dealt from its secret, or brought as a file of records."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.record_listing import decode
from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.core.errors import RefusedError
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.events.events import ROUNDS_MOST
from tournaments.models import Board
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.sessions import event_of, event_place

BYTES_MOST: Final = 200_000


class PreparationForm(DeskForm):
    """Where the deals come from."""

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
        max_value=1000,
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
        max_value=ROUNDS_MOST,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def preparation(self) -> Preparation:
        """What was brought. Raises RefusedError."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        where = {"table": self.cleaned_data["table"], "round": self.cleaned_data["round"]}
        if file is None:
            return Preparation(**where)
        if file.size is None or file.size > BYTES_MOST:
            raise RefusedError(_("This file is too long to be the deals of a night."), "file")
        content: bytes = file.read()
        return Preparation(records=decode(content), **where)


class Boards(DeskPage):
    """The boards of an event, and who played them."""

    needs = Right.EVENTS_EDIT
    template = "desk/boards.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """All of them."""
        return self._shown(PreparationForm())

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Prepare those that were not played with yet."""
        form = PreparationForm(request.POST, request.FILES)

        def work() -> str:
            made = boards.prepare_boards(
                event_id=event_id,
                preparation=form.preparation(),
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("%(n)d boards are prepared.") % {"n": len(made)})
            return reverse("desk-boards", args=[event_id])

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _shown(self, form: PreparationForm, status: int = 200) -> HttpResponse:
        event = event_of(self.visit)
        played = selectors.boards_played(event)
        rows = boards.with_deals(Board.objects.filter(event=event).order_by("number"))
        context = {
            "event": event,
            "form": form,
            "rows": [(row, played.get(row.number, 0)) for row in rows],
            "needed": event.rounds * event.hands,
        }
        return self.shown(context, status)
