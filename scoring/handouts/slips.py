"""Score slips of a night: one for each hand of a table, and blank ones."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.core.messages import Message
from engine.rules.switches import Tiebreak, Winner
from scoring.handouts.seating import tables_of
from scoring.models import Game
from scoring.settlement.plan import rules_of
from scoring.slips.matching import code_of
from scoring.slips.printing import PrintedSlip, print_slips
from tournaments.core.errors import RefusedError
from tournaments.events.round_rules import rule_set_of_round, rule_sets_by_round, rule_sets_in_use
from tournaments.models import Event, Round, RuleSet
from tournaments.people import rule_sets
from tournaments.printing.seating import PrintHeading

SLIPS_MAX: Final = 1000
"""No more are printed at once: 8 hands at 125 tables."""


def print_score_slips(
    event: Event, rows: Sequence[Round], heading: PrintHeading, number: int | None = None
) -> bytes:
    """Print a slip for each hand of each table of some rounds, or of one table by its number.

    Raises RefusedError where there is no such table, for too many slips, and where hands cannot be
    told on slips.
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


def find_missing_tricks(house: Iterable[RuleSet]) -> Iterator[tuple[Message, bool]]:
    """The house rules that count tricks, which no slip tells; whether none is printed therefore.

    Nobody remembers at the end of a hand how many tricks each took: only a record of all cards
    tells. Where tricks decide who wins, a slip would be half a result. Where they only separate
    equal results, slips are printed, and the director is told.
    """
    for rule_set in house:
        rules = rule_sets.rules_of(rule_set)
        if rules.winner is Winner.TRICKS:
            words = Message(
                "{game}: whoever takes most tricks wins, and a slip does not say who took how many."
                " Enter these hands on a phone, with every card.",
                game=rule_set.name,
            )
            yield words, True
        elif rules.tiebreak is Tiebreak.TRICKS:
            words = Message(
                "{game}: tricks separate equal results, and a slip does not say who took how many."
                " Enter hands on a phone, with every card, if that may matter.",
                game=rule_set.name,
            )
            yield words, False


def _check_rules(house: Iterable[RuleSet]) -> None:
    """Raise RefusedError where hands by some house rules cannot be told on slips."""
    for words, is_refused in find_missing_tricks(house):
        if is_refused:
            raise RefusedError(words, "kind")


def _slips(event: Event, rows: Sequence[Round], number: int | None) -> Iterator[PrintedSlip]:
    played = Game.objects.filter(table__round__in=rows).order_by("opened_at", "id")
    games = {game.table_id: game for game in played}
    house = rule_sets_by_round(event)
    for row, seated in zip(rows, tables_of(event, rows), strict=True):
        rule_set = house.get(row.number, event.rule_set)
        _check_rules([rule_set])
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
    """Print a sheet of blank slips for each game and size of table, of a round or of the night.

    Raises RefusedError where hands cannot be told on slips.
    """
    house = rule_sets_in_use(event) if number is None else [rule_set_of_round(event, number)]
    _check_rules(house)
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
