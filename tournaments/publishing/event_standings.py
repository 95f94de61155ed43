"""The standings of an event, down to its games."""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from tournaments.core.time_zones import day
from tournaments.models import EntryStanding, Scope, Status
from tournaments.publishing.computed import Computed, digest_of, with_rated
from tournaments.publishing.deciding import HeldDecision, HeldDecisions
from tournaments.publishing.gathering import (
    CLOSED,
    EventInputs,
    PlayedTable,
    adjustments,
    boards,
    entrants,
    gather,
    sat_out,
    tables,
)
from tournaments.publishing.nights import RANKED_GUEST
from tournaments.standings import rank_event, rank_teams
from tournaments.standings.exact import Json
from tournaments.standings.program import PROGRAM
from tournaments.standings.results import SeatScore

PROVISIONAL, OFFICIAL = "provisional", "official"


def inputs_of(found: EventInputs) -> str:
    """The digest of everything that the standings come from."""
    is_rated = found.event.rated
    rated = [game for game in found.games if is_rated and game.phase in CLOSED]
    who = [(one.player, one.is_guest) for one in found.entries]
    event = found.event
    night = str(day(event.starts_at, event.club.time_zone))
    left = sorted(found.decisions.forfeits())
    facts = (night, who, rated, left) if left else (night, who, rated)
    return with_rated(digest_of(found.facts()), digest_of(facts) if rated else "")


def standings_of(found: EventInputs) -> Json:
    """Rank an event."""
    scored = tables(found)
    ranking = rank_event(
        scored,
        entrants(found),
        found.scoring,
        adjustments=adjustments(found),
        boards=boards(found),
        sit_outs=sat_out(found),
    )
    seats = {table.id: table.seats for table in scored}
    is_official = found.event.status == Status.OFFICIAL
    return {
        "scope": Scope.EVENT.value,
        "program": PROGRAM,
        "subject": str(found.event.pk),
        "status": OFFICIAL if is_official else PROVISIONAL,
        "low": found.scoring.low,
        "up_to": _up_to(found),
        "rounds": [{"round": number, "stage": stage} for number, stage in found.rounds],
        "entries": _entries(found),
        "games": [_game(game, seats[str(game.id)], found.decisions) for game in found.games],
        "teams": [
            team.to_data() for team in rank_teams(ranking, found.scoring, found.event.team_best)
        ],
        **ranking.to_data(),
    }


def compute_event(event_id: UUID) -> Computed:
    """The standings of an event from its rows alone. Raises Event.DoesNotExist."""
    found = gather(event_id)
    return Computed(inputs_of(found), partial(standings_of, found))


def _up_to(found: EventInputs) -> dict[str, Json]:
    """How much of the event is in it."""
    return {
        "round": max((game.round for game in found.games if game.hands), default=0),
        "games": len(found.games),
        "hands": sum(game.hands for game in found.games),
    }


def _entries(found: EventInputs) -> Json:
    """Who each entry is, and whether something that touches it has still to be decided."""
    touched, ranked = _touched(found), found.ranks_guests
    return {
        str(one.id): {
            "player": str(one.player),
            "number": one.number,
            "guest": one.is_guest,
            "house": one.standing == EntryStanding.HOUSE,
            "open": one.id in touched,
            # Leagues ask it of guests who are ranked; of the others the kind of their row tells.
            **({RANKED_GUEST: True} if ranked and one.standing == EntryStanding.GUEST else {}),
        }
        for one in found.entries
    }


def _touched(found: EventInputs) -> set[UUID]:
    undecided: Iterable[PlayedTable] = (game for game in found.games if game.is_open)
    return {entry for game in undecided for entry in found.seats[game.round, game.table].values()}


def _game(
    game: PlayedTable, seats: tuple[SeatScore, ...], decisions: HeldDecisions
) -> dict[str, Json]:
    return {
        "game": str(game.id),
        "round": game.round,
        "table": game.table,
        "number": game.number,
        "phase": game.phase,
        "open": game.is_open,
        "hands": game.hands,
        "seats": [_seat(seat, decisions.of(game.id, UUID(seat.entry))) for seat in seats],
    }


def _seat(seat: SeatScore, decision: HeldDecision | None) -> dict[str, Json]:
    """A seat of a game; the id of a decision on it stands for its reason."""
    found: dict[str, Json] = {
        "entry": seat.entry,
        "score": str(seat.score),
        "substitute": seat.substitute,
    }
    return found if decision is None else {**found, "decision": str(decision.id)}
