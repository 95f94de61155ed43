"""The page of a season: the next and the last night, the place in the league, figures.

Everything is read from the last nights, published tables and kept sums, so that a view costs the
same however long somebody has played. Other people appear under the names that strangers see.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import accumulate, islice
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.models import Hand
from scoring.presentation.cards import SYMBOLS, describe_taken
from tournaments.core.time_zones import short_day
from tournaments.events.announcements import (
    STILL_NEXT,
    describe_adjourned_tables,
    describe_seat,
    find_nights_to_finish,
)
from tournaments.events.events import OVER
from tournaments.models import (
    Entry,
    Event,
    Player,
    Result,
    Scope,
    Shown,
    Status,
    Table,
)
from tournaments.people.display_names import distinct_names
from tournaments.publishing.adjourned import find_adjourned
from tournaments.publishing.official import find_current
from tournaments.publishing.player_lines import GameSelection, list_duplicate_ids
from tournaments.publishing.player_statistics import find_statistics
from tournaments.statistics import head_to_head
from tournaments.web.club_page import NextNight, describe_next_night
from tournaments.web.number_format import format_number
from tournaments.web.player_page import rating_history
from tournaments.web.plots import Series, plot
from tournaments.web.season_place import find_season_place

_NIGHTS: Final = 12
"""So many of the last nights are read hand by hand."""
_FORM: Final = 6
_OPPONENTS: Final = 7
_BEST: Final = 3


@dataclass(frozen=True, slots=True)
class ComingNight:
    """The next night of the club; ``seat`` is where the player sits, if that is drawn."""

    night: NextNight
    is_running: bool
    is_entered: bool
    seat: str
    is_public: bool


@dataclass(frozen=True, slots=True)
class PlayedNight:
    """A night of the player, with the chips or points of their hands.

    ``is_public``: everybody may look at its page. ``result`` is None for one with results only, and
    where some rounds were played for chips and others for penalty points (DEC-16).
    """

    event: Event
    result: int | None
    is_low: bool
    is_public: bool

    @property
    def text(self) -> str:
        """The result as it is written: chips with their sign, points as they are."""
        return format_number(self.result, signed=not self.is_low)

    @property
    def style(self) -> str:
        """Whether it was a gain; points have no sign."""
        if self.is_low or not self.result:
            return "even"
        return "gain" if self.result > 0 else "loss"


@dataclass(frozen=True, slots=True)
class LastNight:
    """The night that was played last: the place, and of how many; both empty without a table."""

    night: PlayedNight
    label: str
    of: int
    total: str


@dataclass(frozen=True, slots=True)
class OpponentBar:
    """Gains from somebody at common tables; the bar is ``width`` hundredths from ``x``."""

    player: str
    name: str
    flow: str
    tables: int
    x: int
    width: int
    is_gain: bool


@dataclass(frozen=True, slots=True)
class BestHand:
    """One of the hands that brought most; no ``hand`` where strangers may not look at it."""

    hand: UUID | None
    title: str
    detail: str
    score: str


def describe_season(player: Player, at: datetime) -> dict[str, Any]:
    """Return what the page of a player shows. About 30 queries, however much they played."""
    club = player.club
    player_ids = list_duplicate_ids(player)
    played = _played_nights(player, player_ids)
    statistics = find_statistics(player, GameSelection()).summary
    met = (
        opponent
        for opponent in head_to_head(statistics.rivals).opponents
        if opponent.flow is not None
    )
    opponents = sorted(islice(met, _OPPONENTS), key=lambda one: -(one.flow or 0))
    return {
        "club": club,
        "is_listed": club.is_public and player.person.shown != Shown.HIDDEN,
        **_find_next(player, player_ids, at),
        "last": _last_night(played[0], player_ids) if played else None,
        "form": [night for night in played[:_FORM] if night.result is not None][::-1],
        "place": find_season_place(player, [night.event.pk for night in played]),
        "rated": rating_history(player, in_full=True),
        "hands": statistics.hands,
        "without_gain": statistics.without_gain,
        "opponents": _opponent_bars(player, opponents),
        **_last_hands(player, player_ids, played),
    }


def _find_next(player: Player, player_ids: Sequence[UUID], at: datetime) -> dict[str, Any]:
    """Return the night that is played now, or else the next one, unless it is hidden from them.

    And for each night that the player has to finish at an adjourned table, when that will be.
    """
    nights = Event.objects.filter(club=player.club_id, is_results_only=False)
    nights = nights.select_related("club", "rule_set").order_by("starts_at", "pk")
    entered = nights.filter(status=Status.RUNNING, entries__player__in=player_ids).distinct()
    running = {event.pk: event for event in entered}
    own_tables: dict[UUID, list[Table]] = defaultdict(list)
    for table in find_adjourned(running, player_ids) if running else ():
        own_tables[table.round.event_id].append(table)
    to_finish = [(running[pk], describe_adjourned_tables(rows)) for pk, rows in own_tables.items()]
    waiting = find_nights_to_finish(running.values(), at)
    event = next((event for event in running.values() if event.pk not in waiting), None)
    if event is None:
        planned = nights.filter(
            Q(is_hidden=False) | Q(entries__player__in=player_ids),
            status__in=(Status.PLANNED, Status.CANCELLED),
            starts_at__gte=at - STILL_NEXT,
        )
        event = planned.distinct().first()
    coming = None if event is None else _describe_coming(event, player_ids)
    return {"next": coming, "to_finish": to_finish}


def _describe_coming(event: Event, player_ids: Sequence[UUID]) -> ComingNight:
    is_entered = Entry.objects.filter(event=event, player__in=player_ids).exists()
    return ComingNight(
        night=describe_next_night(event),
        is_running=event.status == Status.RUNNING,
        is_entered=is_entered,
        seat=describe_seat(event, player_ids) if is_entered else "",
        is_public=_is_public(event),
    )


def _is_public(event: Event) -> bool:
    return event.club.is_public and not event.is_hidden


def _played_nights(player: Player, player_ids: Sequence[UUID]) -> list[PlayedNight]:
    """The last nights that are over, the newest first, with what the hands brought. Two queries."""
    entries = Entry.objects.filter(player__in=player_ids, event__status__in=OVER)
    entries = entries.select_related("event").order_by("-event__starts_at", "-event_id")
    events = list(dict.fromkeys(entry.event for entry in entries[:_NIGHTS]))
    rows = Result.objects.filter(game__event__in=events, player__in=player_ids)
    totals: dict[UUID | None, list[tuple[int, bool]]] = defaultdict(list)
    for event_id, score, low in rows.values_list("game__event_id", "score", "game__low"):
        totals[event_id].append((score, low))
    nights = []
    for event in events:
        event.club = player.club
        found = totals[event.pk]
        units = {low for _score, low in found}
        nights.append(
            PlayedNight(
                event=event,
                result=sum(score for score, _low in found) if len(units) == 1 else None,
                is_low=True in units,
                is_public=_is_public(event),
            )
        )
    return nights


def _last_night(night: PlayedNight, player_ids: Sequence[UUID]) -> LastNight:
    """Return the place in the last night. At most three queries."""
    standings = find_current(Scope.EVENT, night.event.pk)
    mine = {str(one) for one in player_ids}
    rows = [row for row in standings.rows if row["rank_from"]]
    row = next((row for row in rows if standings.players[row["entry"]] in mine), None)
    return LastNight(
        night=night,
        label="" if row is None else row["label"],
        of=len(rows),
        total="" if row is None else format_number(row["total"]),
    )


def _opponent_bars(player: Player, opponents: Sequence[Any]) -> list[OpponentBar]:
    """Those who were met most often, the best customer first. Three queries."""
    ids = [UUID(one.player) for one in opponents]
    names = distinct_names(player.club, ids, in_full=False)
    hidden = Player.objects.filter(pk__in=ids, person__shown=Shown.HIDDEN)
    unseen = {str(pk) for pk in hidden.values_list("pk", flat=True)}
    most = max((abs(one.flow) for one in opponents), default=Fraction(0)) or Fraction(1)
    bars = []
    for opponent in opponents:
        width = round(50 * abs(opponent.flow) / most)
        bars.append(
            OpponentBar(
                player=""
                if opponent.player in unseen or not player.club.is_public
                else opponent.player,
                name=names.get(opponent.player, ""),
                flow=format_number(str(opponent.flow), signed=True),
                tables=opponent.tables,
                x=50 if opponent.flow >= 0 else 50 - width,
                width=width,
                is_gain=opponent.flow >= 0,
            )
        )
    return bars


def _last_hands(
    player: Player, player_ids: Sequence[UUID], played: Sequence[PlayedNight]
) -> dict[str, Any]:
    """The chips over the last nights, and the best hands of them. Two queries."""
    nights = [night for night in played if night.result is not None and not night.is_low][::-1]
    totals = [0, *accumulate(night.result or 0 for night in nights)]
    days = ["", *(short_day(str(localtime(night.event.starts_at).date())) for night in nights)]
    best = (
        Result.objects.filter(
            game__event__in=[night.event.pk for night in nights],
            player__in=player_ids,
            score__gt=0,
            played=True,
        )
        .select_related("game")
        .order_by("-score", "-game__opened_at", "number")[:_BEST]
    )
    rows = list(best)
    by_event = {night.event.pk: night for night in nights}
    hands = {
        (game, number): hand
        for hand, game, number in Hand.objects.filter(
            game__in=[row.game_id for row in rows], rival=None
        ).values_list("pk", "game_id", "number")
    }
    chips = plot([Series(_("Chips"), "c0", totals)], days)
    return {
        "chips": chips if nights else None,
        "chip_nights": len(nights),
        "chip_total": format_number(totals[-1], signed=True),
        "best": [
            _best_hand(row, hands.get((row.game_id, row.number)), by_event[row.game.event_id])
            for row in rows
            if row.game.event_id is not None
        ],
    }


def _best_hand(row: Result, hand: UUID | None, night: PlayedNight) -> BestHand:
    if row.jackpot:
        title = _("Jackpot of %(chips)s") % {"chips": row.pot}
    elif row.from_namer == 0 and row.bid is not None:
        title = _("Bid %(bid)s and named the suit") % {"bid": row.bid}
    elif row.taken is None:
        title = _("Hand %(number)s") % {"number": row.number}
    else:
        title = describe_taken(row)
    facts = [SYMBOLS.get(row.pain, ""), short_day(str(localtime(night.event.starts_at).date()))]
    if row.taken is not None and title != describe_taken(row):
        facts.insert(0, describe_taken(row))
    return BestHand(
        hand=hand if night.is_public else None,
        title=title,
        detail=", ".join(filter(None, facts)),
        score=format_number(row.score, signed=True),
    )
