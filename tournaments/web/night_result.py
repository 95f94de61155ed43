"""The end of a night in words: who won it and why, the podium, and its moments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core.seats import DEFAULT_SEATS
from tournaments.models import Event, Result, Stage, Status, Table
from tournaments.people.display_names import distinct_names
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import UNITS, label_for, unit_at_tables
from tournaments.reports.score_columns import AT_TABLES
from tournaments.selectors import spoken_names
from tournaments.standings.order import SCORE
from tournaments.standings.rows import RowData, total_of
from tournaments.tables.page_frame import Note
from tournaments.web.number_format import format_number
from tournaments.web.tie_break_reasons import isolate_direction, reason

_PODIUM: Final = 3
_NAMED: Final = 4
"""So many who share the first place are named; more are counted."""


class PodiumStep(NamedTuple):
    """Somebody's place in a night; ``label`` is it as it is shown, ``=2`` if shared."""

    place: int
    label: str
    name: str
    total: str
    chips: str


@dataclass(frozen=True, slots=True)
class NightResult:
    """The result of a night: ``because`` is what the winner won by."""

    headline: str
    because: str
    places: list[PodiumStep]
    moments: list[Note]
    hands: int

    @property
    def steps(self) -> list[PodiumStep]:
        """The first three places."""
        return [one for one in self.places if one.place <= _PODIUM]

    @property
    def players(self) -> int:
        """The number of those who have a place."""
        return len(self.places)


def is_night_over(event: Event, found: Standings) -> bool:
    """Whether nothing more is played: it was ended, or every round of it is closed.

    While a table is to be finished another day, it is not over.
    """
    if event.status in (Status.FINISHED, Status.OFFICIAL):
        return True
    if found.data.get("adjourned"):
        return False
    stages = [one["stage"] for one in found.data.get("rounds", ())]
    return len(stages) == event.rounds and set(stages) == {Stage.CLOSED}


def describe_night_result(
    event: Event, found: Standings, names: Mapping[str, str], *, in_full: bool
) -> NightResult | None:
    """Return the result of a night that is over; None before that, and where nobody has a place.

    ``names`` are those of the entries; unless ``in_full`` names are those that strangers see.
    Three queries at most.
    """
    rows = [row for row in found.rows if row["rank_from"]]
    if not rows or not is_night_over(event, found):
        return None
    names = spoken_names(names)
    first = [isolate_direction(names[row["entry"]]) for row in rows if row["rank_from"] == 1]
    unit = found.data["unit"]
    return NightResult(
        headline=_headline(first),
        because=_because(rows, names, unit),
        places=[
            PodiumStep(
                place=row["rank_from"] or 0,
                label=row["label"],
                name=names[row["entry"]],
                total=format_total(total_of(row), unit),
                chips=_chips_beside(row, unit, unit_at_tables(found.data)),
            )
            for row in rows
        ],
        moments=[note for note in _moments(event, found, names, in_full=in_full) if note.lines],
        hands=found.data["up_to"].get("hands", 0),
    )


def _moments(
    event: Event, found: Standings, names: Mapping[str, str], *, in_full: bool
) -> Iterator[Note]:
    players = {
        found.players[entry]: name for entry, name in names.items() if entry in found.players
    }
    yield jackpot_note(event, in_full=in_full, names=players)
    closest = _closest_finish(event, found, names)
    yield Note(_("Closest finish"), (closest,) if closest else ())


def _headline(names: list[str]) -> str:
    if len(names) == 1:
        return _("%(name)s wins the night") % {"name": names[0]}
    if len(names) > _NAMED:
        return _("%(n)d players share first place") % {"n": len(names)}
    *others, last = names
    return _("%(names)s and %(last)s share first place") % {
        "names": ", ".join(others),
        "last": last,
    }


def _because(rows: list[RowData], names: Mapping[str, str], unit: str) -> str:
    """The total of the winner, and what was decisive; only the total of several who share it."""
    winner, total = rows[0], total_of(rows[0])
    decided, said = winner["decided"], format_total(total, unit)
    if winner["tied"] > 1:
        return _("%(total)s each") % {"total": said}
    if decided is None or total is None:
        return said
    if decided["key"] != SCORE:
        why = reason(decided, names)
        return said if why is None else f"{said}, {why.sentence}"
    after = total_of(rows[1]) if len(rows) > 1 else None
    if after is None:
        return said
    return _("%(total)s, %(n)s ahead of %(name)s") % {
        "total": said,
        "n": format_number(abs(total - after)),
        "name": isolate_direction(names[rows[1]["entry"]]),
    }


def format_total(total: Fraction | None, unit: str) -> str:
    """Format a total with the unit of its event.

    >>> format_total(Fraction(9), "points"), format_total(Fraction(1), "chips")
    ('9 points', '+1 chip')
    """
    text, many = format_number(total), 1 if total == 1 else 2
    match unit:
        case "points":
            return ngettext("%(n)s point", "%(n)s points", many) % {"n": text}
        case "penalty points":
            words = ngettext("%(n)s penalty point", "%(n)s penalty points", many)
            return words % {"n": text}
        case "chips":
            signed = {"n": format_number(total, signed=True)}
            return ngettext("%(n)s chip", "%(n)s chips", many) % signed
        case _:
            return f"{label_for(UNITS, unit)}: {text}"


def _chips_beside(row: RowData, unit: str, at_tables: str) -> str:
    chips = row["columns"].get(AT_TABLES)
    is_told = chips is None or unit == at_tables
    return "" if is_told else format_total(Fraction(str(chips)), at_tables)


def _closest_finish(event: Event, found: Standings, names: Mapping[str, str]) -> str:
    """The table whose first two ended closest, the last of several; empty where none is told.

    Rounds of several rule sets are not compared: chips and points have no common unit (DEC-16).
    """
    if event.round_rules or event.duplicate:
        return ""
    is_low = found.data["low"]
    closest: tuple[Fraction, str] | None = None
    for game in found.data.get("games", ()):
        scores = [(Fraction(seat["score"]), names.get(seat["entry"], "")) for seat in game["seats"]]
        if len(scores) < 2 or not game["hands"]:
            continue
        scores.sort(key=lambda one: one[0], reverse=not is_low)
        (best, winner), (after, runner_up) = scores[:2]
        if closest is None or abs(best - after) <= closest[0]:
            text = _("%(first)s %(best)s, %(second)s %(after)s (round %(round)s, table %(table)s)")
            closest = (
                abs(best - after),
                text
                % {
                    "first": isolate_direction(winner),
                    "best": format_number(best, signed=not is_low),
                    "second": isolate_direction(runner_up),
                    "after": format_number(after, signed=not is_low),
                    "round": game["round"],
                    "table": game["table"],
                },
            )
    return "" if closest is None else closest[1]


def jackpot_note(event: Event, *, in_full: bool, names: Mapping[str, str] | None = None) -> Note:
    """The winners of the largest jackpot of an event, a line each; no line if there was none.

    ``names`` are those of players that are known already. Three queries at most, one where
    everybody is among them.
    """
    rows = find_largest_jackpot(Result.objects.filter(game__event=event))
    players = dict(names or {})
    if missing := [row.player_id for row in rows if str(row.player_id) not in players]:
        players |= spoken_names(distinct_names(event.club, missing, in_full=in_full))
    lines = (
        _("%(name)s won %(chips)s chips (%(hand)s).")
        % {
            "name": players.get(str(row.player_id), ""),
            "chips": format_number(row.won),
            "hand": format_hand_place(row.game.table, row.number),
        }
        for row in rows
    )
    return Note(_("Jackpot of the night"), tuple(lines))


def find_largest_jackpot(results: QuerySet[Result]) -> list[Result]:
    """Return the results of those who won the largest jackpot, seat by seat. One query.

    Of equal ones it is the first.
    """
    won = results.filter(jackpot=True, won__gt=0)
    order = ("-pot", "game__opened_at", "game__table__round__number", "game__table__number")
    rows = won.order_by(*order, "number", "seat").select_related("game__table__round__event")
    hands = groupby(rows[: max(DEFAULT_SEATS)], key=lambda row: (row.game_id, row.number))
    return next((list(winners) for _hand, winners in hands), [])


def format_hand_place(table: Table | None, number: int) -> str:
    """Say where a hand was played."""
    if table is None:
        return _("Hand %(hand)s") % {"hand": number}
    return _("Round %(round)s, table %(table)s, hand %(hand)s") % {
        "round": table.round.number,
        "table": table.number,
        "hand": number,
    }
