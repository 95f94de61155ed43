"""Statistics of a club's players as a table: one row for each number of each player."""

from collections.abc import Mapping
from fractions import Fraction
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.core.language import translate
from tournaments.models import Club, TableGame
from tournaments.publishing.player_lines import iterate_lines
from tournaments.reports.people import named_players, player_columns
from tournaments.statistics import Book, Figure, Unit, figures
from tournaments.statistics.catalogue import Group
from tournaments.statistics.hand_catalogue import LEDGER_LEAST
from tournaments.tables.model import Column, ColumnKind, Table

_PARTS: Final = (Unit.RATE, Unit.SPREAD)
_SUITS: Final[Mapping[object, object]] = {
    "spades": gettext_lazy("spades"),
    "hearts": gettext_lazy("hearts"),
    "diamonds": gettext_lazy("diamonds"),
    "clubs": gettext_lazy("clubs"),
}


class PlayerFigure(NamedTuple):
    """A number of a player; None is the whole club."""

    player: UUID | None
    figure: Figure


def statistics(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> Table[PlayerFigure]:
    """Return everybody's statistics in the games of a club, an event or a league.

    A number of fewer than ten lines is left out, as on pages: it says nothing. What papers and
    bids brought is told of the whole club too.
    """
    games = TableGame.objects.filter(club=club)
    if event is not None:
        games = games.filter(event=event)
    if league is not None:
        games = games.filter(event__leagues__league=league)
    book = Book().add(iterate_lines(games))
    usual, names = book.everybody(), named_players(club)
    rows = [
        PlayerFigure(player, figure)
        for player, tally in sorted(
            ((UUID(player), tally) for player, tally in book.players.items()),
            key=lambda found: names[found[0]].number,
        )
        for figure in figures(tally.sums, usual)
        if not figure.hidden
    ]
    rows += [
        PlayerFigure(None, figure)
        for figure in figures(usual, usual)
        if figure.statistic.least >= LEDGER_LEAST and figure.group and not figure.hidden
    ]
    columns: tuple[Column[PlayerFigure], ...] = (
        *player_columns(
            "player",
            _("Player"),
            attrgetter("player"),
            names,
            otherwise=lambda _row: _("all players"),
        ),
        Column(
            key="figure",
            title=_("Figure"),
            value=lambda row: translate(row.figure.statistic.title),
        ),
        Column(key="group", title=_("Of"), value=lambda row: group_words(row.figure.group)),
        Column(
            key="value",
            title=_("Value"),
            kind=ColumnKind.DECIMAL,
            value=lambda row: shown_value(row.figure),
        ),
        Column(key="unit", title=_("Unit"), value=lambda row: "%" if is_part(row.figure) else ""),
        Column(
            key="low",
            title=_("From (90 %)"),
            kind=ColumnKind.DECIMAL,
            value=lambda row: interval(row.figure)[0],
        ),
        Column(
            key="high",
            title=_("To (90 %)"),
            kind=ColumnKind.DECIMAL,
            value=lambda row: interval(row.figure)[1],
        ),
        Column(
            key="error",
            title=_("Standard error"),
            kind=ColumnKind.DECIMAL,
            value=lambda row: _standard_error(row.figure),
        ),
        Column(
            key="lines", title=_("Made of"), kind=ColumnKind.INTEGER, value=attrgetter("figure.n")
        ),
        Column(
            key="figure_code",
            title="figure_code",
            value=lambda row: row.figure.statistic.key,
            is_id=True,
        ),
        Column(
            key="player_id",
            title="player_id",
            value=_player_id,
            is_id=True,
        ),
    )
    return Table(_("Statistics"), columns, rows)


def _player_id(row: PlayerFigure) -> str:
    """The id of a player; empty of the whole club."""
    return str(row.player or "")


def group_words(group: Group) -> str:
    """Return the group of a number: a suit, a count, or a seat at a table of so many."""
    parts = [str(_SUITS.get(part, part)) for part in group]
    if len(parts) == 2:
        return _("%(players)s at the table: %(place)s") % {"players": parts[0], "place": parts[1]}
    return ", ".join(parts)


def is_part(figure: Figure) -> bool:
    """Whether a number is a part of a whole, which is shown in per cent."""
    return figure.statistic.unit in _PARTS


def shown_value(figure: Figure) -> Fraction:
    """The number that is shown: a part in per cent, a mean drawn towards what is usual."""
    return 100 * figure.mean if is_part(figure) else figure.shrunk


def _standard_error(figure: Figure) -> Fraction | None:
    """The standard error of the mean, in per cent where the number is."""
    if figure.error is None:
        return None
    return (100 if is_part(figure) else 1) * Fraction(figure.error).limit_denominator(10_000)


def interval(figure: Figure) -> tuple[Fraction | None, Fraction | None]:
    """The ends of the 90 % interval, in per cent where the number is."""
    if figure.low is None or figure.high is None:
        return None, None
    whole = 100 if is_part(figure) else 1
    low, high = (
        whole * Fraction(end).limit_denominator(10_000) for end in (figure.low, figure.high)
    )
    return low, high
