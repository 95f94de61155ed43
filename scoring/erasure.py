"""Erasing a person at the tables: from records of hands, from what was said of them, from messages.

In the record of a hand the player is known by the seat: whatever name stands there goes. Anywhere
else in it only tags and comments can name somebody; what the hand is judged by is never touched.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from engine.notation.names import PLAYERS, TABLES
from scoring.ledger.transfers import erase_notes
from scoring.models import (
    REASON_MAX,
    Appeal,
    Decided,
    Delivery,
    Game,
    Hand,
    HandDraft,
    HandVersion,
    Sitting,
    Slip,
    SlipPicture,
    Word,
)
from scoring.models.ruling import RULING
from scoring.models.states import digest
from tournaments.audit import ERASED
from tournaments.models import AuditEntry, Table
from tournaments.people.erasure import Erasure, erase_texts

_TOKEN: Final = re.compile(
    r'\[(\w+)([ \t]+")((?:[^"\\\n]|\\.)*)("[ \t]*\])'
    r'|(\{[^}]*\}|;[^\n]*|^%[^\n]*|"(?:[^"\\\n]|\\.)*")',
    re.MULTILINE,
)
_SEATS: Final = re.compile(r'^\[Seats[ \t]+"([^"\n]*)"', re.MULTILINE)
_JUDGED: Final = frozenset(
    {
        *("Dealer", "Deal", "Declarer", "Contract", "Result", "Scoring", "Detail", "PainSuit"),
        *("Seats", "Termination", "Variant", "Rules", "Vulnerable", "Hands"),
        *("Auction", "Play", "Jackpot", "Pot", "Chips", *TABLES),
    }
)
"""Tags that say how a hand was played."""


def erase_person(erasure: Erasure) -> None:
    """Erase a person from all that is known of the tables of the club."""
    club = erasure.club
    seats: dict[UUID, list[Sitting]] = {}
    for sitting in Sitting.objects.filter(player__in=erasure.players):
        seats.setdefault(sitting.game_id, []).append(sitting)
    _erase_versions(erasure, seats)
    _erase_words(erasure)
    rulings = Decided.objects.filter(hand__game__club=club)
    erase_texts(rulings, erasure, "facts", "law", "told_to")
    _erase_decisions(erasure)
    erase_texts(Appeal.objects.filter(ruling__hand__game__club=club), erasure, "text")
    _erase_slips(erasure)
    erase_notes(erasure)
    erase_texts(Game.all_objects.filter(club=club), erasure, "name")
    drafts = HandDraft.objects.filter(game__club=club)
    for draft in drafts.iterator(500):
        drafts.filter(pk=draft.pk).update(answers=erasure.erase_json(draft.answers))
    messages = Delivery.objects.filter(webhook__club=club)
    for pk, body in messages.values_list("pk", "body").iterator(500):
        erased = erasure.erase_json(body)
        if erased != body:
            messages.filter(pk=pk).update(body=erased)
    erase_texts(messages, erasure, "last_answer")


def _erase_slips(erasure: Erasure) -> None:
    """Delete the pictures of slips that the person may have signed, and those not read yet."""
    slips = Slip.objects.filter(event__club=erasure.club)
    erase_texts(slips, erasure, "reason")
    sat = Q(played__sittings__player__in=erasure.players)
    drawn = Q(seats__entry__player__in=erasure.players)  # a round that has not begun
    tables = Table.objects.filter(sat | drawn)
    slips.filter(Q(table=None) | Q(table__in=tables)).update(crop=None)
    words = Message(
        "This picture was deleted unread, as somebody's name was erased; take it again."
    )
    waiting = SlipPicture.objects.filter(event__club=erasure.club, read_at=None)
    waiting.update(original=None, due_at=None, read_at=Now(), problems=[words])


def _erase_decisions(erasure: Erasure) -> None:
    """Erase a person from the words of rulings in the details of the trail, until 0.3.0."""
    entries = AuditEntry.objects.filter(club_id=erasure.club, what=RULING.template)
    for pk, details in entries.values_list("pk", "details").iterator(500):
        erased = erasure.erase_json(details)
        if erased != details:
            entries.filter(pk=pk).update(details=erased, why_salt=ERASED)


def _erase_versions(erasure: Erasure, seats: Mapping[UUID, list[Sitting]]) -> None:
    rows = HandVersion.objects.filter(hand__game__club=erasure.club)
    found = rows.select_related("hand__game").order_by("pk")
    for version in found.iterator(500):
        hand = version.hand
        sat = [
            sitting.seat
            for sitting in seats.get(hand.game_id, ())
            if sitting.first <= hand.number <= (sitting.last or hand.number)
        ]
        tags = _name_tags(bytes(version.text), hand.game.players, sat)
        old, old_sent = bytes(version.text), version.sent and bytes(version.sent)
        text = _erase_record(old, tags, erasure)
        sent = old_sent and _erase_sent(old_sent, tags, erasure)
        why = erasure.erase(version.why)
        if (text, sent, why) != (old, old_sent, version.why):
            rows.filter(pk=version.pk).update(
                text=text, sent=sent, why=why[:1000], erased_digest=digest(text)
            )


def _name_tags(text: bytes, players: int, sat: Sequence[int]) -> set[str]:
    """The tags of the names at some seats, by the seats that the record has."""
    match = _SEATS.search(text.decode("utf-8", "surrogateescape"))
    seats = match[1].split() if match else []
    if len(seats) != players or not set(seats) <= PLAYERS.keys():
        seats = list(DEFAULT_SEATS[players])
    return {PLAYERS[seats[seat]] for seat in sat}


def _erase_sent(sent: bytes, tags: set[str], erasure: Erasure) -> bytes:
    """Erase a submission kept in place of a record: JSON, or a record as it stood in an archive."""
    if sent.lstrip()[:1] == b"{":
        return erasure.erase_json(sent.decode("utf-8", "surrogateescape")).encode(
            "utf-8", "surrogateescape"
        )
    return _erase_record(sent, tags, erasure)


def _erase_record(text: bytes, tags: set[str], erasure: Erasure) -> bytes:
    """A record with the player's name replaced in the seat, in other tags and in comments."""

    def replace(found: re.Match[str]) -> str:
        name, before, value, after, comment = found.groups()
        if comment is not None:
            return erasure.erase(comment)
        if name in tags and value:
            return f"[{name}{before}{erasure.pseudonym}{after}"
        if name in _JUDGED or value.isdigit():
            return found[0]
        return f"[{name}{before}{erasure.erase(value)}{after}"

    erased = _TOKEN.sub(replace, text.decode("utf-8", "surrogateescape"))
    return erased.encode("utf-8", "surrogateescape")


def _erase_words(erasure: Erasure) -> None:
    """Erase the words of seats about hands; the reason of a hand may be the beginning of it."""
    rows = Word.objects.filter(version__hand__game__club=erasure.club).exclude(why="")
    for pk, hand, why in rows.values_list("pk", "version__hand", "why").iterator(500):
        erased = erasure.cut(erasure.erase(why), 1000)
        if erased != why:
            Word.objects.filter(pk=pk).update(why=erased)
            said = Hand.objects.filter(pk=hand, reason=why[:REASON_MAX])
            said.update(reason=erased[:REASON_MAX])
    reasons = Hand.objects.filter(game__club=erasure.club).exclude(reason="")
    erase_texts(reasons, erasure, "reason")
