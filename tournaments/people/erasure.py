"""Erasing a person: every text of the club in which a name or a contact of theirs was written.

Rows speak of players by identifiers and need nothing; what people typed can name somebody. A text
that names the person keeps its sense: the name is replaced by what the player is called from now on
("Former member 7"). Only whole names count, only in texts of the person's own club, and where a
longer name of another member contains it, that one is meant (docs/adr/0008).
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from unicodedata import normalize
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Model, QuerySet

from tournaments import audit, invalidation
from tournaments.core.ports import books
from tournaments.models import (
    Adjustment,
    AnsweredRequest,
    ApiKey,
    AuditEntry,
    BoardDecision,
    Club,
    Entry,
    Event,
    FormerDetail,
    Import,
    ImportedObject,
    Invitation,
    Job,
    League,
    Person,
    Player,
    PlayerBar,
    Published,
    RuleSet,
    Scope,
    SeatDecision,
    Snapshot,
    StandingsDecision,
    Table,
)
from tournaments.selectors import former_name

_NAME_LEAST: Final = 2
"""Signs of a name that is looked for in sentences: "A" is known by the seat alone."""


@dataclass(frozen=True)
class Erasure:
    """An erasure: the players (the survivor and the duplicates) and the words about them."""

    club: UUID
    players: frozenset[UUID]
    pseudonym: str
    own: frozenset[str]
    others: frozenset[str] = field(default_factory=frozenset)
    unclear: set[str] = field(default_factory=set)
    """Texts met so far that keep a name, because somebody else of the club has it too."""

    @classmethod
    def of(cls, player: Player) -> "Erasure":
        """Everything that is known of a player who is not a duplicate. Four queries."""
        players = {player.pk, *player.duplicates.values_list("pk", flat=True)}
        own: set[str] = set()
        for person in Person.objects.filter(player__in=players):
            own |= {person.name, *FormerDetail.select_long([person.email, person.phone])}
        own |= set(FormerDetail.objects.filter(player__in=players).values_list("text", flat=True))
        own -= {word for word in own if len(word) < _NAME_LEAST}
        people = Person.objects.filter(player__club=player.club_id).exclude(player__in=players)
        return cls(
            club=player.club_id,
            players=frozenset(players),
            pseudonym=former_name(player.number),
            own=frozenset(normalize("NFC", word) for word in own),
            others=frozenset(_fold_name(name) for name in people.values_list("name", flat=True)),
        )

    @cached_property
    def _own_names(self) -> re.Pattern[str]:
        """Finds every place where the person may be named."""
        return _pattern_of(self.own)

    @cached_property
    def _all_names(self) -> re.Pattern[str]:
        """Finds the longest name of anybody at each place in a text."""
        return _pattern_of(self.own | self.others)

    @cached_property
    def _own_forms(self) -> frozenset[str]:
        return _fold_forms(self.own)

    @cached_property
    def _replaceable(self) -> frozenset[str]:
        """The person's names in all forms that nobody else of the club has."""
        return self._own_forms - _fold_forms(self.others)

    def list_namesakes(self) -> list[Player]:
        """List the other players of the club who have one of the names. One query."""
        people = Person.objects.filter(player__club=self.club).exclude(player__in=self.players)
        return [
            person.player
            for person in people.select_related("player").order_by("player__number")
            if not self._own_forms.isdisjoint(_fold_forms([person.name]))
        ]

    def erase(self, text: str) -> str:
        """The text with every name of the person replaced."""
        # Looking for everybody in the club takes long, and hardly any text names the person.
        if self._own_names.search(text) is None:
            return text
        return self._all_names.sub(self._replacement, text)

    def _replacement(self, found: re.Match[str]) -> str:
        said = _fold_name(found[0])
        # A single word is a name in its own spelling alone: "Will" is one, "will" is not.
        is_word = " " not in said and "@" not in said
        if is_word and normalize("NFC", found[0]) not in self.own:
            return found[0]
        if said in self._replaceable:
            return self.pseudonym
        if said in self._own_forms:
            self.unclear.add(found.string)
        return found[0]

    def cut(self, text: str, most: int) -> str:
        """An erased text as a column holds it: the guards of its table look for the pseudonym."""
        if len(text) <= most or self.pseudonym in text[:most]:
            return text[:most]
        return f"{text[: most - len(self.pseudonym) - 1]} {self.pseudonym}"

    def erase_data(self, data: Any) -> Any:
        """Plain data with every name in its strings replaced."""
        match data:
            case str():
                return self.erase(data)
            case dict():
                return {self.erase(key): self.erase_data(value) for key, value in data.items()}
            case list():
                return [self.erase_data(one) for one in data]
            case _:
                return data

    def erase_json(self, text: str) -> str:
        """A JSON text with every name replaced; as it is where there is none."""
        try:
            data = json.loads(text)
        except ValueError:
            return self.erase(text)
        erased = self.erase_data(data)
        if erased == data:
            return text
        return json.dumps(erased, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    def mentions(self, body: bytes) -> bool:
        """Whether a request or an answer is about a player of this person, or has a name in it."""
        text = body.decode("utf-8", "replace")
        return any(str(player) in text for player in self.players) or self.erase_json(text) != text


def erase_texts(rows: "QuerySet[Any]", erasure: Erasure, *names: str, **also: Any) -> None:
    """Erase a person from columns of some rows; ``also`` is set in the rows that change.

    Texts keep the length that their columns have.
    """
    model: type[Model] = rows.model
    for pk, *texts in rows.values_list("pk", *names).order_by("pk").iterator(2000):
        changed = {}
        for name, text in zip(names, texts, strict=True):
            erased = _erase_value(text, erasure)
            if erased != text:
                most = getattr(model._meta.get_field(name), "max_length", None)
                if most is not None and isinstance(erased, str):
                    erased = erasure.cut(erased, most)
                changed[name] = erased
        if changed:
            model._default_manager.filter(pk=pk).update(**changed, **also)


def _erase_value(value: Any, erasure: Erasure) -> Any:
    return erasure.erase(value) if isinstance(value, str) else erasure.erase_data(value)


def erase_everywhere(erasure: Erasure) -> None:
    """Erase a person from all texts of the club; the caller holds the club's lock.

    Requests that were answered lose their content, so that they are still not served twice.
    """
    club = erasure.club
    for row in AnsweredRequest.objects.filter(club_id=club).iterator(500):
        if erasure.mentions(bytes(row.body)) or erasure.mentions(bytes(row.answer)):
            AnsweredRequest.objects.filter(pk=row.pk).update(body=b"", answer=b"{}")
    texts = ("params", "outcome", "place", "file_name")
    erase_texts(Job.objects.filter(club=club), erasure, *texts)
    erase_texts(Import.objects.filter(club=club), erasure, "file_name")
    erase_texts(ImportedObject.objects.filter(source_import__club=club), erasure, "before")
    erase_texts(Club.objects.filter(pk=club), erasure, "about")
    texts = ("name", "scoring_reason", "cancel_reason", "move_reason")
    erase_texts(Event.objects.filter(club=club), erasure, *texts)
    erase_texts(Table.objects.filter(round__event__club=club), erasure, "adjourn_reason")
    erase_texts(League.objects.filter(club=club), erasure, "name")
    erase_texts(RuleSet.objects.filter(club=club), erasure, "name")
    erase_texts(ApiKey.objects.filter(club=club), erasure, "name")
    erase_texts(Entry.objects.filter(event__club=club), erasure, "team", "household")
    erase_texts(Adjustment.objects.filter(entry__event__club=club), erasure, "reason")
    erase_texts(SeatDecision.objects.filter(game__club=club), erasure, "reason")
    erase_texts(BoardDecision.objects.filter(game__club=club), erasure, "reason")
    erase_texts(StandingsDecision.objects.filter(published__club=club), erasure, "reason")
    erase_texts(Person.objects.filter(player__club=club), erasure, "note")
    erase_texts(PlayerBar.objects.filter(player__club=club), erasure, "reason")
    mine = Invitation.objects.filter(club=club, email__in=map(str.lower, erasure.own))
    # Without its address it would be for whoever has the link.
    mine.update(email="", ends_at=F("created_at"), due_at=None)
    reasons = AuditEntry.objects.filter(club_id=club).exclude(why="")
    erase_texts(reasons, erasure, "why", why_salt=audit.ERASED)
    _forget_bars(erasure)
    _erase_standings(erasure)
    books().erase_person(erasure)
    transaction.on_commit(_forget_old_pages)


def _forget_bars(erasure: Erasure) -> None:
    """Clear why the person was barred: such a reason is about them, whatever words it has."""
    PlayerBar.objects.filter(player__in=erasure.players).update(reason="")
    barred = AuditEntry.objects.filter(club_id=erasure.club, what=audit.BARRED)
    for entry in barred.exclude(why__in=("", erasure.pseudonym)):
        if UUID(json.loads(entry.details)["player"]) in erasure.players:
            told = {"why": erasure.pseudonym, "why_salt": audit.ERASED}
            AuditEntry.objects.filter(pk=entry.pk).update(**told)


def _erase_standings(erasure: Erasure) -> None:
    """Names of teams stand in published tables, which are known by their digests.

    Seasons, which come after events, name the digests of the events that they count.
    """
    digests: dict[str, str] = {}
    rows = Snapshot.objects.filter(published__club=erasure.club).order_by("published__scope", "pk")
    found = rows.values_list("pk", "published", "version", "data", "digest")
    for pk, published, version, data, known_as in found.iterator(100):
        erased = erasure.erase_json(data)
        for old, new in digests.items():
            erased = erased.replace(old, new)
        if erased != data:
            digest = hashlib.sha256(erased.encode()).hexdigest()
            digests[known_as] = digest
            Snapshot.objects.filter(pk=pk).update(data=erased, digest=digest)
            Published.objects.filter(pk=published, version=version).update(digest=digest)
            row = Published.objects.get(pk=published)
            if row.scope == Scope.EVENT:
                invalidation.mark(
                    Scope.EVENT, [row.subject], row.computed_at or row.club.created_at
                )


def _forget_old_pages() -> None:
    """Let SQLite write its log into the file, so that no older page of it is left."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _fold_name(name: str) -> str:
    return " ".join(normalize("NFC", name).casefold().split())


def _fold_forms(names: Iterable[str]) -> frozenset[str]:
    return frozenset(_fold_name(form) for name in names for form in _forms(name))


def _forms(name: str) -> set[str]:
    """A name as people write it: as it is, and with the surname first or last."""
    last, comma, first = name.partition(",")
    words = name.split()
    turned = f"{first.strip()} {last.strip()}" if comma else f"{words[-1]}, {' '.join(words[:-1])}"
    return {name, turned} if comma or len(words) > 1 else {name}


def _pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern for whole names in all their forms, longer ones first."""
    forms = sorted({form for name in names for form in _forms(name)}, key=len, reverse=True)
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(map(_name_pattern, forms)) or '(?!)'})(?!\w)", re.IGNORECASE
    )


def _name_pattern(name: str) -> str:
    """A pattern for a name with any blanks between its words, composed or not."""
    forms = dict.fromkeys(normalize(form, name) for form in ("NFC", "NFD"))
    return "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
