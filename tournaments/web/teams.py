"""Teams and prizes of an event as its page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.core.errors import RefusedError
from tournaments.events.awards import Sheet, awards_of
from tournaments.models import Event, Status
from tournaments.publishing.versions import Standings
from tournaments.web.number_format import money
from tournaments.web.standings import StandingsCell, format_cell
from tournaments.web.tie_break_reasons import Reason, reason


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team; ``members`` with whether their totals are in it."""

    label: str
    name: str
    total: StandingsCell
    members: list[tuple[str, bool]]
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize of an entry."""

    place: int
    name: str
    amount: str


@dataclass(frozen=True, slots=True)
class PrizeTable:
    """The parts of the pool."""

    pool: str
    lines: list[PrizeRow]
    is_final: bool


def teams_of(standings: Standings, names: Mapping[str, str]) -> list[TeamLine]:
    """The teams in their order; none where nobody plays for one."""
    rows = standings.data.get("teams", ())
    own = {row["entry"]: row["entry"] for row in rows}
    return [
        TeamLine(
            label=row["label"],
            name=row["entry"],
            total=format_cell(row["total"]),
            members=[
                (names.get(member, ""), member in row["counted"]) for member in row["members"]
            ],
            reason=reason(row["decided"], own),
        )
        for row in rows
    ]


def prizes_won(
    event: Event, names: Mapping[str, str], sheet: Sheet | None = None
) -> PrizeTable | None:
    """Return the prizes, once the playing is over; None where there is nothing to win.

    ``sheet`` are the awards, if they are computed already.
    """
    if event.status not in (Status.FINISHED, Status.OFFICIAL):
        return None
    if not event.added and not event.entry_fee:
        return None
    try:
        awards = (sheet or awards_of(event)).awards
    except RefusedError:
        return None
    if not awards.pool:
        return None
    currency = event.club.currency
    won = zip(awards.finishers, awards.amounts, strict=True)
    return PrizeTable(
        pool=f"{money(awards.pool, currency)} {currency}",
        lines=[
            PrizeRow(one.place, names.get(one.player, ""), f"{money(amount, currency)} {currency}")
            for one, amount in won
            if amount
        ],
        is_final=event.status == Status.OFFICIAL,
    )
