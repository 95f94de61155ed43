"""The result of a night, to be hung up: places, rounds, prizes, the jackpot and the rulings."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import Final

from django.db.models import F
from django.utils.translation import gettext as _

from engine.messages import Message
from scoring.handouts.properties import describe_sheet
from scoring.models import Decided, Hand, HandVersion
from scoring.models.states import read_ruling
from scoring.presentation.ruling_names import DECISIONS, title
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.events.events import scoring_of
from tournaments.models import Event, Result, Scope, Table
from tournaments.people.display_names import distinct_names
from tournaments.printing.standings_sheets import RowGroup, StandingsSheet, Winner, print_standings
from tournaments.publishing.official import find_current
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import COLUMNS, label_for
from tournaments.tables.model import Column, ColumnKind
from tournaments.tables.page_frame import Note
from tournaments.tables.press import PaperSize
from tournaments.web.number_format import format_number
from tournaments.web.standings import (
    StandingsRow,
    StandingsTable,
    build_standings_table,
    format_cell,
    names_in,
)
from tournaments.web.standings_query import StandingsQuery
from tournaments.web.teams import PrizeTable, prizes_won

_FIRST: Final = 3
"""So many winners are set large."""


def print_result_sheet(event: Event, paper: PaperSize, address: str, at: datetime) -> bytes:
    """Print the result of an event. Raises RefusedError where nothing was published yet."""
    found = find_current(Scope.EVENT, event.pk)
    names = names_in(found, event.club, in_full=True)
    table = build_standings_table(found, names, StandingsQuery(), in_full=True)
    if table is None:
        raise RefusedError(Message("No standings have been published yet."), "event")
    tie_breaks = _tie_breaks(found)
    columns = _columns(table, tie_breaks)
    prizes = prizes_won(event, names.names)
    sheet = StandingsSheet(
        columns=columns,
        groups=_groups(table, columns),
        spare=frozenset({"tie_break"}),
        winners=_winners(table, tie_breaks, prizes),
        notes=[note for note in _notes(event, found, names.names, prizes) if note.lines],
    )
    return print_standings(describe_sheet(event, found, address, at), sheet, paper)


def _columns(
    table: StandingsTable, tie_breaks: Mapping[str, str]
) -> tuple[Column[StandingsRow], ...]:
    number = ColumnKind.INTEGER
    rounds: list[Column[StandingsRow]] = [
        Column(
            key=column.key,
            title=column.title,
            kind=number,
            value=partial(_round_text, place=place),
        )
        for place, column in enumerate(table.rounds)
    ]
    return (
        Column(key="rank", title="", kind=ColumnKind.RANK, value=attrgetter("label")),
        Column(key="name", title=_("Name"), value=_name_with_marks),
        *rounds,
        Column(key="total", title=table.unit, kind=number, value=attrgetter("total.text")),
        *([_tie_break_column(tie_breaks)] if tie_breaks else []),
    )


def _round_text(row: StandingsRow, *, place: int) -> str:
    return row.rounds[place].text


def _tie_break_column(tie_breaks: Mapping[str, str]) -> Column[StandingsRow]:
    return Column(
        key="tie_break", title=_("Tie-break"), value=lambda row: tie_breaks.get(row.entry, "")
    )


def _tie_breaks(found: Standings) -> dict[str, str]:
    """By entry, what told it from others with the same total, and what it had of that."""
    said: dict[str, str] = {}
    for row, below in pairwise(found.rows):
        if (decided := row["decided"]) and row["total"] == below["total"]:
            name = label_for(COLUMNS, decided["key"])
            said.setdefault(row["entry"], f"{name}: {format_cell(decided['mine']).text}")
            said[below["entry"]] = f"{name}: {format_cell(decided['theirs']).text}"
    return said


def _name_with_marks(row: StandingsRow) -> str:
    return f"{row.name} ({', '.join(row.marks)})" if row.marks else row.name


def _groups(table: StandingsTable, columns: Sequence[Column[StandingsRow]]) -> list[RowGroup]:
    groups: list[tuple[str, list[tuple[str, ...]]]] = []
    for row in table.rows:
        if row.heading or not groups:
            groups.append((row.heading, []))
        groups[-1][1].append(tuple(str(column.value(row)) for column in columns))
    return [RowGroup(title, rows) for title, rows in groups]


def _winners(
    table: StandingsTable, tie_breaks: Mapping[str, str], prizes: PrizeTable | None
) -> list[Winner]:
    won = {line.name: line.amount for line in prizes.lines} if prizes else {}
    ranked = takewhile(lambda row: not row.heading, table.rows[:_FIRST])
    return [
        Winner(
            row.label,
            row.name,
            (
                f"{row.total.text} {table.unit}",
                tie_breaks.get(row.entry, ""),
                won.get(row.name, ""),
            ),
        )
        for row in ranked
    ]


def _notes(
    event: Event,
    found: Standings,
    names: Mapping[str, str],
    prizes: PrizeTable | None,
) -> Iterator[Note]:
    if prizes is not None:
        lines = (f"{one.place}. {one.name}: {one.amount}" for one in prizes.lines)
        yield Note(_("Prizes"), tuple(lines))
    yield Note(_("Jackpot of the night"), tuple(_jackpot_lines(event)))
    yield Note(_("Rulings and corrections"), (*_rulings(event), *_adjustments(found, names)))
    scored = [translate(line) for line in scoring_of(event).highlights()]
    yield Note(_("How it is scored"), tuple(scored))


def _jackpot_lines(event: Event) -> Iterator[str]:
    """The largest pot that was won in a jackpot hand: where, by whom, how much. Three queries."""
    won = Result.objects.filter(game__event=event, jackpot=True, won__gt=0)
    largest = won.order_by("-pot", "game__table__round__number", "game__table__number").first()
    if largest is None:
        return
    rows = list(
        won.filter(game=largest.game_id, number=largest.number)
        .select_related("game__table__round")
        .order_by("seat")
    )
    players = distinct_names(event.club, [row.player_id for row in rows])
    for row in rows:
        yield _("%(name)s won %(chips)s chips (%(hand)s).") % {
            "name": players.get(str(row.player_id), ""),
            "chips": format_number(row.won),
            "hand": _hand_place(row.game.table, row.number),
        }


def _hand_place(table: Table | None, number: int) -> str:
    if table is None:
        return _("Hand %(hand)s") % {"hand": number}
    return _("Round %(round)s, table %(table)s, hand %(hand)s") % {
        "round": table.round.number,
        "table": table.number,
        "hand": number,
    }


def _rulings(event: Event) -> list[str]:
    """Rulings that hold and records that were corrected, without anybody's words. Two queries."""
    of_event = {"hand__game__table__round__event": event, "hand__rival": None}
    table = "hand__game__table__round"
    rulings = Decided.objects.filter(
        **of_event, superseded_by=None, withdrawn=False, lets_stand=None
    )
    said = [(row.hand, _decision(row)) for row in rulings.select_related(table)]
    versions = HandVersion.objects.filter(**of_event, number=F("hand__current"), number__gt=1)
    corrections = versions.exclude(why="").select_related(table)
    said += [(version.hand, _("the record was corrected")) for version in corrections]
    said.sort(key=lambda one: _order(one[0]))
    return [f"{_hand_place(hand.game.table, hand.number)}: {words}." for hand, words in said]


def _order(hand: Hand) -> tuple[int, int, int]:
    table = hand.game.table
    assert table is not None
    return table.round.number, table.number, hand.number


def _decision(row: Decided) -> str:
    ruling = read_ruling(row.ruling)
    decision = str(DECISIONS[ruling.decision])
    return f"{decision} ({title(ruling.code)})" if ruling.code else decision


def _adjustments(found: Standings, names: Mapping[str, str]) -> Iterator[str]:
    """Penalties and bonuses in the scores, without their reasons, which are for members."""
    for row in found.rows:
        for one in row["adjustments"]:
            amount = format_number(one["amount"], signed=True)
            yield f"{names.get(row['entry'], '')}: {amount}"
