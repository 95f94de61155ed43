"""Corrections at the desk: another text of a hand, and what it would do, before it is done."""

from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import corrections, queries
from scoring.consequences import Policy
from scoring.corrections import Correction
from scoring.recording import TEXT_BYTES_MAX
from scoring.web.desk.decree_form import POLICIES
from scoring.web.desk.forms import DeskForm
from scoring.web.desk.hands import HandPage
from scoring.web.desk.pages import REFUSED
from scoring.web.desk.places import game_of, hand_of
from scoring.web.desk.rulings import in_rows
from scoring.web.listing import decode
from tournaments.access import Right
from tournaments.refusals import RefusedError

_LOOKING: Final = "looked at"
"""The reason of a correction that is only looked at; it is never written."""


class CorrectionForm(DeskForm):
    """What a hand should have said, and why."""

    text = forms.CharField(
        label=gettext_lazy("The record as it should be"),
        max_length=TEXT_BYTES_MAX,
        strip=False,
        widget=forms.Textarea(attrs={"class": "record", "spellcheck": "false", "wrap": "off"}),
    )
    why = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1000,
        help_text=gettext_lazy("It stays on record."),
    )
    policy = forms.ChoiceField(
        label=gettext_lazy("And the hands after it?"),
        choices=POLICIES,
        initial=Policy.RESETTLE,
        widget=forms.RadioSelect,
    )

    def clean_text(self) -> str:
        """With the line ends of the record; a form sends others."""
        return str(self.cleaned_data["text"]).replace("\r\n", "\n")


class Correct(HandPage):
    """A hand put right, minutes or weeks later."""

    needs = Right.HANDS_CORRECT
    template = "desk/correct.html"

    def get(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """The record that stands, to be changed."""
        versions = queries.versions(hand_of(self.visit))
        text = decode(bytes(versions[-1].text))
        return self._form_shown(CorrectionForm(initial={"text": text, "policy": Policy.RESETTLE}))

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Show what it would do, or do it."""
        form, revision = CorrectionForm(request.POST), self.version_seen()
        if request.POST.get("do") == "preview":
            return self._previewed(form, hand_id, revision)

        def work() -> str:
            corrections.correct_hand(
                hand_id=hand_id,
                correction=_correction(form, revision),
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("Corrected; the game is settled anew from there on."))
            return reverse("desk-hand", args=[hand_id])

        return self.saved(form, work) or self._form_shown(form, REFUSED)

    def _previewed(self, form: CorrectionForm, hand_id: UUID, revision: int) -> HttpResponse:
        form.fields["why"].required = False  # to look at it needs no reason, to do it does
        is_valid = form.is_valid()
        form.fields["why"].required = True
        if not is_valid:
            return self._form_shown(form, REFUSED)
        asked = replace(_correction(form, revision), why=form.cleaned_data["why"] or _LOOKING)
        try:
            found = corrections.preview(hand_id=hand_id, correction=asked)
        except RefusedError as error:
            form.refuse(error)
            return self._form_shown(form, REFUSED)
        rows = in_rows(found, game_of(self.visit))
        return self._form_shown(form, previewed=True, consequences=rows)

    def _form_shown(self, form: CorrectionForm, status: int = 200, **more: Any) -> HttpResponse:
        version = hand_of(self.visit).revision
        return self.hand_shown(status, form=form, version=version, **more)


def _correction(form: CorrectionForm, revision: int) -> Correction:
    typed = form.cleaned_data
    return Correction(
        text=typed["text"].encode("utf-8", "replace"),
        why=typed["why"],
        revision=revision,
        policy=Policy(typed["policy"]),
    )
