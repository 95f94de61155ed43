"""Format audit entries for people: labels and values of their fields."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.core.messages import Message
from engine.record.rulings import Decision
from scoring.hands.table_choices import TableChoice
from scoring.models import AppealStep, CallReason, PaperKind
from scoring.models.states import ruling_data
from scoring.presentation.cards import suit_name
from scoring.presentation.ruling_names import title_of
from scoring.web.desk.audit_references import AuditReferences, Booking, Words, uuid_of
from scoring.web.desk.check_in import EntryForm
from scoring.web.desk.money import KINDS as MONEY_KINDS
from scoring.web.desk.seat_form import POLICIES
from tournaments import audit
from tournaments.core.actors import ActorKind, Source
from tournaments.core.language import translate, translated_lazily
from tournaments.events.events import scoring_of
from tournaments.models import (
    AuditEntry,
    Club,
    DecisionKind,
    Entry,
    Event,
    League,
    Presence,
    Reply,
    SignInMethod,
)
from tournaments.reports.labels import UNITS, label_for
from tournaments.web.desk.accounts import KINDS
from tournaments.web.desk.leagues import SessionForm
from tournaments.web.desk.members import KnownPlayerForm
from tournaments.web.number_format import NOTHING, format_clock, format_number, money

_DIGITS: Final = 12
"""So many digits of a digest tell it apart."""
_NUMBER, _NAME = "%s %s", "%s: %s"
"""How a number, and a name, stands beside its seat."""


@dataclass(frozen=True, slots=True)
class AuditDetail:
    """One field in words; ``before`` is empty where nothing is known of it.

    ``is_record``: lines of a record, as they were written.
    """

    label: str
    after: Sequence[Words]
    before: Sequence[Words] = ()
    is_record: bool = False


@dataclass(frozen=True, slots=True)
class AuditField:
    """A field of audit entries.

    ``format`` writes a value, or gives None where it is an identifier or one of the ``choices``;
    ``by_seat``: there is a value for each seat, and this is how it stands beside the seat.
    """

    label: str | Promise
    format: Callable[["TrailEntry", Any], str | None] = lambda _entry, _value: None
    choices: Mapping[str, object] = field(default_factory=dict)
    by_seat: str = ""
    is_digest: bool = False


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """An audit entry with its details, and what these refer to."""

    row: AuditEntry
    stored: Mapping[str, Any]
    references: AuditReferences

    @property
    def what(self) -> str:
        """Return the deed in words."""
        return audit.describe_action(self.row.what)

    @property
    def who(self) -> str:
        """The name of the account that did it, or what kind of actor it was."""
        return self.references.actors[self.row.by]

    @property
    def source(self) -> str:
        """The channel through which it was done, such as the API or the desk."""
        return translate(Source.of(self.row.source).words)

    @property
    def why(self) -> str:
        """The reason: a service's is translated, whatever a person wrote stays as it is."""
        is_system = self.row.by == ActorKind.SYSTEM
        return translate(Message(self.row.why)) if is_system else self.row.why

    @property
    def place(self) -> Words:
        """The game or event where it was done, or else the club."""
        return self.references.names.get(str(self.row.chain)) or Words(gettext("the club"))

    @property
    def hand(self) -> Words | None:
        """The hand to which it was done."""
        return self.references.names.get(str(self.stored.get("hand")))

    def details(self) -> list[AuditDetail]:
        """The details in words.

        An entry that no service wrote in this shape stands as it is stored: the trail is read
        just when somebody has tampered with it.
        """
        try:
            return [*self._fields(), *self._player_of_booking(), *self._changed_lines()]
        except (AttributeError, KeyError, TypeError, ValueError):
            return [AuditDetail(_label(key), [_raw(one)]) for key, one in self.stored.items()]

    def seat(self, seat: object) -> str:
        """A seat, and who sat there in the hand that the entry is about."""
        hand = self.stored.get("first" if self.row.what == "seat taken" else "hand")
        if isinstance(hand, str):
            hand = self.stored.get("number")
        found = self.references.seat(self.row.chain, seat, hand)
        return gettext("the whole table") if seat is None else found or str(seat)

    def first(self, number: object) -> str:
        """From which hand, or from which round."""
        is_hand = self.row.what == "seat taken"
        return (gettext("hand %(n)s") if is_hand else gettext("round %(n)s")) % {"n": number}

    def pool(self, amount: object) -> str | None:
        """The money of a game."""
        return _money(amount, self.references.currencies.get(self.row.chain))

    def amount(self, amount: Any) -> str:
        """Money with its currency, or a score with its sign."""
        currency = self.stored.get("currency")
        if not currency and self._booking is not None:
            currency = self._booking.currency
        is_score = self.row.what == "score adjusted"
        return _money(amount, currency) or format_number(amount, signed=is_score)

    @property
    def _booking(self) -> Booking | None:
        entry = self.stored.get("entry")
        return self.references.bookings.get(entry) if isinstance(entry, int) else None

    def _fields(self) -> Iterator[AuditDetail]:
        for key, value in self.stored.items():
            if key == "decision" and "ruling" in self.stored:
                yield from self._ruling()
            elif key == "results":
                yield from map(self._result, value)
            elif self._is_said_elsewhere(key):
                continue
            elif key not in FIELDS:
                yield AuditDetail(key, [_raw(value)])
            elif value not in (None, "", [], {}):
                event, label = self.references.events.get(self.row.chain), _label(key)
                if key == "amount" and event is not None:
                    names = {"what": label, "unit": label_for(UNITS, scoring_of(event).unit)}
                    label = gettext("%(what)s (%(unit)s)") % names
                before = self._sitter_before() if key == "player" else None
                words = [*self._words(key, value)]
                yield AuditDetail(label, words, () if before is None else [before])

    def _result(self, changed: Mapping[str, Any]) -> AuditDetail:
        """Return a player's result in an event with results only, and the one before."""
        before, after = changed["before"], changed["after"]
        name = self._word(FIELDS["player"], changed["player"]).text
        return AuditDetail(name, [_result(after)], [] if before is None else [_result(before)])

    def _is_said_elsewhere(self, key: str) -> bool:
        hand = str(self.stored.get("hand"))
        return (
            (key == "number" and hand in self.references.names)
            or (key == "currency" and "amount" in self.stored)
            or (key == "record" and (hand, self.stored.get("version")) in self.references.records)
        )

    def _sitter_before(self) -> Words | None:
        """Return the sitter before of the seat that somebody took."""
        seat, first = self.stored.get("seat"), self.stored.get("first")
        is_taken = self.row.what == "seat taken"
        if not (is_taken and isinstance(seat, int) and isinstance(first, int)):
            return None
        return self.references.sitter(self.row.chain, seat, first - 1)

    def _ruling(self) -> Iterator[AuditDetail]:
        """A ruling, beside the one that it supersedes."""
        superseded = uuid_of(self.stored.get("supersedes"))
        row = self.references.rulings.get(superseded) if superseded else None
        earlier = {} if row is None else ruling_data(row.decision())
        now = self.stored["decision"] or {}
        # What the next hand inherits stands beside the rest.
        before, after = ({**one, **one.get("then", {})} for one in (earlier, now))
        for key in dict.fromkeys(("decision", *before, *after)):
            is_why = key == "text" and after.get(key, "") in ("", self.row.why)
            if key == "then" or (is_why and not before.get(key)):
                continue
            old, new = (
                [*self._words(key, one[key])] if key in one else [Words(NOTHING)]
                for one in (before, after)
            )
            if key == "decision" and not now:
                new = [Words(gettext("taken back"))]
            yield AuditDetail(_label(key), new, old if earlier and old != new else [])

    def _player_of_booking(self) -> Iterator[AuditDetail]:
        booking = self._booking
        if booking is not None and booking.player and "player" not in self.stored:
            yield AuditDetail(_label("player"), [self._word(FIELDS["player"], booking.player)])

    def _changed_lines(self) -> Iterator[AuditDetail]:
        """The lines of a record that a correction changed."""
        hand, version = str(self.stored.get("hand")), self.stored.get("version")
        if "record" not in self.stored or not isinstance(version, int):
            return
        records = self.references.records
        old, new = records.get((hand, version - 1)), records.get((hand, version))
        if old is None or new is None:
            return
        lines = old.splitlines(), new.splitlines()
        changed = SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
        gone: list[str] = []
        came: list[str] = []
        for what, start, end, first, last in changed:
            if what != "equal":
                gone += lines[0][start:end]
                came += lines[1][first:last]
        after, before = ([Words("\n".join(part))] for part in (came, gone))
        yield AuditDetail(_label("record"), after, before, is_record=True)

    def _words(self, key: str, value: Any) -> Iterator[Words]:
        """A value in words, one for each of its parts."""
        what = FIELDS.get(key, AuditField(key))
        if key == "links" and isinstance(value, list):
            value = len(value)
        if not what.by_seat or (key == "players" and self.row.chain not in self.references.games):
            yield from (self._word(what, part) for part in _parts(value))
            return
        pairs = value.items() if isinstance(value, dict) else enumerate(_parts(value))
        for place, one in pairs:
            words = self._word(what, one)
            seat = self.seat(int(place) if str(place).isdecimal() else place)
            yield Words(what.by_seat % (seat, words.text), words.href)

    def _word(self, what: AuditField, value: Any) -> Words:
        """Format a single value; return it as stored if its meaning is unknown."""
        text = what.format(self, value)
        if text is not None:
            return Words(text)
        if what is FIELDS["hand"] and isinstance(value, int):
            hand = self.references.hands.get((self.row.chain, value))
            return hand or Words(gettext("hand %(n)d") % {"n": value})
        found = self.references.names.get(str(value))
        if found is not None and found.text:
            return found
        if what.is_digest and isinstance(value, str):
            return Words(value[:_DIGITS])
        return Words(str(what.choices[str(value)])) if str(value) in what.choices else _raw(value)


def _result(stored: Mapping[str, Any] | None) -> Words:
    if stored is None:
        return Words(gettext("taken out"))
    parts = [
        (stored["points"], gettext("%(n)s points") % {"n": format_number(stored["points"])}),
        (stored["place"], gettext("place %(n)s") % {"n": stored["place"]}),
        (stored["games"], gettext("%(n)s games") % {"n": stored["games"]}),
    ]
    return Words(", ".join(words for value, words in parts if value))


def _label(key: str) -> str:
    return str(FIELDS[key].label) if key in FIELDS else key


def _parts(value: object) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _raw(value: object) -> Words:
    return Words(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _money(amount: object, currency: str | None) -> str | None:
    if not currency or not isinstance(amount, int):
        return None
    return f"{money(amount, currency)}\N{NO-BREAK SPACE}{currency}"


def _with_sign(_entry: TrailEntry, number: Any) -> str:
    return format_number(number, signed=True)


def _clock_time(_entry: TrailEntry, seconds: int) -> str:
    return format_clock(seconds)


def _paper(_entry: TrailEntry, written: object) -> str:
    return str(written or gettext("missing"))


def _time(text: str) -> str | None:
    """A day, or a day and a time, as the reader's language writes it."""
    try:
        if (day := parse_date(text)) is not None:
            return date_format(day, gettext("j M Y"))
        moment = parse_datetime(text)
    except ValueError:
        return None
    return None if moment is None else date_format(localtime(moment), gettext("j M Y, H:i"))


_YES_NO: Final[Mapping[str, object]] = {"True": _("yes"), "False": _("no")}
_KEPT: Final[Mapping[str, object]] = {"True": _("the first record"), "False": _("the later record")}
_TABLE_CHOICES: Final[Mapping[str, object]] = {
    TableChoice.FIRST: _("the first record"),
    TableChoice.SECOND: _("the later record"),
    TableChoice.NEITHER: pgettext_lazy("in the trail", "neither"),
    TableChoice.DIRECTOR: _("what the director decides"),
}
_KINDS: Final[Mapping[str, object]] = {
    **dict(KINDS),
    **dict(MONEY_KINDS),
    **dict(DecisionKind.choices),
    **dict(PaperKind.choices),
}
_CHANGED: Final[Mapping[str, object]] = {
    **{
        column.name: column.verbose_name
        for model in (Club, Entry, League, Event)
        for column in model._meta.concrete_fields
    },
    **{
        name: asked.label
        for form in (KnownPlayerForm, EntryForm, SessionForm)
        for name, asked in form.base_fields.items()
    },
    "first": _("First round"),
    "kind": _("Kind of member"),
    "last": _("Last round"),
    "number": _("Number"),
    "opening": _("Points brought along"),
    "opening_events": _("Nights brought along"),
    "withdrawn": _("Withdrawn"),
}
"""Fields of clubs, members, entries, events and leagues, as an entry names them if changed.

They are called as their column or the form that changes them calls them.
"""
FIELDS: Final[Mapping[str, AuditField]] = {
    "account": AuditField(_("Account")),
    "adjustment": AuditField(_("Adjustment")),
    "admin": AuditField(_("Admin")),
    "amount": AuditField(_("Amount"), TrailEntry.amount),
    "attempt": AuditField(_("Attempt at the seating")),
    "automatic": AuditField(_("Called off by itself"), choices=_YES_NO),
    "begins": AuditField(_("Begins"), lambda _entry, text: _time(str(text))),
    "board": AuditField(_("Board")),
    "boards": AuditField(_("Boards")),
    "called_by": AuditField(_("Called by")),
    "carry": AuditField(_("Carried over")),
    "chips": AuditField(_("Chips added"), _with_sign, by_seat=_NUMBER),
    "code": AuditField(_("Irregularity"), lambda _entry, name: title_of(str(name)) or None),
    "commitments": AuditField(_("Digest of the fingerprints of all keys")),
    "dealer": AuditField(_("Next dealer"), TrailEntry.seat),
    "deals": AuditField(_("Deals so far")),
    "decision": AuditField(
        _("Decision"), choices={one: translated_lazily(one.details) for one in Decision}
    ),
    "count": AuditField(pgettext_lazy("in the trail", "How many")),
    "digest": AuditField(_("Digest"), is_digest=True),
    "entries": AuditField(_("Entries")),
    "entry": AuditField(pgettext_lazy("in the trail", "Entry")),
    "event": AuditField(_("Night")),
    "events": AuditField(_("Tells of")),
    "finish_on": AuditField(_("To be finished on")),
    "feet": AuditField(_("Feet called"), TrailEntry.seat),
    "fields": AuditField(pgettext_lazy("in the trail", "Changed"), choices=_CHANGED),
    "final": AuditField(_("The final")),
    "first": AuditField(pgettext_lazy("in the trail", "From"), TrailEntry.first),
    "game": AuditField(_("Game")),
    "hand": AuditField(_("Hand")),
    "hands": AuditField(_("Hands")),
    "into": AuditField(_("Is one with")),
    "is_hidden": AuditField(_("Hidden from strangers"), choices=_YES_NO),
    "is_public": AuditField(_("Open to strangers"), choices=_YES_NO),
    "is_results_only": AuditField(_("Results only"), choices=_YES_NO),
    "choice": AuditField(pgettext_lazy("in the trail", "Right is"), choices=_TABLE_CHOICES),
    "jackpot": AuditField(_("Jackpot hand number")),
    "keep": AuditField(pgettext_lazy("in the trail", "Kept"), choices=_KEPT),
    "key": AuditField(pgettext_lazy("in the trail", "Key")),
    "kind": AuditField(pgettext_lazy("in the trail", "Kind"), choices=_KINDS),
    "league": AuditField(pgettext_lazy("in the trail", "Season")),
    "least": AuditField(_("How many are needed")),
    "left": AuditField(_("Time left"), _clock_time),
    "left out": AuditField(_("Hands left out")),
    "links": AuditField(_("Links")),
    "method": AuditField(_("Way in"), choices=dict(SignInMethod.choices)),
    "minutes": AuditField(_("Minutes")),
    "moved_from": AuditField(_("Moved from"), lambda _entry, text: _time(str(text))),
    "moved_to": AuditField(_("Moved to"), lambda _entry, text: _time(str(text))),
    "namer": AuditField(_("Who names the suit next"), TrailEntry.seat),
    "nights": AuditField(_("Nights")),
    "number": AuditField(pgettext_lazy("in the trail", "Number")),
    "offenders": AuditField(_("Offenders"), TrailEntry.seat),
    "pain": AuditField(
        _("Pain suit of the jackpot"), lambda _entry, one: suit_name(str(one)) or None
    ),
    "paired on": AuditField(_("Seated by standings of version")),
    "phone": AuditField(pgettext_lazy("in the trail", "Phone"), is_digest=True),
    "play_on": AuditField(_("The game goes on, whatever end it had reached"), choices=_YES_NO),
    "player": AuditField(_("Player")),
    "players": AuditField(_("Players"), by_seat=_NAME),
    "policy": AuditField(_("The hands after it"), choices=dict(POLICIES)),
    "pool": AuditField(_("Pool"), TrailEntry.pool),
    "pot": AuditField(_("Into the pot"), _with_sign),
    "presence": AuditField(
        pgettext_lazy("in the trail", "Presence"), choices={one: one.details for one in Presence}
    ),
    "queen": AuditField(_("Who took the queen"), TrailEntry.seat),
    "reason": AuditField(_("Why"), choices=dict(CallReason.choices)),
    "reply": AuditField(pgettext_lazy("in the trail", "Reply"), choices=dict(Reply.choices)),
    "recipients": AuditField(_("Recipients")),
    "record": AuditField(_("Record"), is_digest=True),
    "restores": AuditField(_("Holds again"), lambda _entry, n: gettext("ruling %(n)s") % {"n": n}),
    "rival": AuditField(_("The other record")),
    "rival of": AuditField(_("Came after")),
    "round": AuditField(_("Round")),
    "rounds": AuditField(_("Rounds")),
    "rule_set": AuditField(_("House rules")),
    "rules": AuditField(_("House rules"), is_digest=True),
    "ruling": AuditField(_("Ruling")),
    "same": AuditField(_("Says the same"), choices=_YES_NO),
    "scopes": AuditField(pgettext_lazy("what somebody is allowed to do", "May")),
    "score": AuditField(_("Points added"), _with_sign, by_seat=_NUMBER),
    "seal": AuditField(pgettext_lazy("in the trail", "Seal"), is_digest=True),
    "seat": AuditField(_("Seat"), TrailEntry.seat),
    "seats": AuditField(_("Seats"), TrailEntry.seat),
    "seed": AuditField(_("Seed of the draw")),
    "source": AuditField(_("Where they come from")),
    "standings": AuditField(_("Version of the standings")),
    "step": AuditField(_("Appeal"), choices=dict(AppealStep.choices)),
    "supersedes": AuditField(_("Takes the place of")),
    "table": AuditField(_("Table")),
    "tables": AuditField(_("Tables")),
    "taken": AuditField(_("Pain cards taken"), lambda _entry, n: format_number(n), by_seat=_NUMBER),
    "text": AuditField(_("Text")),
    "unfinished": AuditField(_("Tables not finished")),
    "until": AuditField(_("Until"), lambda _entry, text: _time(str(text))),
    "values": AuditField(_("On the papers"), _paper, by_seat=_NAME),
    "version": AuditField(pgettext_lazy("in the trail", "Version")),
}
