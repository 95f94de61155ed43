"""Bars of a player: made with a reason and lifted; for those who may edit players alone."""

from datetime import date, datetime
from typing import TypedDict
from uuid import UUID

from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Day, Text, form
from tournaments.api.players import player_of
from tournaments.core.errors import NotThereError
from tournaments.models import PlayerBar
from tournaments.people import bars
from tournaments.people.bars import NewBar

BAR = form(
    reason=Text(most=300, words="Why; told to nobody but those who may edit players."),
    since=Day(required=False, words="The first day by the club's calendar; without it, today."),
    until=Day(
        required=False, nullable=True, words="The last day; without it, until the bar is lifted."
    ),
)


class BarOut(TypedDict):
    """A bar. Both days are part of it; ``reason`` is empty once the person was erased."""

    id: UUID
    player: UUID
    since: date
    until: date | None
    reason: str
    by: str
    at: datetime
    lifted_by: str | None
    lifted_at: datetime | None


class Bars(Door):
    """The bars of a player."""

    @read(Right.PLAYERS_EDIT, gives=BarOut, pages=True)
    def get(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """List the bars of a player, lifted ones too."""
        return ask.page(bars.bars_of(player_of(ask, player_id)), bar_out)

    @write(Right.PLAYERS_EDIT, takes=BAR, gives=BarOut, status=201)
    def post(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Bar a player: they are not entered, checked in, seated or substituted until it ends.

        Hands that were played stay.
        """
        new = NewBar(player=player_of(ask, player_id).pk, **ask.values)
        bar = bars.bar_player(club_id=club_id, new=new, by=ask.by, at=ask.at)
        return Answer(bar_out(bar), location=f"{ask.path}/{bar.pk}")


class OneBar(Door):
    """A bar of a player."""

    @write(Right.PLAYERS_EDIT, gives=BarOut)
    def delete(self, ask: Ask, club_id: UUID, player_id: UUID, bar_id: UUID) -> Answer:
        """Lift a bar; it stays on record."""
        if not bars.bars_of(player_of(ask, player_id)).filter(pk=bar_id).exists():
            raise NotThereError
        return Answer(bar_out(bars.lift_bar(club_id=club_id, bar_id=bar_id, by=ask.by, at=ask.at)))


def bar_out(bar: PlayerBar) -> BarOut:
    """A bar as data, for somebody who may edit players."""
    return {
        "id": bar.pk,
        "player": bar.player_id,
        "since": bar.since,
        "until": bar.until,
        "reason": bar.reason,
        "by": bar.by,
        "at": bar.at,
        "lifted_by": bar.lifted_by or None,
        "lifted_at": bar.lifted_at,
    }
