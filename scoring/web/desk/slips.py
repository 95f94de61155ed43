"""Score slips of a night at the desk: pictures are taken in, slips reviewed and recorded."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from scoring.handouts.slips import find_missing_tricks
from scoring.models import Slip, SlipPicture, SlipState, State
from scoring.slips.codes import short_id
from scoring.slips.intake import dismiss_problems, find_progress, take_pictures
from scoring.slips.review import (
    SlipView,
    accept_slip,
    answer_slip,
    find_slip,
    list_slips,
    put_slip_back,
    set_slip_aside,
)
from scoring.web.desk.slip_view import ShownSlip
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.events.round_rules import rule_sets_in_use
from tournaments.models import Event
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin
from tournaments.web.desk.forms import DeskForm

PROBLEMS_SHOWN: Final = 20
CAMERA_POLICY: Final = "camera=(self), geolocation=(), microphone=(), payment=(), usb=()"
"""The page on which slips are photographed may use the camera of a laptop."""
COUNTS: Final[Mapping[str, Any]] = {
    "accepted": ngettext_lazy("%(n)d recorded", "%(n)d recorded", "n"),
    "clean": ngettext_lazy("%(n)d clean", "%(n)d clean", "n"),
    "question": ngettext_lazy("%(n)d with a question", "%(n)d with a question", "n"),
    "aside": ngettext_lazy("%(n)d set aside", "%(n)d set aside", "n"),
    "foreign": ngettext_lazy("%(n)d for another night", "%(n)d for other nights", "n"),
}
"""Numbers of slips in words, by `ShownSlip.style`."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The slips of a night by number; ``words`` say how many are in which state."""

    total: int
    done: int
    waiting: int
    words: str


class SlipsMixin(ButtonsMixin, EventMixin):
    """A page of a night's slips, with their pile."""

    needs = Right.HANDS_RULE

    @cached_property
    def slips(self) -> list[ShownSlip]:
        """All slips of the night, by table and hand."""
        views = list_slips(self.event)
        rounds = {view.table.round_id for view in views if view.table is not None}
        return [ShownSlip(view, has_round=len(rounds) > 1) for view in views]

    @cached_property
    def next_slip(self) -> UUID | None:
        """The slip to be looked at after the one of the page, or the first; None for the last."""
        here = self.kwargs.get("slip_id")
        start = next((place for place, slip in enumerate(self.slips, 1) if slip.pk == here), 0)
        following = [*self.slips[start:], *self.slips[:start]]
        return next((slip.pk for slip in following if slip.is_open and slip.pk != here), None)

    def describe_pile(self) -> Pile:
        """Count the slips by state."""
        counts = Counter(slip.style for slip in self.slips)
        words = [
            str(count % {"n": counts[style]}) for style, count in COUNTS.items() if counts[style]
        ]
        total, waiting = counts.total(), counts["clean"] + counts["question"]
        return Pile(total=total, done=total - waiting, waiting=waiting, words=", ".join(words))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {"pile": self.describe_pile(), "slips": self.slips, "next_slip": self.next_slip}
        return super().get_context_data(**{**context, **kwargs})


class PicturesInput(forms.ClearableFileInput):
    """Chooses several files."""

    allow_multiple_selected = True


class PicturesField(forms.FileField):
    """Several files; their bytes."""

    widget = PicturesInput

    def clean(self, data: Any, initial: Any = None) -> list[bytes]:
        """Read each file."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(PicturesField, self).clean(file, initial).read() for file in files]


class PicturesForm(DeskForm):
    """Pictures of slips."""

    ids = "slip-%s"
    pictures = PicturesField(
        label=gettext_lazy("Pictures, or a PDF"),
        error_messages={"required": gettext_lazy("Choose at least one picture.")},
    )


class Slips(SlipsMixin, DeskPage):
    """The pile of a night's slips; takes pictures in."""

    template_name = "desk/slips.html"
    buttons = ("dismiss",)
    button_forms: ClassVar = {"take": PicturesForm}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = super().dispatch(request, *args, **kwargs)
        response["Permissions-Policy"] = CAMERA_POLICY
        return response

    def take(self, form: PicturesForm) -> str:
        """Take pictures in, for a worker to read."""
        files = form.cleaned_data["pictures"]
        take_pictures(event_id=self.event.pk, files=files, by=self.by, at=self.at)
        return ""

    def dismiss(self, value: str) -> str:
        """Hide the problems of pictures that the page showed."""
        pictures = [parse_id(text) for text in value.split()[:PROBLEMS_SHOWN]]
        dismiss_problems(event_id=self.event.pk, picture_ids=pictures, by=self.by, at=self.at)
        return ""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        progress = find_progress(self.event)
        pictures = SlipPicture.objects.filter(event=self.event).defer("original")
        problems = [
            (picture.pk, _("Picture %(n)d") % {"n": number}, translate(words))
            for number, picture in enumerate(pictures.order_by("taken_in_at", "pk"), 1)
            for words in picture.problems
        ]
        shown = problems[-PROBLEMS_SHOWN:]
        missing = list(find_missing_tricks(rule_sets_in_use(self.event)))
        context = {
            "missing_tricks": [translate(words) for words, _is_refused in missing],
            "is_printable": not any(is_refused for _words, is_refused in missing),
            "unread": progress.pictures - progress.read,
            "is_reading": not progress.is_done,
            "problems": shown,
            "dismissed": " ".join(dict.fromkeys(str(picture) for picture, *_words in shown)),
        }
        return super().get_context_data(**{**context, **kwargs})


class SlipPage(SlipsMixin, DeskPage):
    """A slip beside what was read of it: its question is answered, or its hand recorded.

    The value of the buttons ``answer`` and ``answer_and_accept`` is a change as ``row=value``.
    """

    template_name = "desk/slip.html"
    buttons = ("answer", "answer_and_accept", "accept", "force", "set_aside", "put_back")
    next_page = ""

    @cached_property
    def slip(self) -> ShownSlip:
        """The slip of the address. Raises Http404."""
        shown = next((slip for slip in self.slips if slip.pk == self.kwargs["slip_id"]), None)
        if shown is None:
            raise Http404
        shown.is_last = self.next_slip is None
        return shown

    def answer(self, value: str) -> str:
        """Give a row a value, asked for or not; the slip stays on the page."""
        self._answer(value)
        return ""

    def _answer(self, value: str) -> Slip:
        row, _equals, mark = value.partition("=")
        return answer_slip(
            event_id=self.event.pk,
            slip_id=self.kwargs["slip_id"],
            changes={row: mark or None},
            revision=self.version_seen(),
            by=self.by,
            at=self.at,
        )

    def answer_and_accept(self, value: str) -> str:
        """Answer the last question, and record the hand."""
        return self._record(revision=self._answer(value).revision)

    def accept(self, _value: str) -> str:
        """Record the hand of a clean slip."""
        return self._record(revision=self.version_seen())

    def force(self, _value: str) -> str:
        """Record the hand in spite of a question about all of it."""
        return self._record(revision=self.version_seen(), force=True)

    def _record(self, *, revision: int, force: bool = False) -> str:
        self._go_on()
        slip = accept_slip(
            event_id=self.event.pk,
            slip_id=self.kwargs["slip_id"],
            revision=revision,
            force=force,
            by=self.by,
            at=self.at,
        )
        hand = slip.hand
        if hand is not None and hand.rival_id is not None and hand.state == State.DISPUTED:
            self.next_page = reverse("desk-dispute", args=[hand.pk])
            return _("Both records of this hand stand beside each other. Which one is right?")
        return ""

    def set_aside(self, _value: str) -> str:
        """Set the slip aside for later."""
        self._go_on()
        set_slip_aside(
            event_id=self.event.pk,
            slip_id=self.kwargs["slip_id"],
            revision=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        return ""

    def put_back(self, _value: str) -> str:
        """Take a slip back that was set aside."""
        put_slip_back(
            event_id=self.event.pk,
            slip_id=self.kwargs["slip_id"],
            revision=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        return ""

    def _go_on(self) -> None:
        where = [self.event.pk] if self.next_slip is None else [self.event.pk, self.next_slip]
        self.next_page = reverse("desk-slip" if self.next_slip else "desk-slips", args=where)

    def get_success_url(self) -> str:
        return self.next_page or self.request.path

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shown = self.slip
        context = {
            "slip": shown,
            "version": shown.slip.revision,
            "has_crop": Slip.objects.filter(pk=shown.pk, crop__isnull=False).exists(),
            "advice": _advise(shown.view, self.event),
        }
        return super().get_context_data(**{**context, **kwargs})


def _advise(view: SlipView, event: Event) -> str:
    """Say what helps with a slip that is not of this night."""
    if view.slip.state != SlipState.FOREIGN:
        return ""
    if view.code.event != short_id(event.pk):
        return _("Open that night and take its picture there. Here nothing is recorded of it.")
    return _("Copy it to a blank slip, or enter the hand with the code of its table.")


class SlipCrop(EventMixin, DeskPage):
    """The picture of a slip, for those who run the night."""

    needs = Right.HANDS_RULE

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        slip = find_slip(self.event, self.kwargs["slip_id"])
        if slip.crop is None:
            raise Http404
        answer = HttpResponse(bytes(slip.crop), content_type="image/jpeg")
        # Opened by itself it is a picture, and nothing else.
        answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return answer
