"""The code of a slip for a hand of a night, and the hand and the layout of a code.

A slip of another club, another night, other rules or tables that were drawn anew is recognised by
its code and refused with a sentence.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings

from engine.core.messages import Message, MessageError
from engine.rules.rules import Rules
from scoring.models import Game
from scoring.settlement.plan import rules_of
from scoring.slips.codes import SlipCode, short_digest, short_id
from scoring.slips.layout import SlipLayout, lay_out
from tournaments.core import time_zones
from tournaments.events.round_rules import rule_set_of_round, rule_sets_in_use
from tournaments.models import Event, Table
from tournaments.people import rule_sets


def code_of(
    event: Event,
    rules: Rules,
    players: int,
    *,
    table: Table | None = None,
    hand: int = 0,
    round_number: int = 0,
) -> SlipCode:
    """The code of the slip for a hand at a table; of a blank slip, perhaps of a round."""
    return SlipCode(
        installation=own_installation(),
        event=short_id(event.pk),
        players=players,
        rules=short_digest(rules),
        table=0 if table is None else short_id(table.pk),
        round=round_number if table is None else table.round.number,
        number=0 if table is None else table.number,
        hand=hand,
    )


def own_installation() -> int:
    """A number in codes that tells this installation from others; no key follows from it."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), b"painsuit slips", "sha256")
    return int.from_bytes(digest[:2], "big")


class ForeignSlipError(MessageError):
    """A slip that is not of this night, or not of its tables and rules as they are now."""


@dataclass(frozen=True)
class SlipMatcher:
    """Finds the table, the rules and the layout of a slip by its code, for one event.

    Tables and games are loaded once.
    """

    event: Event

    @cached_property
    def tables(self) -> dict[int, Table]:
        """The tables of all rounds, by what codes say of them. One query."""
        rows = Table.objects.filter(round__event=self.event).select_related("round")
        return {short_id(row.pk): row for row in rows}

    @cached_property
    def games(self) -> dict[int, Game]:
        """The games at these tables, by what codes say of the tables. One query."""
        rows = Game.objects.filter(table__round__event=self.event)
        games = rows.select_related("club", "table__round").order_by("opened_at", "pk")
        return {short_id(game.table_id): game for game in games if game.table_id is not None}

    def game_at(self, table: Table | None) -> Game | None:
        """The game at a table; None before its round has begun."""
        return None if table is None else self.games.get(short_id(table.pk))

    def find_table(self, code: SlipCode) -> Table | None:
        """The table of a code, None for a blank slip. Raises ForeignSlipError."""
        if code.installation != own_installation():
            raise ForeignSlipError(
                Message("This slip was printed by the installation of another club.")
            )
        if code.event != short_id(self.event.pk):
            raise ForeignSlipError(self._describe_event(code))
        if code.is_list:
            words = Message("This is a check-in list: take it in where you see who came.")
            raise ForeignSlipError(words)
        if code.is_blank:
            return None
        table = self.tables.get(code.table)
        if table is None:
            words = Message(
                "This slip of table {table} was printed before round {round} was drawn anew.",
                table=code.number,
                round=code.round,
            )
            raise ForeignSlipError(words)
        return table

    def find_rules(self, code: SlipCode) -> Rules:
        """The rules that a slip was printed for. Raises ForeignSlipError where they are others."""
        table = self.find_table(code)
        if table is None or table.size == code.players:
            for rules in self._rules_at(table):
                least, most = rules.players
                if short_digest(rules) == code.rules and least <= code.players <= most:
                    return rules
        raise ForeignSlipError(Message("This slip was printed for other house rules."))

    def find_layout(self, code: SlipCode) -> SlipLayout | None:
        """The layout of a slip; None for one that is not of this night."""
        try:
            rules = self.find_rules(code)
        except ForeignSlipError:
            return None
        return lay_out(rules, code.players, is_blank=code.is_blank)

    def find_tables(self, code: SlipCode, number: int, round_number: int | None) -> list[Table]:
        """The tables that a blank slip may mean, by round; with that of its round only one.

        ``round_number`` is None where it is not known: then of all rounds that have begun. Raises
        ForeignSlipError where there is none, or none for which the slip was printed.
        """
        found = [
            table
            for table in self.tables.values()
            if table.number == number
            and (table.round.number == round_number if round_number else self.game_at(table))
        ]
        if not found and round_number:
            words = Message("Round {round} has no table {table}.", round=round_number, table=number)
            raise ForeignSlipError(words)
        if not found:
            words = Message("No game is played at table {table}.", table=number)
            raise ForeignSlipError(words)
        fitting = [
            table
            for table in found
            if table.size == code.players
            and code.rules in [short_digest(rules) for rules in self._rules_at(table)]
        ]
        if not fitting:
            words = Message("This blank slip is not for table {table}.", table=number)
            raise ForeignSlipError(words)
        return sorted(fitting, key=lambda table: table.round.number)

    def _rules_at(self, table: Table | None) -> Iterator[Rules]:
        """The rules of a table; of a blank slip those of all rounds."""
        if table is None:
            for row in rule_sets_in_use(self.event):
                yield rule_sets.rules_of(row)
        elif (game := self.game_at(table)) is not None:
            yield rules_of(game)
        else:
            yield rule_sets.rules_of(rule_set_of_round(self.event, table.round.number))

    def _describe_event(self, code: SlipCode) -> Message:
        """Say of which other night of the club a slip is. One query."""
        nights = Event.objects.filter(club=self.event.club_id).order_by("-starts_at", "pk")
        night = next((other for other in nights if short_id(other.pk) == code.event), None)
        if night is None:
            return Message("This slip is of another club, or of a night that was removed.")
        return Message(
            "This slip is of another night: {event}, {day}.",
            event=night.name,
            day=str(time_zones.day(night.starts_at, self.event.club.time_zone)),
        )
