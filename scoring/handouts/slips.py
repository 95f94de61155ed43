"""Score slips of a night: one for each hand of a table, and blank ones."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.messages import Message
from scoring.handouts.seating import tables_of
from scoring.models import Game
from scoring.settlement.plan import rules_of
from scoring.slips.matching import code_of
from scoring.slips.printing import PrintedSlip, print_slips
from tournaments.core.errors import RefusedError
from tournaments.events.round_rules import rule_set_of_round, rule_sets_by_round, rule_sets_in_use
from tournaments.models import Event, Round
from tournaments.people import rule_sets
from tournaments.printing.seating import PrintHeading

SLIPS_MAX: Final = 1000
"""No more are printed at once: 8 hands at 125 tables."""


def print_score_slips(
    event: Event, rows: Sequence[Round], heading: PrintHeading, number: int | None = None
) -> bytes:
    """Print a slip for each hand of each table of some rounds, or of one table by its number.

    Raises RefusedError where there is no such table, and for too many slips.
    """
    tables = [table for row in rows for table in row.tables.all() if number in (None, table.number)]
    if not tables:
        raise RefusedError(Message("No such table is drawn."), "table")
    if (count := len(tables) * event.hands) > SLIPS_MAX:
        words = Message(
            "These are {count} slips, and at most {most} are printed at once. Print one round.",
            count=count,
            most=SLIPS_MAX,
        )
        raise RefusedError(words, "round")
    return print_slips(heading, list(_slips(event, rows, number)))


def _slips(event: Event, rows: Sequence[Round], number: int | None) -> Iterator[PrintedSlip]:
    played = Game.objects.filter(table__round__in=rows).order_by("opened_at", "id")
    games = {game.table_id: game for game in played}
    house = rule_sets_by_round(event)
    for row, seated in zip(rows, tables_of(event, rows), strict=True):
        rule_set = house.get(row.number, event.rule_set)
        rules_of_round = rule_sets.rules_of(rule_set)
        for table, sitting in zip(row.tables.all(), seated.tables, strict=True):
            if number not in (None, table.number):
                continue
            game = games.get(table.pk)
            # Those of a game that was begun stay, whatever the club changes.
            rules = rules_of_round if game is None else rules_of(game)
            for hand in range(1, event.hands + 1):
                code = code_of(event, rules, table.size, table=table, hand=hand)
                yield PrintedSlip(
                    code=code, rules=rules, game=rule_set.name, sitters=sitting.sitters
                )


def print_blank_slips(event: Event, heading: PrintHeading, number: int | None = None) -> bytes:
    """Print a sheet of blank slips for each game and size of table, of a round or of the night."""
    house = rule_sets_in_use(event) if number is None else [rule_set_of_round(event, number)]
    slips = []
    for rule_set in house:
        rules = rule_sets.rules_of(rule_set)
        least, most = rules.players
        for size in event.sizes or range(least, most + 1):
            if least <= size <= most:
                code = code_of(event, rules, size, round_number=number or 0)
                slip = PrintedSlip(code=code, rules=rules, game=rule_set.name)
                slips += [slip] * slip.per_sheet
    return print_slips(heading, slips)
