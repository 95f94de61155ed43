"""The details of an entry of the trail: a label, what was before, and what is since."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.web.cards import suit_name
from scoring.web.desk.audit_labels import FIELDS, LABELS, VALUES
from scoring.web.desk.audit_names import AuditNames, Words
from scoring.web.desk.ruling_form import DECISIONS, POLICIES
from scoring.web.irregularity_names import title_of
from tournaments.models import AuditEntry
from tournaments.web.number_format import format_number, money

_SHORT: Final = 12
"""So many letters of a digest tell it apart."""
_NOTHING: Final = Words("\N{EN DASH}")
_DECISIONS: Final = {str(one): words for one, words in DECISIONS.items()}
_POLICIES: Final = {str(one): words for one, words in POLICIES}
_FLAGS: Final = ("is_hidden", "is_public", "same", "play_on")
_DIGESTS: Final = ("digest", "record", "rules", "seal")
_BY_SEAT: Final = ("taken", "score", "chips")
_SEATS: Final = ("seat", "seats", "offenders", "queen", "dealer", "namer", "feet")


@dataclass(frozen=True, slots=True)
class AuditDetail:
    """One detail; ``before`` is empty where nothing is known of it.

    ``is_record``: lines of a record, as they were written.
    """

    label: str
    after: Sequence[Words]
    before: Sequence[Words] = ()
    is_record: bool = False


def details_of(
    row: AuditEntry, told: Mapping[str, Any], names: AuditNames
) -> Iterator[AuditDetail]:
    """The details of an entry in words; what nobody gave words stands as it is kept.

    So does an entry that no use case wrote like that: a trail is read when somebody was at it.
    """
    try:
        yield from list(_Entry(row, told, names).details())
    except (AttributeError, KeyError, TypeError, ValueError):
        for key, value in told.items():
            yield AuditDetail(str(LABELS.get(key, key)), [_raw(value)])


class _Entry:
    """An entry that is put into words."""

    def __init__(self, row: AuditEntry, told: Mapping[str, Any], names: AuditNames) -> None:
        self.row, self.told, self.names = row, told, names
        self.hand = told.get("first" if row.what == "seat taken" else "hand")
        if isinstance(self.hand, str):
            self.hand = told.get("number")

    def details(self) -> Iterator[AuditDetail]:
        """All of them."""
        for key, value in self.told.items():
            if key == "decision" and "ruling" in self.told:
                yield from self.decision()
            elif not self.is_told_elsewhere(key):
                yield from self.detail(key, value)
        yield from self.more()

    def is_told_elsewhere(self, key: str) -> bool:
        """What another detail says already."""
        match key:
            case "number":
                return str(self.told.get("hand")) in self.names.known
            case "currency":
                return "amount" in self.told
            case "record":
                return (str(self.told.get("hand")), self.told.get("version")) in self.names.records
            case _:
                return False

    def detail(self, key: str, value: object) -> Iterator[AuditDetail]:
        """One detail; nothing where a known one is empty."""
        label = LABELS.get(key)
        if label is None:
            yield AuditDetail(key, [_raw(value)])
        elif value not in (None, "", [], {}):
            before = [*self.before(key)]
            yield AuditDetail(self.label(key, str(label)), [*self.words(key, value)], before)

    def label(self, key: str, label: str) -> str:
        """The label, with the unit of an amount that has no currency."""
        unit = self.names.units.get(self.row.chain, "")
        if key == "amount" and unit:
            return _("%(what)s (%(unit)s)") % {"what": label, "unit": unit}
        return label

    def before(self, key: str) -> Iterator[Words]:
        """What was in its place before."""
        seat, first = self.told.get("seat"), self.told.get("first")
        if self.row.what != "seat taken" or key != "player":
            return
        if isinstance(seat, int) and isinstance(first, int):
            sat = self.names.sitter(self.row.chain, seat, first - 1)
            if str(sat) in self.names.known:
                yield self.names.known[str(sat)]

    def words(self, key: str, value: object) -> Iterator[Words]:
        """A value in words, one for each of its parts."""
        said = _SAYINGS.get(key)
        found = None if said is None else said(self, value)
        if found is not None:
            yield Words(found)
        elif key in _SEATS:
            yield from map(self.seat, _listed(value))
        elif key in (*_BY_SEAT, "players", "values"):
            yield from self.by_seat(key, value)
        else:
            for one in _listed(value):
                yield self.known(key, one)

    def by_seat(self, key: str, value: object) -> Iterator[Words]:
        """Something of each seat: a number, who sits there, what stands on its paper."""
        at_table = self.row.chain in self.names.games
        pairs = value.items() if isinstance(value, dict) else enumerate(_listed(value))
        for place, one in pairs:
            if key == "players" and at_table:
                who = self.known("player", one)
                yield Words(f"{self.seat(place).text}: {who.text}", who.href)
            elif key == "players":
                yield self.known("player", one)
            elif key == "values":
                seat = int(place) if str(place).isdecimal() else place
                paper = one or _("missing")
                yield Words(f"{self.seat(seat).text}: {paper}")
            else:
                yield Words(f"{self.seat(place).text} {format_number(one, signed=key != 'taken')}")

    def seat(self, seat: object) -> Words:
        """A seat, and who sat there."""
        found = self.names.seat(self.row.chain, seat, self.hand)
        return Words(_("the whole table")) if seat is None else Words(found or str(seat))

    def known(self, key: str, value: object) -> Words:
        """What an identifier stands for, or a word of the trail means."""
        if key == "hand" and isinstance(value, int):
            told = self.names.hands.get((self.row.chain, value))
            return told or Words(_("hand %(n)d") % {"n": value})
        if key in _FLAGS and isinstance(value, bool):
            return Words(_("yes") if value else _("no"))
        found = self.names.known.get(str(value))
        if found is not None and found.text:
            return found
        if key in _DIGESTS and isinstance(value, str):
            return Words(value[:_SHORT])
        words = (FIELDS if key == "fields" else VALUES.get(key, {})).get(str(value))
        return _raw(value) if words is None else Words(str(words))

    def amount(self, value: object) -> str | None:
        """Money with its currency, or a score with its sign."""
        entry = self.told.get("entry")
        booked = self.names.booked.get(entry) if isinstance(entry, int) else None
        currency = self.told.get("currency") or (booked and booked.currency)
        if currency and isinstance(value, int):
            return _with_unit(value, str(currency))
        return format_number(value, signed=self.row.what == "score adjusted")

    def pool(self, value: object) -> str | None:
        """The money of a game."""
        currency = self.names.currencies.get(self.row.chain)
        return _with_unit(value, currency) if currency and isinstance(value, int) else None

    def first(self, value: object) -> str | None:
        """From which hand, or from which round."""
        is_hand = self.row.what == "seat taken"
        return (_("hand %(n)s") if is_hand else _("round %(n)s")) % {"n": value}

    def decision(self) -> Iterator[AuditDetail]:
        """A ruling, beside the one whose place it took."""
        now = self.told["decision"] or {}
        earlier = self.names.rulings.get(str(self.told.get("supersedes")), {})
        before, after = _flat(earlier), _flat(now)
        for key in dict.fromkeys(("decision", *before, *after)):
            if key == "text" and after.get(key, "") in ("", self.row.why) and not before.get(key):
                continue
            old = [*self.words(key, before[key])] if key in before else []
            new = [*self.words(key, after[key])] if key in after else []
            if key == "decision" and not now:
                new = [Words(_("taken back"))]
            label = str(LABELS.get(key, key))
            yield AuditDetail(
                label, new or [_NOTHING], (old or [_NOTHING]) if earlier and old != new else []
            )

    def more(self) -> Iterator[AuditDetail]:
        """What no detail says and is known all the same."""
        entry, hand, version = (self.told.get(key) for key in ("entry", "hand", "version"))
        booked = self.names.booked.get(entry) if isinstance(entry, int) else None
        if booked is not None and "player" not in self.told and booked.player is not None:
            yield AuditDetail(str(LABELS["player"]), [self.known("player", booked.player)])
        if "record" in self.told and isinstance(version, int):
            old, new = (self.names.records.get((str(hand), one)) for one in (version - 1, version))
            if old is not None and new is not None:
                yield _change(old, new)


_SAYINGS: Final[Mapping[str, Callable[[_Entry, Any], str | None]]] = {
    "amount": _Entry.amount,
    "pool": _Entry.pool,
    "first": _Entry.first,
    "code": lambda _entry, value: title_of(str(value)) or None,
    "decision": lambda _entry, value: _text(_DECISIONS.get(str(value))),
    "policy": lambda _entry, value: _text(_POLICIES.get(str(value))),
    "pain": lambda _entry, value: suit_name(str(value)) or None,
    "pot": lambda _entry, value: format_number(value, signed=True),
    "until": lambda _entry, value: _moment(str(value)),
    "links": lambda _entry, value: str(len(value)) if isinstance(value, list) else None,
    "restores": lambda _entry, value: _("ruling %(n)s") % {"n": value},
    "keep": lambda _entry, value: _("the first record") if value is True else _("the later record"),
}


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _text(words: object) -> str | None:
    return None if words is None else str(words)


def _moment(text: str) -> str | None:
    """A day, or a day and a time, as the reader's language writes it."""
    try:
        if (day := parse_date(text)) is not None:
            return date_format(day, _("j M Y"))
        found = parse_datetime(text)
    except ValueError:
        return None
    return None if found is None else date_format(localtime(found), _("j M Y, H:i"))


def _with_unit(amount: int, currency: str) -> str:
    return f"{money(amount, currency)}\N{NO-BREAK SPACE}{currency}"


def _raw(value: object) -> Words:
    return Words(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _flat(ruling: Mapping[str, Any]) -> dict[str, Any]:
    """A ruling as it is kept, with what the next hand inherits beside the rest."""
    return {**{key: one for key, one in ruling.items() if key != "then"}, **ruling.get("then", {})}


def _change(before: str, after: str) -> AuditDetail:
    """The lines of a record that a correction changed."""
    old, new = before.splitlines(), after.splitlines()
    gone: list[str] = []
    came: list[str] = []
    for what, start, end, first, last in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if what != "equal":
            gone += old[start:end]
            came += new[first:last]
    return AuditDetail(
        str(LABELS["record"]), [Words("\n".join(came))], [Words("\n".join(gone))], is_record=True
    )
