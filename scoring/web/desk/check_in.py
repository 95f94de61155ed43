"""Check-in of an event: present, late and departed players, walk-ins, seating wishes."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.web.desk.night import Deed
from tournaments import selectors
from tournaments.access import rights
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.name_folding import fold_text
from tournaments.events import entries
from tournaments.events.entries import NewEntry
from tournaments.models import Apart, Entry, EntryStanding, Event, Player, PlayerKind, Presence
from tournaments.people import members
from tournaments.people.display_names import name_apart, shared_names
from tournaments.people.members import NewPlayer
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm, TableNumbersField, plain
from tournaments.web.desk.sessions import event_of, event_place
from tournaments.web.number_format import parse_number

TICKS_MOST: Final = 500
LIKE_MOST: Final = 6
_NEW: Final = "new"


def _ids(texts: list[str]) -> Iterator[UUID]:
    """The ids of boxes that were ticked. Raises RefusedError."""
    if len(texts) > TICKS_MOST:
        raise RefusedError(_("Tick %(most)d at a time.") % {"most": TICKS_MOST})
    for text in texts:
        try:
            yield UUID(text)
        except ValueError as error:
            raise NotThereError from error


class CheckIn(Deed):
    """Those who were ticked are here."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Enter members and check in who was expected, all or none."""
        players = request.POST.getlist("player")
        words = ngettext("%(n)d is here now.", "%(n)d are here now.", len(players))
        if not players:
            return self.tonight(_("Tick who came, then press the button."), REFUSED)

        def work() -> None:
            for player in _ids(players):
                new = NewEntry(player=player)
                entries.enter(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)

        return self.done(work, "people", words % {"n": len(players)})


class MoveEntry(Deed):
    """Somebody leaves, comes back, or comes at last."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """``move`` is a button's: a presence, a colon, the entry."""
        presence, _colon, number = request.POST.get("move", "").partition(":")
        if presence not in Presence.values:
            raise NotThereError
        (entry_id,) = _ids([number])
        event = event_of(self.visit)
        entry = entry_at(event, entry_id)
        name = name_apart(entry.player, shared_names(event.club))

        def work() -> None:
            if presence == Presence.HERE:
                new = NewEntry(player=entry.player_id)
                entries.enter(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)
                return
            changes = {"presence": presence}
            entries.change_entry(
                entry_id=entry_id, changes=changes, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "people", _said(presence) % {"name": name})


def _said(presence: str) -> str:
    words = {
        Presence.HERE: _("%(name)s is here."),
        Presence.LEFT: _("%(name)s has left; rounds to come are seated without him or her."),
        Presence.EXPECTED: _("%(name)s comes later."),
        Presence.WITHDRAWN: _("%(name)s does not come."),
    }
    return words[Presence(presence)]


class WalkIn(Deed):
    """Somebody by name: known to the club, or new to it, as a member or a guest."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Enter the one that is meant; where that is not clear, ask.

        An answer to that question counts only for the name that was asked about.
        """
        event = event_of(self.visit)
        name = " ".join(plain(request.POST.get("name"), 1000).split())
        kind = PlayerKind.GUEST if request.POST.get("kind") == "guest" else PlayerKind.MEMBER
        typed = {"name": name, "later": bool(request.POST.get("later")), "kind": kind}
        if not name or len(name) > 200:
            wrong = _("A name has 1 to 200 letters.")
            return self.tonight(status=REFUSED, walk_in=typed | {"wrong": wrong})
        alike = dict(_alike(event, name))
        player = _meant(alike, name, request.POST)
        if player is None and alike and not _is_new(name, request.POST):
            return self.tonight(status=200, walk_in=typed | {"alike": list(alike)})

        def work() -> None:
            presence = Presence.EXPECTED if typed["later"] else Presence.HERE
            first = parse_number(request.POST.get("first")) or None
            entered = self._add(event, name, kind) if player is None else player
            new = NewEntry(player=entered.pk, presence=presence, first=first)
            entries.enter(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)

        shown = name if player is None else name_apart(player, shared_names(event.club))
        words = _("%(name)s comes later.") if typed["later"] else _("%(name)s is here.")
        answer = self.done(work, "people", words % {"name": shown})
        if answer.status_code == 302:
            self.remember_kind(kind)
        return answer

    def _add(self, event: Event, name: str, kind: PlayerKind) -> Player:
        rights.admit(self.visit.asker, Place(event.club), Right.PLAYERS_EDIT)
        new = NewPlayer(person={"name": name}, kind=kind)
        return members.add_player(
            club_id=event.club_id, new=new, by=self.visit.by, at=self.visit.at
        )


def _meant(alike: Mapping[Player, bool], name: str, posted: Mapping[str, str]) -> Player | None:
    """The player whom the director chose, or the only one who has just this name."""
    if _is_asked_about(name, posted):
        for player in alike:
            if str(player.pk) == posted.get("who"):
                return player
    exact = [player for player, is_same in alike.items() if is_same]
    return exact[0] if len(exact) == 1 and not _is_new(name, posted) else None


def _is_new(name: str, posted: Mapping[str, str]) -> bool:
    return posted.get("who") == _NEW and _is_asked_about(name, posted)


def _is_asked_about(name: str, posted: Mapping[str, str]) -> bool:
    """Whether the question "Who is meant?" on the page was about this name."""
    return fold_text(posted.get("asked", name)) == fold_text(name)


def _alike(event: Event, name: str) -> Iterator[tuple[Player, bool]]:
    """Players of the club who may be meant, and whether a name is just the same."""
    known: dict[str, list[Player]] = {}
    for player in selectors.players(event.club).exclude(person=None).order_by("number"):
        known.setdefault(fold_text(player.person.name), []).append(player)
    sought = fold_text(name)
    same = known.get(sought, [])
    near = [one for one in known if sought in one and one != sought]
    near += get_close_matches(sought, known, LIKE_MOST, 0.8)
    yield from ((player, True) for player in same)
    if same:
        return
    for found in list(dict.fromkeys(near))[:LIKE_MOST]:
        yield from ((player, False) for player in known[found])


def entry_at(event: Event, entry_id: UUID) -> Entry:
    """An entry of an event. Raises NotThereError."""
    found = selectors.entries(event).filter(pk=entry_id).first()
    if found is None:
        raise NotThereError
    return found


class EntryForm(DeskForm):
    """What the seating and the standings know of somebody who plays."""

    presence = forms.ChoiceField(
        label=gettext_lazy("Is he or she here?"),
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
    sits_out = forms.BooleanField(
        label=gettext_lazy("Sits out first, if somebody has to"), required=False
    )
    stay_table = forms.IntegerField(
        label=gettext_lazy("Always at table"), min_value=1, max_value=1000, required=False
    )
    stay_seat = forms.TypedChoiceField(
        label=gettext_lazy("Always in seat"),
        choices=[("", gettext_lazy("any")), *((seat, str(seat + 1)) for seat in range(6))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    never_tables = TableNumbersField(
        label=gettext_lazy("Never at tables"),
        help_text=gettext_lazy("Their numbers, such as 3, 7."),
    )
    team = forms.CharField(
        label=gettext_lazy("Team"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Those of one team are kept apart."),
    )
    household = forms.CharField(
        label=gettext_lazy("Household"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Those of one household meet as seldom as can be."),
    )
    pot = forms.IntegerField(
        label=gettext_lazy("Seeding pot"), min_value=1, max_value=1000, required=False
    )
    handicap = forms.CharField(
        label=gettext_lazy("Handicap"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("A number such as 3 or 21/2."),
    )


class OneEntry(DeskPage):
    """Somebody who plays tonight."""

    needs = Right.EVENTS_EDIT
    template = "desk/entry.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID, entry_id: UUID) -> HttpResponse:
        """What is known of him."""
        entry = entry_at(event_of(self.visit), entry_id)
        initial = {name: getattr(entry, name) for name in entries.EDITABLE}
        return self._shown(entry, EntryForm(initial=initial))

    def post(self, request: HttpRequest, event_id: UUID, entry_id: UUID) -> HttpResponse:
        """Change what differs, keep apart, or take off who was entered by mistake."""
        entry = entry_at(event_of(self.visit), entry_id)
        form = EntryForm(request.POST)
        back = reverse("desk-event", args=[event_id]) + "#people"

        def work() -> str:
            by, at = self.visit.by, self.visit.at
            if "remove" in request.POST:
                entries.remove_entry(entry_id=entry_id, by=by, at=at)
                return back
            if other := request.POST.get("apart"):
                (found,) = _ids([other])
                entries.keep_apart(event_id=event_id, one=entry_id, other=found, by=by, at=at)
            if other := request.POST.get("meet"):
                (found,) = _ids([other])
                entries.let_meet(event_id=event_id, one=entry_id, other=found, by=by, at=at)
            typed = form.cleaned_data
            changes = {name: typed[name] for name in typed if typed[name] != getattr(entry, name)}
            if changes:
                entries.change_entry(entry_id=entry_id, changes=changes, by=by, at=at)
            self.say(_("Saved."))
            return back

        return self.saved(form, work) or self._shown(entry, form, REFUSED)

    def _shown(self, entry: Entry, form: EntryForm, status: int = 200) -> HttpResponse:
        event = event_of(self.visit)
        shared = shared_names(event.club)
        others = {
            one.pk: name_apart(one.player, shared)
            for one in selectors.entries(event).exclude(pk=entry.pk).order_by("number")
        }
        pairs = Apart.objects.filter(event=event).values_list("one_id", "other_id")
        apart = {two if one == entry.pk else one for one, two in pairs if entry.pk in (one, two)}
        context = {
            "event": event,
            "entry": entry,
            "name": name_apart(entry.player, shared),
            "form": form,
            "apart": [(pk, name) for pk, name in others.items() if pk in apart],
            "others": [(pk, name) for pk, name in others.items() if pk not in apart],
        }
        return self.shown(context, status)
