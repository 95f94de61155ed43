"""Resolve the identifiers in audit entries to names, as far as the reader may see them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.models import Decided, Game, Hand, HandVersion, Sitting
from scoring.presentation.answers import seats_of
from scoring.presentation.cards import seat_name, sitter_name
from scoring.presentation.game_titles import game_title
from scoring.selectors import queries
from scoring.web.record_listing import decode
from tournaments.access.rights import Right
from tournaments.models import (
    Account,
    Adjustment,
    ApiKey,
    AuditEntry,
    Club,
    Entry,
    Event,
    League,
    RuleSet,
)
from tournaments.people.display_names import distinct_names
from tournaments.reports.people import actor_names
from tournaments.web.number_format import format_number

_INTEGER_MAX: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Words:
    """A label, and the URL of its page if the reader may open it."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Booking:
    """A transfer of the books: its currency and the player whose account it is on."""

    currency: str
    player: UUID | None


class AuditReferences:
    """Objects that the entries on a page of the trail refer to. At most 17 queries."""

    def __init__(self, rows: Sequence[AuditEntry], club: Club, rights: frozenset[Right]) -> None:
        self.club, self.rights = club, rights
        self.details: list[Mapping[str, Any]] = [json.loads(row.details) for row in rows]
        self.ids = {*_identifiers(self.details)}
        self.chains = {row.chain for row in rows}
        self.labels = {row.by for row in rows}
        self.rules_hands = Right.HANDS_RULE in self.rights

    @cached_property
    def games(self) -> dict[UUID, Game]:
        """Games by their identifiers, those whose chain an entry stands in among them."""
        return Game.all_objects.filter(club=self.club).in_bulk(self.ids | self.chains)

    @cached_property
    def events(self) -> dict[UUID, Event]:
        """Events by their identifiers, likewise."""
        return Event.objects.filter(club=self.club).in_bulk(self.ids | self.chains)

    @cached_property
    def rulings(self) -> dict[UUID, Decided]:
        """Rulings by their identifiers."""
        return Decided.objects.filter(hand__game__club=self.club).in_bulk(self.ids)

    @cached_property
    def sittings(self) -> list[Sitting]:
        """Return the sitters of the games."""
        return list(Sitting.objects.filter(game__in=self.games).order_by("seat", "first"))

    @cached_property
    def bookings(self) -> dict[int, Booking]:
        """Entries of the books by their numbers."""
        rows = queries.club_transfers(self.club.pk).filter(pk__in=self._numbers("entry"))
        return {
            row.pk: Booking(row.payer.unit, row.payer.player_id or row.payee.player_id)
            for row in rows.select_related("payer", "payee")
        }

    @cached_property
    def currencies(self) -> dict[UUID, str]:
        """The currencies in which the games have pools."""
        return queries.pool_units(list(self.games))

    @cached_property
    def hands(self) -> dict[tuple[UUID, int], Words]:
        """Hands that are named by their game and their number in it."""
        numbers = self._numbers("hand")
        rows = Hand.objects.filter(game__in=self.games, rival=None, number__in=numbers)
        return {(row.game_id, row.number): self._hand(row) for row in rows}

    @cached_property
    def records(self) -> dict[tuple[str, int], str]:
        """The records of corrected hands by version, for those who see them at the desk."""
        corrected = {uuid_of(one.get("hand")) for one in self.details if "record" in one}
        rows = HandVersion.objects.filter(hand__in=corrected - {None} if self.rules_hands else [])
        return {(str(row.hand_id), row.number): decode(bytes(row.text)) for row in rows}

    @cached_property
    def actors(self) -> dict[str, str]:
        """Return the actors, by their labels in an entry: names of accounts and keys."""
        return actor_names(self.labels)

    @cached_property
    def names(self) -> dict[str, Words]:
        """The names of identifiers, which are texts here, as in an entry; rules by digest too."""
        club, ids = self.club, self.ids
        people = self._people()
        hands = ids | {row.hand_id for row in self.rulings.values()}
        for hand in Hand.objects.filter(game__club=club, pk__in=hands).only("pk", "number"):
            people[str(hand.pk)] = self._hand(hand)
        for ruling in self.rulings.values():
            words = _("ruling %(n)d") % {"n": ruling.number}
            people[str(ruling.pk)] = Words(words, people[str(ruling.hand_id)].href)
        for pk, game in self.games.items():
            page = "desk-game" if self.rules_hands else "game-page"
            people[str(pk)] = self._link(game_title(game), page, pk)
        for pk, event in self.events.items():
            page = "desk-event" if self.rules_hands else "event-page"
            people[str(pk)] = self._link(event.name, page, pk)
        for league in League.objects.filter(club=club, pk__in=ids):
            right = Right.LEAGUES_EDIT
            people[str(league.pk)] = self._link(league.name, "desk-league", league.pk, right=right)
        digests = {str(one["rules"]) for one in self.details if "rules" in one}
        for rules in RuleSet.objects.filter(club=club).order_by("created_at", "pk"):
            if rules.pk in ids or rules.digest in digests:
                page, right = "desk-rules", Right.RULES_EDIT
                link = self._link(rules.name, page, club.pk, rules.pk, right=right)
                people[str(rules.pk)] = people[rules.digest] = link
        # Never one that only stands in what somebody wrote: accounts are not a club's.
        accounts = [one[key] for one in self.details for key in ("account", "admin") if key in one]
        for account in Account.objects.filter(pk__in={*_identifiers(accounts)}):
            people[str(account.pk)] = Words(account.name)
        for key in ApiKey.objects.filter(club=club, pk__in=ids):
            people[str(key.pk)] = Words(key.name)
        return people

    def seat(self, game: UUID, seat: object, hand: object = None) -> str | None:
        """A seat of a game and, if a hand is given, who sat there; None for no seat."""
        seats = seats_of(self.games[game]) if game in self.games else ()
        if not isinstance(seat, int) or not 0 <= seat < len(seats):
            return None
        known, name = self.sitter(game, seat, hand), seats[seat]
        return seat_name(name) if known is None else sitter_name(name, {name: known.text})

    def sitter(self, game: UUID, seat: int, hand: object) -> Words | None:
        """Return the sitter of a seat in a hand, as far as that is known."""
        if isinstance(hand, int):
            for row in self.sittings:
                is_there = row.first <= hand and (row.last is None or hand <= row.last)
                if (row.game_id, row.seat) == (game, seat) and is_there:
                    return self.names.get(str(row.player_id))
        return None

    def _people(self) -> dict[str, Words]:
        """Players, entries of events, and adjustments of their scores."""
        club, ids = self.club, self.ids
        entries = Entry.objects.filter(event__club=club, pk__in=ids).select_related("player")
        players = ids | {row.player_id for row in self.sittings}
        players |= {row.player_id for row in entries}
        players |= {
            booking.player for booking in self.bookings.values() if booking.player is not None
        }
        ours = club.players.filter(pk__in=players).values_list("pk", flat=True)
        names = distinct_names(club, list(ours), in_full=Right.NAMES_READ in self.rights)
        found = {
            pk: self._link(name, "desk-member", club.pk, pk, right=Right.PLAYERS_EDIT)
            for pk, name in names.items()
        }
        for entry in entries:
            player = found.get(str(entry.player_id), Words(""))
            found[str(entry.pk)] = Words(f"{entry.number} {player.text}".strip(), player.href)
        adjustments = Adjustment.objects.filter(entry__event__club=club, pk__in=ids)
        for adjustment in adjustments.select_related("entry"):
            name = names.get(str(adjustment.entry.player_id), "")
            found[str(adjustment.pk)] = Words(
                f"{format_number(adjustment.amount, signed=True)} {name}".strip()
            )
        return found

    def _hand(self, row: Hand) -> Words:
        page = "desk-hand" if self.rules_hands else "hand-page"
        return self._link(_("hand %(n)d") % {"n": row.number}, page, row.pk)

    def _link(self, text: str, page: str, *args: object, right: Right | None = None) -> Words:
        opens = right is None or right in self.rights
        return Words(text, reverse(page, args=args) if opens else "")

    def _numbers(self, key: str) -> set[int]:
        """The numbers that stand under a key, as far as a database can count."""
        found = (one.get(key) for one in self.details)
        return {one for one in found if type(one) is int and 0 < one <= _INTEGER_MAX}


def uuid_of(text: object) -> UUID | None:
    """An identifier as it stands in an address or an entry; None for anything else."""
    try:
        return UUID(str(text)) if text else None
    except ValueError:
        return None


def _identifiers(value: object) -> Iterator[UUID]:
    match value:
        case str() if found := uuid_of(value):
            yield found
        case Mapping():
            yield from _identifiers([*value.values()])
        case list():
            for one in value:
                yield from _identifiers(one)
        case _:
            pass
