"""The result of a night, to be hung up: places, rounds, prizes, the jackpot and the rulings."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from django.db.models import F
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.handouts.properties import SheetOrder, describe_sheet, find_published
from scoring.models import Decided, Hand, HandVersion
from scoring.presentation.ruling_names import title
from tournaments.core.language import translate
from tournaments.events.events import scoring_of
from tournaments.models import Event, Scope
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, Winner, print_sheets
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import (
    column_beside_total,
    event_columns,
    rank_of,
    summarize_scoring,
)
from tournaments.reports.labels import (
    KINDS,
    heading_for,
    label_for,
)
from tournaments.standings.rows import RowData, total_of
from tournaments.tables.model import Column, ColumnKind, Table
from tournaments.tables.page_frame import Note
from tournaments.tables.paper_rows import table_texts
from tournaments.web.night_result import format_hand_place, format_total, jackpot_note
from tournaments.web.number_format import format_number
from tournaments.web.standings import names_in
from tournaments.web.teams import PrizeTable, prizes_won

_RANKED: Final = "ranked"
_FIRST: Final = 3
"""How many winners are set large."""


def print_result_sheet(event: Event, order: SheetOrder) -> bytes:
    """Print the result of an event. Raises RefusedError where nothing was published yet."""
    published = find_published(Scope.EVENT, event)
    names = names_in(published, event.club, in_full=order.in_full)
    tie_breaks = _tie_breaks(published)
    about = describe_sheet(event, order, published)
    numbers = event_columns(published.data)
    total, beside = numbers.total[0], column_beside_total(numbers, published.data)
    prizes = prizes_won(event, names)
    columns: tuple[Column[RowData], ...] = (
        Column(key="rank", title="", kind=ColumnKind.RANK, value=rank_of),
        Column(key="name", title=_("Name"), value=partial(_name, names=names)),
        *numbers.scores,
        *numbers.parts,
        *([beside] if beside else []),
        total,
        *([_tie_break_column(tie_breaks)] if tie_breaks else []),
    )
    sheet = PaperSheet(
        columns=columns,
        groups=[
            RowGroup(
                "" if kind == _RANKED else label_for(KINDS, kind),
                table_texts(Table("", columns, list(rows)), about.locale),
            )
            for kind, rows in groupby(published.rows, key=itemgetter("kind"))
        ],
        spare=frozenset({"tie_break"}),
        winners=[
            Winner(
                str(rank_of(row)),
                names[row["entry"]],
                (
                    format_total(total_of(row), published.data["unit"]),
                    tie_breaks.get(row["entry"], ""),
                    _prize(prizes, names[row["entry"]]),
                ),
            )
            for row in published.rows[:_FIRST]
            if row["kind"] == _RANKED
        ],
        signers=[_("Director"), _("For the players")],
        notes=[
            note
            for note in _notes(event, published, names, prizes, in_full=order.in_full)
            if note.lines
        ],
    )
    return print_sheets(about, [sheet], order.paper)


def _name(row: RowData, *, names: Mapping[str, str]) -> str:
    name = names[row["entry"]]
    return f"{name} ({row['team']})" if row["team"] else name


def _prize(prizes: PrizeTable | None, name: str) -> str:
    lines = prizes.lines if prizes is not None else ()
    return next((line.amount for line in lines if line.name == name), "")


def _tie_break_column(tie_breaks: Mapping[str, str]) -> Column[RowData]:
    return Column(
        key="tie_break", title=_("Tie-break"), value=lambda row: tie_breaks.get(row["entry"], "")
    )


def _tie_breaks(standings: Standings) -> dict[str, str]:
    """The tie-break that decided between equal totals, with the value of each entry, by entry."""
    said: dict[str, str] = {}
    for row, below in pairwise(standings.rows):
        if (decided := row["decided"]) and row["total"] == below["total"]:
            key = decided["key"]
            name = capfirst(heading_for(key)[0])
            said.setdefault(row["entry"], f"{name}: {format_number(decided['mine'])}")
            said[below["entry"]] = f"{name}: {format_number(decided['theirs'])}"
    return said


def _notes(
    event: Event,
    standings: Standings,
    names: Mapping[str, str],
    prizes: PrizeTable | None,
    *,
    in_full: bool,
) -> Iterator[Note]:
    if prizes is not None:
        lines = (f"{line.place}. {line.name}: {line.amount}" for line in prizes.lines)
        yield Note(_("Prizes"), tuple(lines))
    yield jackpot_note(event, in_full=in_full)
    yield Note(_("Rulings and corrections"), (*_rulings(event), *_adjustments(standings, names)))
    counted = summarize_scoring(scoring_of(event), standings.data, on_paper=True)
    yield Note(_("How it is counted"), (" ".join(counted),) if counted else ())


def _rulings(event: Event) -> list[str]:
    """Rulings that hold and corrected records, without free text. Two queries."""
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
    return [f"{format_hand_place(hand.game.table, hand.number)}: {words}." for hand, words in said]


def _order(hand: Hand) -> tuple[int, int, int]:
    table = hand.game.table
    assert table is not None
    return table.round.number, table.number, hand.number


def _decision(row: Decided) -> str:
    ruling = row.decision()
    decision = translate(ruling.decision.words)
    return f"{decision} ({title(ruling.code)})" if ruling.code else decision


def _adjustments(standings: Standings, names: Mapping[str, str]) -> Iterator[str]:
    """Penalties and bonuses in the scores, without their reasons, which are for members."""
    for row in standings.rows:
        for adjustment in row["adjustments"]:
            amount = format_number(adjustment["amount"], signed=True)
            yield f"{names.get(row['entry'], '')}: {amount}"
