"""What the identifiers in the trail stand for, as far as its reader may know, and where it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.models import Decided, Game, Hand, HandVersion, Sitting
from scoring.models.states import read_ruling, ruling_data
from scoring.presentation.answers import seats_of
from scoring.selectors import queries
from scoring.web.cards import seat_name, sitter_name
from scoring.web.game_titles import game_title
from scoring.web.record_listing import decode
from tournaments.access.rights import Right
from tournaments.events.events import scoring_of
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
from tournaments.people.display_names import told_apart
from tournaments.web.labels import UNITS, word
from tournaments.web.number_format import format_number

_MOST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Words:
    """Something in words, and the page of it where the reader may open one."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Booked:
    """An entry in the books: in which currency, and whose account it is on."""

    currency: str
    player: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditNames:
    """What some entries of the trail tell of; identifiers are as text, as in an entry."""

    known: Mapping[str, Words]
    games: Mapping[UUID, Game]
    units: Mapping[UUID, str]
    sittings: Sequence[Sitting]
    hands: Mapping[tuple[UUID, int], Words]
    records: Mapping[tuple[str, int], str]
    rulings: Mapping[str, Mapping[str, Any]]
    booked: Mapping[int, Booked]
    currencies: Mapping[UUID, str]

    def seat(self, game: UUID, seat: object, hand: object = None) -> str | None:
        """A seat of a game and, of a hand that is named, who sat there; None for no seat."""
        seats = seats_of(self.games[game]) if game in self.games else ()
        if not isinstance(seat, int) or not 0 <= seat < len(seats):
            return None
        player = self.sitter(game, seat, hand) if isinstance(hand, int) else None
        known = self.known.get(str(player))
        if known is None:
            return seat_name(seats[seat])
        return sitter_name(seats[seat], {seats[seat]: known.text})

    def sitter(self, game: UUID, seat: int, hand: int) -> UUID | None:
        """Who played a hand in a seat."""
        for one in self.sittings:
            is_there = one.first <= hand and (one.last is None or hand <= one.last)
            if (one.game_id, one.seat) == (game, seat) and is_there:
                return one.player_id
        return None


def names_in(
    rows: Sequence[AuditEntry], told: Sequence[Mapping[str, Any]], club: Club, can: frozenset[Right]
) -> AuditNames:
    """What a page of the trail needs; ``told`` are the details of its rows. At most 17 queries."""
    ids = {*_identifiers(told)}
    chains = {row.chain for row in rows}
    games = {one.pk: one for one in Game.objects.filter(club=club, pk__in=ids | chains)}
    events = list(Event.objects.filter(club=club, pk__in=ids | chains))
    sittings = list(Sitting.objects.filter(game__in=games).order_by("seat", "first"))
    booked = _booked(told, club)
    entries = list(Entry.objects.filter(event__club=club, pk__in=ids).select_related("player"))
    decided = list(Decided.objects.filter(hand__game__club=club, pk__in=ids))
    players = {one.player_id for one in sittings} | {one.player_id for one in entries}
    players |= {one.player for one in booked.values() if one.player is not None}
    named = _players(club, ids | players, can)
    hands = _hands(ids | {one.hand_id for one in decided}, club, can)
    return AuditNames(
        known={
            **named,
            **_entries(entries, named),
            **{str(pk): words for pk, words in hands.items()},
            **_rulings(decided, hands),
            **_adjustments(club, ids, named),
            **_places(games.values(), events, can),
            **_others(club, ids, told, can),
        },
        games=games,
        units={one.pk: word(UNITS, scoring_of(one).unit) for one in events},
        sittings=sittings,
        hands=_numbered(told, games, can),
        records=_records(told, can),
        rulings={str(one.pk): ruling_data(read_ruling(one.ruling)) for one in decided},
        booked=booked,
        currencies=queries.pool_units(list(games)),
    )


def _identifiers(value: object) -> Iterator[UUID]:
    match value:
        case str():
            found = uuid_of(value)
            if found is not None:
                yield found
        case Mapping():
            for one in value.values():
                yield from _identifiers(one)
        case list() | tuple():
            for one in value:
                yield from _identifiers(one)
        case _:
            pass


def uuid_of(text: object) -> UUID | None:
    """An identifier as it stands in an address or an entry; None for anything else."""
    try:
        return UUID(str(text)) if text else None
    except ValueError:
        return None


def _players(club: Club, ids: set[UUID], can: frozenset[Right]) -> dict[str, Words]:
    ours = list(club.players.filter(pk__in=ids).values_list("pk", flat=True))
    found = told_apart(club, ours, in_full=Right.NAMES_READ in can)
    opens = Right.PLAYERS_EDIT in can
    return {
        pk: Words(name, reverse("desk-member", args=[club.pk, pk]) if opens else "")
        for pk, name in found.items()
    }


def _entries(rows: Sequence[Entry], named: Mapping[str, Words]) -> dict[str, Words]:
    unknown = Words("")
    return {
        str(row.pk): Words(
            f"{row.number} {named.get(str(row.player_id), unknown).text}".strip(),
            named.get(str(row.player_id), unknown).href,
        )
        for row in rows
    }


def _hands(ids: set[UUID], club: Club, can: frozenset[Right]) -> dict[UUID, Words]:
    rows = Hand.objects.filter(game__club=club, pk__in=ids).values_list("pk", "number")
    return {pk: _hand(pk, number, can) for pk, number in rows}


def _hand(pk: UUID, number: int, can: frozenset[Right]) -> Words:
    name = "desk-hand" if Right.HANDS_RULE in can else "hand-page"
    return Words(_("hand %(n)d") % {"n": number}, reverse(name, args=[pk]))


def _rulings(rows: Sequence[Decided], hands: Mapping[UUID, Words]) -> dict[str, Words]:
    return {
        str(row.pk): Words(_("ruling %(n)d") % {"n": row.number}, hands[row.hand_id].href)
        for row in rows
    }


def _adjustments(club: Club, ids: set[UUID], named: Mapping[str, Words]) -> dict[str, Words]:
    rows = Adjustment.objects.filter(entry__event__club=club, pk__in=ids).select_related("entry")
    return {
        str(row.pk): Words(
            f"{format_number(row.amount, signed=True)} {named[str(row.entry.player_id)].text}"
            if str(row.entry.player_id) in named
            else format_number(row.amount, signed=True)
        )
        for row in rows
    }


def _places(games: Any, events: Sequence[Event], can: frozenset[Right]) -> dict[str, Words]:
    page, night = (
        ("desk-game", "desk-event") if Right.HANDS_RULE in can else ("game-page", "event-page")
    )
    found = {str(one.pk): Words(game_title(one), reverse(page, args=[one.pk])) for one in games}
    return found | {str(one.pk): Words(one.name, reverse(night, args=[one.pk])) for one in events}


def _others(
    club: Club, ids: set[UUID], told: Sequence[Mapping[str, Any]], can: frozenset[Right]
) -> dict[str, Words]:
    """Seasons, house rules (also by their digest), accounts and keys."""
    found = {
        str(one.pk): Words(
            one.name,
            reverse("desk-league", args=[one.pk]) if Right.LEAGUES_EDIT in can else "",
        )
        for one in League.objects.filter(club=club, pk__in=ids)
    }
    digests = {str(one["rules"]) for one in told if "rules" in one}
    for rules in RuleSet.objects.filter(club=club).order_by("created_at", "pk"):
        if rules.pk in ids or rules.digest in digests:
            href = reverse("desk-rules", args=[club.pk, rules.pk])
            words = Words(rules.name, href if Right.RULES_EDIT in can else "")
            found |= {str(rules.pk): words, rules.digest: words}
    # Never one that only stands in what somebody wrote: accounts are not a club's.
    named = [{key: one[key] for key in ("account", "admin") if key in one} for one in told]
    for account in Account.objects.filter(pk__in={*_identifiers(named)}):
        found[str(account.pk)] = Words(account.name)
    for key in ApiKey.objects.filter(club=club, pk__in=ids):
        found[str(key.pk)] = Words(key.name)
    return found


def _numbered(
    told: Sequence[Mapping[str, Any]], games: Mapping[UUID, Game], can: frozenset[Right]
) -> dict[tuple[UUID, int], Words]:
    """Hands that entries name by their number in the game."""
    numbers = _numbers(told, "hand")
    rows = Hand.objects.filter(game__in=games, rival=None, number__in=numbers)
    found = rows.values_list("game", "number", "pk")
    return {(game, number): _hand(pk, number, can) for game, number, pk in found}


def _numbers(told: Sequence[Mapping[str, Any]], key: str) -> set[int]:
    """What entries number under a key, as far as a database can count."""
    found = (one.get(key) for one in told)
    return {one for one in found if type(one) is int and 0 < one <= _MOST}


def _records(
    told: Sequence[Mapping[str, Any]], can: frozenset[Right]
) -> dict[tuple[str, int], str]:
    """The records of corrected hands by version, for those who see them at the desk."""
    if Right.HANDS_RULE not in can:
        return {}
    corrected = {uuid_of(one.get("hand")) for one in told if "record" in one and "version" in one}
    rows = HandVersion.objects.filter(hand__in=corrected - {None})
    return {(str(row.hand_id), row.number): decode(bytes(row.text)) for row in rows}


def _booked(told: Sequence[Mapping[str, Any]], club: Club) -> dict[int, Booked]:
    ids = _numbers(told, "entry")
    rows = queries.club_transfers(club.pk).filter(pk__in=ids).select_related("payer", "payee")
    return {
        row.pk: Booked(row.payer.unit, row.payer.player_id or row.payee.player_id) for row in rows
    }
