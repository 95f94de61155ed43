"""Check-in of an event: present, late and departed players, walk-ins, wishes, entry fees."""

import re
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.player_names import PlayerNameError, clean_name, mend_name, name_key
from scoring.games import fees
from scoring.slips.check_in import LIST_BYTES_MAX, read_list
from scoring.web.desk.night import WALK_IN, NightAction
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.events import entries
from tournaments.events.entries import NewEntry
from tournaments.imports import MemberRoll
from tournaments.models import (
    ENTRY_SETTINGS,
    Apart,
    Club,
    Entry,
    EntryStanding,
    Event,
    Player,
    PlayerKind,
    Presence,
)
from tournaments.people import members
from tournaments.people.accounts import NAME_MAX
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.people.members import NewPlayer
from tournaments.web.desk.base import (
    REFUSED,
    ActionMixin,
    ButtonsMixin,
    DeskFormView,
    DeskPage,
    EventMixin,
)
from tournaments.web.desk.forms import DeskModelForm, TableNumbersField, field_of_column
from tournaments.web.number_format import money, parse_number

TICKS_MAX: Final = 500
_NEW: Final = "new"
_MOVED: Final[dict[str, Promise]] = {
    Presence.HERE: gettext_lazy("%(name)s is here."),
    Presence.LEFT: gettext_lazy("%(name)s has left; rounds to come are seated without them."),
    Presence.EXPECTED: gettext_lazy("%(name)s comes later."),
    Presence.WITHDRAWN: gettext_lazy("%(name)s does not come."),
}


class CheckIn(NightAction):
    """Enter members and check in who was expected, all of those who were ticked or none."""

    anchor = "people"

    def act(self) -> str:
        players = self.request.POST.getlist("player")
        if not players:
            raise RefusedError(_("Tick who came, then press the button."), "player")
        if len(players) > TICKS_MAX:
            raise RefusedError(_("Tick %(most)d at a time.") % {"most": TICKS_MAX}, "player")
        for player in players:
            new = NewEntry(player=parse_id(player))
            entries.enter(event_id=self.event.pk, new=new, by=self.by, at=self.at)
        count = len(players)
        return ngettext("%(n)d is here now.", "%(n)d are here now.", count) % {"n": count}


class CheckInPicture(NightAction):
    """Tick whoever is marked on a picture of the printed list; nothing is written yet."""

    anchor = "people"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        picture = request.FILES.get("picture")
        try:
            found = read_list(
                self.event, b"" if picture is None else picture.read(LIST_BYTES_MAX + 1)
            )
        except RefusedError as error:
            messages.error(request, self.explain(error))
            return self.render(REFUSED)
        count = len(found.marked)
        said = ngettext("%(n)d name is marked.", "%(n)d names are marked.", count) % {"n": count}
        return self.render(
            ticked={str(player) for player in found.marked},
            is_gathering=True,
            read=found,
            said=said,
        )


class MoveEntry(NightAction):
    """Somebody leaves, comes back, or comes at last."""

    anchor = "people"

    def act(self) -> str:
        # A button says it: a presence, a colon, the entry.
        presence, _colon, number = self.request.POST.get("move", "").partition(":")
        if presence not in _MOVED:
            raise NotThereError
        entry = get_entry(self.event, parse_id(number))
        if presence == Presence.HERE:
            new = NewEntry(player=entry.player_id)
            entries.enter(event_id=self.event.pk, new=new, by=self.by, at=self.at)
        else:
            changes = {"presence": presence}
            entries.change_entry(entry_id=entry.pk, changes=changes, by=self.by, at=self.at)
        return str(_MOVED[presence]) % {
            "name": distinct_name(entry.player, shared_names(self.club))
        }


class WalkIn(NightAction):
    """Enter somebody by name, known to the club or new to it; where that is not clear, ask.

    ``player`` in the form is whom a page offered by that name. An answer to a question counts
    only for the name that was asked about.
    """

    name: str
    kind: PlayerKind
    player: Player | None

    def get_success_url(self) -> str:
        """The page with the field ready for the next name: a fragment would take the focus."""
        return f"{reverse('desk-event', args=[self.event.pk])}?more=1"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        posted = request.POST
        typed_name = posted.get("name", "")[:1000]
        wrong = ""
        try:
            self.name = clean_name(typed_name)
        except PlayerNameError as error:
            self.name, wrong = mend_name(typed_name), translate(error.message)
        self.kind = PlayerKind.GUEST if posted.get("kind") == "guest" else PlayerKind.MEMBER
        typed = {"name": self.name, "later": bool(posted.get("later")), "kind": self.kind}
        if not self.name or len(self.name) > NAME_MAX:
            wrong = _("A name has 1 to 200 letters.")
        if wrong:
            return self.render(REFUSED, walk_in=typed | {"wrong": wrong})
        if chosen := posted.get("player"):
            self.player = selectors.player(self.club, parse_id(chosen))
            if self.player is None:
                raise NotThereError
        else:
            same, similar = _find_alike(self.club, self.name)
            is_asked_about = name_key(posted.get("asked", self.name)) == name_key(self.name)
            who = posted.get("who") if is_asked_about else None
            alike = same or similar
            self.player = next((player for player in alike if str(player.pk) == who), None)
            if self.player is None and len(same) == 1 and who != _NEW:
                self.player = same[0]
            if self.player is None and alike and who != _NEW:
                return self.render(walk_in=typed | {"alike": alike})
        answer = super().post(request, *args, **kwargs)
        if answer.status_code == 302:
            request.session[WALK_IN] = {str(self.event.pk): self.kind}
        return answer

    def act(self) -> str:
        posted, player, name = self.request.POST, self.player, self.name
        if player is None:
            self.require(Right.PLAYERS_EDIT)
            new = NewPlayer(person={"name": name}, kind=self.kind)
            player = members.add_player(club_id=self.club.pk, new=new, by=self.by, at=self.at)
        else:
            name = distinct_name(player, shared_names(self.club))
        presence = Presence.EXPECTED if posted.get("later") else Presence.HERE
        first = parse_number(posted.get("first")) or None
        entry = NewEntry(player=player.pk, presence=presence, first=first)
        entries.enter(event_id=self.event.pk, new=entry, by=self.by, at=self.at)
        return str(_MOVED[presence]) % {"name": name}


def _find_alike(club: Club, name: str) -> tuple[list[Player], list[Player]]:
    """Players of the club with just this name, and with nearly this name. Four queries."""
    roll = MemberRoll(club.pk)
    same, similar = roll.members_named(name), roll.members_like(name)
    wanted = [one.player for one in (*same, *similar) if one.player]
    rows = Player.objects.filter(pk__in=wanted).select_related("person").in_bulk()
    return (
        [rows[one.player] for one in same if one.player],
        [rows[one.player] for one in similar if one.player],
    )


class MarkFee(NightAction):
    """Tick an entry fee as paid beside the name, or take the tick back."""

    anchor = "people"

    def act(self) -> str:
        return mark_fee(self)


def get_entry(event: Event, entry_id: UUID) -> Entry:
    """An entry of an event, with its player. Raises NotThereError."""
    entry = selectors.entries(event).filter(pk=entry_id).first()
    if entry is None:
        raise NotThereError
    return entry


class EntryForm(DeskModelForm):
    """Facts about somebody who plays, for the seating and the standings."""

    field_order = (
        *("presence", "standing", "sits_out", "stay_table", "stay_seat", "never_tables"),
        *("team", "household", "pot", "handicap"),
    )

    presence = forms.ChoiceField(
        label=gettext_lazy("Are they here?"),
        choices=(
            (Presence.HERE, gettext_lazy("Here")),
            (Presence.EXPECTED, gettext_lazy("Comes later")),
            (Presence.LEFT, gettext_lazy("Has left")),
            (Presence.WITHDRAWN, gettext_lazy("Does not come")),
        ),
    )
    standing = forms.ChoiceField(
        label=gettext_lazy("Plays as"),
        choices=(
            (EntryStanding.PLAYER, gettext_lazy("Player, ranked")),
            (EntryStanding.GUEST, gettext_lazy("Guest")),
            (EntryStanding.HOUSE, gettext_lazy("House player, fills a table")),
        ),
    )
    stay_seat = forms.TypedChoiceField(
        label=Entry._meta.get_field("stay_seat").verbose_name,
        choices=[("", gettext_lazy("any")), *((seat, str(seat + 1)) for seat in range(6))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    never_tables = TableNumbersField(
        label=Entry._meta.get_field("never_tables").verbose_name,
        help_text=gettext_lazy("Their numbers, such as 3, 7."),
    )

    class Meta:
        model = Entry
        fields = ENTRY_SETTINGS
        formfield_callback = field_of_column


class OneEntry(ButtonsMixin, EventMixin, DeskFormView[EntryForm]):
    """Somebody who plays tonight: change what is known of them, or take them off."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/entry.html"
    form_class = EntryForm
    buttons = ("remove",)
    success_message = gettext_lazy("Saved.")

    @cached_property
    def entry(self) -> Entry:
        """The entry that the address names."""
        return get_entry(self.event, self.kwargs["entry_id"])

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "instance": self.entry}

    def get_success_url(self) -> str:
        return reverse("desk-event", args=[self.event.pk]) + "#people"

    def save(self, form: EntryForm) -> None:
        entry_id = self.entry.pk
        for name, service in (("apart", entries.keep_apart), ("meet", entries.let_meet)):
            if other := self.request.POST.get(name):
                service(
                    event_id=self.event.pk,
                    one=entry_id,
                    other=parse_id(other),
                    by=self.by,
                    at=self.at,
                )
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        if changes:
            entries.change_entry(entry_id=entry_id, changes=changes, by=self.by, at=self.at)

    def remove(self, _value: str) -> str:
        """Remove an entry that was made by mistake."""
        entries.remove_entry(entry_id=self.entry.pk, by=self.by, at=self.at)
        return ""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shared, entry = shared_names(self.club), self.entry
        others = {
            entry.pk: distinct_name(entry.player, shared)
            for entry in selectors.entries(self.event).exclude(pk=entry.pk).order_by("number")
        }
        pairs = Apart.objects.filter(event=self.event).values_list("one_id", "other_id")
        apart = {two if one == entry.pk else one for one, two in pairs if entry.pk in (one, two)}
        context = {
            "entry": entry,
            "name": distinct_name(entry.player, shared),
            "apart": [(pk, name) for pk, name in others.items() if pk in apart],
            "others": [(pk, name) for pk, name in others.items() if pk not in apart],
        }
        return super().get_context_data(**{**context, **kwargs})


def mark_fee(page: EventMixin) -> str:
    """Tick a fee as paid, or take the tick back; a button says a word, a colon, an entry."""
    word, _colon, number = page.request.POST.get("fee", "").partition(":")
    fees.mark_fee(
        event_id=page.event.pk,
        entry_id=parse_id(number),
        paid=word == "paid",
        by=page.by,
        at=page.at,
    )
    return ""


class Fees(ActionMixin, EventMixin, DeskPage):
    """Entry fees of a night, owed and paid."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/fees.html"

    def act(self) -> str:
        if self.request.POST.get("fee") != "paid:all":
            return mark_fee(self)
        seen = {}
        for text in self.request.POST.getlist("seen"):
            entry, _colon, left = text.partition(":")
            if not re.fullmatch("[0-9]{1,15}", left):
                raise BadRequest("No such amount.")
            seen[parse_id(entry)] = int(left)
        marked = fees.mark_fees(event_id=self.event.pk, seen=seen, by=self.by, at=self.at)
        if not marked:
            return ""
        words = ngettext(
            "Recorded as paid: %(n)d player.", "Recorded as paid: %(n)d players.", marked
        )
        return words % {"n": marked}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shared, currency = shared_names(self.club), self.club.currency
        found = fees.list_fees(self.event)
        lines = [
            (
                line,
                distinct_name(line.entry.player, shared),
                money(line.paid if line.is_paid else line.due - line.paid, currency),
            )
            for line in found
        ]
        due, paid = sum(line.due for line in found), sum(line.paid for line in found)
        context = {
            "currency": currency,
            "lines": lines,
            "open": [shown for shown in lines if not shown[0].is_paid],
            "settled": [shown for shown in lines if shown[0].is_paid],
            "due": money(due, currency),
            "paid": money(paid, currency),
            "left": money(due - paid, currency),
        }
        return super().get_context_data(**{**context, **kwargs})
