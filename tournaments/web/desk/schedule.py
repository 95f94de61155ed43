"""The schedule of a night at the desk: called off, moved to another date, removed."""

from typing import Any, ClassVar, Final

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.access.rights import Right
from tournaments.events import schedule
from tournaments.events.announcements import describe_schedule
from tournaments.events.notices import find_uninformed
from tournaments.events.replies import list_coming
from tournaments.events.schedule import can_be_reinstated
from tournaments.models import Club, Event, Player, Status
from tournaments.models.limits import max_length
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin
from tournaments.web.desk.event_consequences import describe_clock
from tournaments.web.desk.fields import MomentField
from tournaments.web.desk.forms import DeskForm, DeskFormMixin

_CANCEL_REASONS: Final = (
    gettext_lazy("Too few players."),
    gettext_lazy("The room is not free."),
    gettext_lazy("The director is ill."),
    gettext_lazy("The weather."),
)
_MOVE_REASONS: Final = (
    gettext_lazy("The room is not free."),
    gettext_lazy("Too few players."),
    gettext_lazy("It is a holiday."),
    gettext_lazy("The director is ill."),
)


class ReasonForm(DeskForm):
    """A reason for everybody: one of the usual ones, of which the first is ticked, or own words."""

    is_quiet = True
    reasons: ClassVar[tuple[Any, ...]]
    usual = forms.ChoiceField(label=gettext_lazy("Why?"), required=False, widget=forms.RadioSelect)
    why = forms.CharField(
        label=gettext_lazy("Or in your own words"),
        max_length=max_length(Event, "cancel_reason"),
        required=False,
        help_text=gettext_lazy("Everybody reads it: here, on the wall, in calendars."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("usual", ((str(reason), str(reason)) for reason in self.reasons))
        self.fields["usual"].initial = str(self.reasons[0])

    @property
    def reason(self) -> str:
        """The reason that was given; own words come before a usual reason."""
        return str(self.cleaned_data["why"] or self.cleaned_data["usual"])


class CancelForm(ReasonForm):
    """The reason why a night is called off."""

    ids = "cancel_%s"
    reasons = _CANCEL_REASONS


class MoveForm(ReasonForm):
    """Another date of a night, and the reason."""

    ids = "move_%s"
    reasons = _MOVE_REASONS
    starts_at = MomentField(label=gettext_lazy("New date and time"))
    field_order = ["starts_at"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["starts_at"].help_text = describe_clock(club)


class SchedulePage(ButtonsMixin, EventMixin, DeskPage):
    """The ways to call a night off, to move it, and to remove one that was a mistake."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/schedule.html"
    buttons = ("reinstate", "remove")
    button_forms: ClassVar = {"cancel": CancelForm, "move": MoveForm}

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        if name == "move":
            kwargs = {"club": self.club, "initial": {"starts_at": self.event.starts_at}, **kwargs}
        return super().get_button_form(name, **kwargs)

    def get_success_url(self) -> str:
        if self.pressed == "remove":
            return reverse("desk-club", args=[self.club.pk])
        return reverse("desk-event", args=[self.event.pk])

    def cancel(self, form: CancelForm) -> str:
        """Call the night off."""
        event = schedule.cancel_event(
            event_id=self.event.pk,
            why=form.reason,
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        done = _("The night is called off. The club's page, the wall and calendars say so.")
        if uninformed := len(self._find_uninformed(event)):
            words = ngettext(
                "%(n)d player who might have come gets no e-mail; their name is on the page"
                " “Call off or move”.",
                "%(n)d players who might have come get no e-mail; their names are on the page"
                " “Call off or move”.",
                uninformed,
            )
            return f"{done} {words % {'n': uninformed}}"
        return done

    def move(self, form: MoveForm) -> str:
        """Move the night to another date."""
        schedule.move_event(
            event_id=self.event.pk,
            starts_at=form.cleaned_data["starts_at"],
            why=form.reason,
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        return _("The night is moved. The club's page, the wall and calendars say so.")

    def reinstate(self, _value: str) -> str:
        """Let the night take place after all."""
        schedule.reinstate_event(
            event_id=self.event.pk, version=self.version_seen(), by=self.by, at=self.at
        )
        return _("The night takes place after all.")

    def remove(self, _value: str) -> str:
        """Remove the night."""
        name = self.event.name
        schedule.remove_event(
            event_id=self.event.pk, version=self.version_seen(), by=self.by, at=self.at
        )
        return _("%(name)s is removed.") % {"name": name}

    def _find_uninformed(self, event: Event) -> list[tuple[Player, str]]:
        """Return who is to be told by hand that the night is called off, with their names."""
        if event.status != Status.CANCELLED or not can_be_reinstated(event, self.at):
            return []
        rows = list(find_uninformed(event, list_coming(event, perhaps=True)).order_by("number"))
        shared = shared_names(self.club)
        return [(row, distinct_name(row, shared)) for row in rows]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = Event.objects.select_related("club").get(pk=self.event.pk)
        context = {
            "event": event,
            "version": event.version,
            "schedule": describe_schedule(event),
            "can_be_reinstated": can_be_reinstated(event, self.at),
            "uninformed": self._find_uninformed(event),
        }
        return super().get_context_data(**{**context, **kwargs})
