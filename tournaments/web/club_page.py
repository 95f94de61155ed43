"""The pages of clubs: which there are, and what is on at one of them."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import hides_games, leagues_seen, visible_rows
from tournaments.core.name_folding import fold_text
from tournaments.events.announcements import (
    describe_event,
    describe_schedule,
    find_nights_to_finish,
)
from tournaments.models import (
    ClubPicture,
    Entry,
    EntryStanding,
    Event,
    League,
    Player,
    Shown,
    Status,
)
from tournaments.people.display_names import distinct_names
from tournaments.ratings import RatingSettings
from tournaments.tables.cells import isolate_name
from tournaments.web.base import PrivatePage, PublicPage, link_preview
from tournaments.web.club_records import ClubRecord, find_records
from tournaments.web.club_summaries import (
    LeagueSummary,
    NightSummary,
    PlacedPlayer,
    RatedPlayer,
    find_league,
    find_nights,
    find_prediction,
    find_ratings,
)
from tournaments.web.number_format import format_number, localize_point, money
from tournaments.web.plots import place_curve
from tournaments.web.responses import not_modified_response
from tournaments.web.search import search_club
from tournaments.web.viewer import Viewer, asker_of

_A_PAGE: Final = 20
_SOUGHT_MAX: Final = 100
_RATED: Final = 10
"""So many of the highest ratings are on a club's page."""
_WEEK: Final = 7
_SPREAD: Final = 8
"""A curve of places is drawn as if at least so many had played."""


class ClubsPage(PrivatePage):
    """The clubs that a viewer may know of."""

    template_name = "window/clubs.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        sought = requested_name(self.request)
        clubs = selectors.clubs(asker_of(self.request), search=sought)
        rows = sorted(clubs, key=lambda club: (fold_text(club.name), club.name, club.pk))
        return super().get_context_data(sought=sought, clubs=self.turn_to_page(rows, _A_PAGE))


class ClubPage(PublicPage):
    """A club: what is next, what was, its league and records; search finds the rest."""

    template_name = "window/club.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, sought = self.viewer, requested_name(self.request)
        club, hidden = viewer.club, viewer.sees_hidden
        events = visible_rows(Event.objects.filter(club=club), hidden=hidden)
        rows = events.select_related("rule_set").order_by("-starts_at", "-id")
        past = rows.exclude(status__in=(Status.PLANNED, Status.RUNNING, Status.CANCELLED))
        missed = rows.filter(status=Status.CANCELLED, starts_at__lt=_today())
        shown = self.turn_to_page((past | missed).order_by("-starts_at", "-id"), _A_PAGE)
        leagues = leagues_seen(League.objects.filter(club=club), hidden=hidden)
        leagues_shown = list(leagues.order_by("-created_at", "-id")[:_A_PAGE])
        front = _front_of(viewer, list(shown), past, leagues_shown)
        running = list(rows.filter(status=Status.RUNNING)[:_A_PAGE])
        to_finish = find_nights_to_finish(running, timezone.now())
        ahead = _ahead(rows)
        coming = [event for event in ahead if event.status == Status.PLANNED][:5]
        lines = (isolate_name(club.venue), _("Nights, seasons and results"))
        return super().get_context_data(
            preview=link_preview(self.request, isolate_name(club.name), lines),
            picture=ClubPicture.objects.defer("image").filter(club=club).first(),
            running=[event for event in running if event.pk not in to_finish],
            to_finish=[(event, to_finish[event.pk]) for event in running if event.pk in to_finish],
            cancelled=[
                (event, describe_schedule(event))
                for event in ahead
                if event.status == Status.CANCELLED
            ],
            next=describe_next_night(coming[0]) if coming else None,
            coming=coming[1:],
            events=shown,
            front=front,
            prediction=_describe_prediction(viewer),
            leagues=leagues_shown,
            sought=sought,
            found=search_club(viewer, sought),
            **kwargs,
        )


class ClubPictureFile(PublicPage):
    """The picture of a club, for those who may know of the club."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        rows = ClubPicture.objects.filter(club=self.viewer.club, digest=self.kwargs["digest"])
        picture = rows.first()
        if picture is None:
            raise Http404
        if (same := not_modified_response(request, f'"{picture.digest}"')) is not None:
            return same
        answer = HttpResponse(bytes(picture.image), content_type="image/webp")
        answer["ETag"] = f'"{picture.digest}"'
        # Opened by itself it is a picture, and nothing else.
        answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return answer


def requested_name(request: HttpRequest) -> str:
    """The name that somebody looks for."""
    return request.GET.get("q", "").replace("\0", "").strip()[:_SOUGHT_MAX]


def _today() -> datetime:
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def _ahead(rows: QuerySet[Event]) -> list[Event]:
    """Return the plans from today on, those called off too, the next one first."""
    states = Status.PLANNED, Status.CANCELLED
    ahead = rows.filter(status__in=states, starts_at__gte=_today())
    return list(ahead.order_by("starts_at", "id")[:_A_PAGE])


@dataclass(frozen=True, slots=True)
class NextNight:
    """The night that is next: when, where and what; ``days`` from today by the club's clock."""

    event: Event
    day: str
    details: list[str]
    days: int
    entered: int

    @property
    def waited(self) -> int:
        """The part of the week before it that is over, in hundredths."""
        return max(0, 100 - self.days * 100 // _WEEK)


def describe_next_night(event: Event) -> NextNight:
    """Say what somebody must know to come. One query."""
    day, *details = describe_event(event)
    if event.entry_fee:
        details.append(_("entry %(fee)s") % {"fee": money(event.entry_fee, event.club.currency)})
    begins = timezone.localdate(event.starts_at)
    return NextNight(
        event=event,
        day=day,
        details=details,
        days=(begins - timezone.localdate()).days,
        entered=Entry.objects.filter(event=event).exclude(standing=EntryStanding.HOUSE).count(),
    )


@dataclass(frozen=True, slots=True)
class FrontPlayer:
    """A player in one of the lists of the page; ``curve`` are their places as a line.

    ``player`` is empty for somebody whose page strangers do not find.
    """

    player: str
    name: str
    label: str = ""
    total: str = ""
    moved: int = 0
    places: tuple[int, ...] = ()

    @property
    def moved_by(self) -> int:
        """By how many places they moved, up or down."""
        return abs(self.moved)

    @property
    def curve(self) -> str:
        """The points of a line of 96 by 28 through their places; empty for fewer than two."""
        nights = len(self.places)
        lowest = max(_SPREAD, *self.places) if self.places else _SPREAD
        return place_curve(dict(enumerate(self.places)), nights, lowest)


@dataclass(frozen=True, slots=True)
class FrontNight:
    """A night in the list: who won it, and how many played."""

    event: Event
    status: str
    players: int
    winners: list[str]


@dataclass(frozen=True, slots=True)
class FrontRecord:
    """A record with who holds it; ``player`` is empty as in `FrontPlayer`."""

    record: ClubRecord
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Front:
    """Tables of the page: nights, the last one, the league, ratings and records."""

    nights: list[FrontNight]
    last: Event | None
    last_summary: NightSummary | None
    winners: list[str]
    podium: list[FrontPlayer]
    league: League | None
    league_summary: LeagueSummary | None
    top: list[FrontPlayer]
    rated: list[tuple[RatedPlayer, str]]
    records: list[FrontRecord]


def _front_of(
    viewer: Viewer, shown: list[Event], past: QuerySet[Event], leagues: list[League]
) -> Front:
    """Everything that names people, so that names are looked up once."""
    club = viewer.club
    last = past.first()
    nights = find_nights([event.pk for event in {*shown, last} if event is not None])
    league = next((league for league in leagues if league.closed_at is None), None)
    league = league or next(iter(leagues), None)
    top = find_league(league.pk, hidden=viewer.sees_hidden) if league else None
    summary = nights.get(last.pk) if last else None
    unseen = _unseen_players(viewer)
    rated, records = _club_tables(viewer, last, unseen)
    players = {
        *(player for night in nights.values() for player in night.winners),
        *(one.player for one in (summary.first if summary else ())),
        *(one.placed.player for one in (top.top if top else ())),
        *(one.player for one in rated),
        *(record.player for record in records),
    }
    ids = [UUID(player) for player in sorted(players)]
    names = selectors.spoken_names(distinct_names(club, ids, in_full=viewer.in_full) if ids else {})
    return Front(
        nights=[
            FrontNight(
                event=event,
                status=str(Status(event.status).details),
                players=nights[event.pk].players if event.pk in nights else 0,
                winners=[names.get(winner, "") for winner in nights[event.pk].winners]
                if event.pk in nights
                else [],
            )
            for event in shown
        ],
        last=last,
        last_summary=summary,
        winners=[names.get(winner, "") for winner in (summary.winners if summary else ())],
        podium=[_front_player(one, names, unseen) for one in (summary.first if summary else ())],
        league=league,
        league_summary=top,
        top=[
            replace(_front_player(one.placed, names, unseen), moved=one.moved, places=one.places)
            for one in (top.top if top else ())
        ],
        rated=[(one, names.get(one.player, "")) for one in rated],
        records=[
            FrontRecord(record, _if_seen(record.player, unseen), names.get(record.player, ""))
            for record in records
        ],
    )


def _describe_prediction(viewer: Viewer) -> str:
    """Say to directors how well the ratings predicted the last winners; else nothing."""
    if Right.EVENTS_EDIT not in viewer.rights:
        return ""
    loss = find_prediction(viewer.club.pk)
    if loss is None:
        return ""
    words = {
        "nights": loss["nights"],
        "games": loss["games"],
        **{name: localize_point(loss[name]) for name in ("own", "elo", "even", "error")},
    }
    text = (
        _(
            "For directors: log loss of the winners of the last %(nights)s nights"
            " (%(games)s games), less is better: these ratings %(own)s, Elo (K = 16) %(elo)s,"
            " equal chances %(even)s; the standard error of a difference is about %(error)s."
        )
        % words
    )
    if not loss.get("is_own_beta"):
        return text
    own = _(
        "The model is fitted to this club: beta %(beta)s in place of %(usual)s, since that predicts"
        " its winners better."
    ) % {"beta": loss["beta"], "usual": RatingSettings().beta}
    return f"{text} {own}"


def _unseen_players(viewer: Viewer) -> frozenset[str]:
    """Those who are but a number to strangers, duplicates too; nobody for members. One query."""
    if viewer.in_full:
        return frozenset()
    hidden = Q(person__shown=Shown.HIDDEN) | Q(merged_into__person__shown=Shown.HIDDEN)
    rows = Player.objects.filter(hidden, club=viewer.club)
    return frozenset(str(player) for player in rows.values_list("pk", flat=True))


def _if_seen(player: str, unseen: Set[str]) -> str:
    return "" if player in unseen else player


def _front_player(
    placed_player: PlacedPlayer, names: Mapping[str, str], unseen: Set[str]
) -> FrontPlayer:
    return FrontPlayer(
        player=_if_seen(placed_player.player, unseen),
        name=names.get(placed_player.player, ""),
        label=placed_player.label,
        total=format_number(str(placed_player.total)),
    )


def _club_tables(
    viewer: Viewer, last: Event | None, unseen: Set[str]
) -> tuple[list[RatedPlayer], list[ClubRecord]]:
    """The highest ratings and the records, those that may be told.

    Both are made of all games together: strangers learn neither while games are hidden.
    """
    club = viewer.club
    if not viewer.sees_hidden and hides_games(club.pk):
        return [], []
    rows = find_ratings(club.pk)
    if not viewer.in_full:
        rows = [row for row in rows if not row.is_hidden and row.player not in unseen]
    return list(rows[:_RATED]), find_records(club, last)
