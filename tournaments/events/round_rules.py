"""House rules of single rounds: an event has house rules, and a round may have its own.

Scores of different systems are not in one unit: ten chips at Auction Hearts are not ten at Sahara,
and penalty points are no chips at all. Such an event is scored by what can be compared, places and
matchpoints; what adds or compares raw scores is refused (tournaments.md 3.2).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.translation import ngettext

from engine.core.messages import Message, joined_by_semicolons
from engine.rules.rules import plays_for_chips
from tournaments.core.errors import RefusedError
from tournaments.models import Event, RuleSet, Stage
from tournaments.people.rule_sets import rules_of
from tournaments.standings import ScoringRules
from tournaments.tables.cells import isolate_name


def rule_sets_by_round(event: Event) -> dict[int, RuleSet]:
    """Return the house rules of every round, by its number. One query where rounds have their own.

    An event without rounds has none.
    """
    ids = event.round_rules.values()
    own = {str(row.pk): row for row in RuleSet.objects.filter(pk__in=ids)} if ids else {}
    return {
        number: own.get(event.round_rules.get(str(number), ""), event.rule_set)
        for number in range(1, event.rounds + 1)
    }


def rule_set_of_round(event: Event, number: int) -> RuleSet:
    """Return the house rules of one round."""
    found = event.round_rules.get(str(number))
    return event.rule_set if found is None else RuleSet.objects.get(pk=found)


def rule_sets_in_use(event: Event) -> list[RuleSet]:
    """Return the house rules of the rounds, each once, in the order of the rounds."""
    found = {row.pk: row for row in rule_sets_by_round(event).values()}
    return list(found.values()) or [event.rule_set]


def common_sizes(rule_sets: Sequence[RuleSet]) -> list[int]:
    """Return the table sizes that all of some house rules allow, in order."""
    ranges = [rules_of(row).players for row in rule_sets]
    least, most = max(one.least for one in ranges), min(one.most for one in ranges)
    return list(range(least, most + 1))


def describe_rules(event: Event, *, isolated: bool = False) -> str:
    """Name the house rules of an event, and those of rounds that have others.

    ``isolated``: for a line of plain text, which those names may not turn around.
    """
    shown = isolate_name if isolated else str
    rounds: dict[UUID, list[int]] = defaultdict(list)
    by_round = rule_sets_by_round(event) if event.round_rules else {}
    for number, row in by_round.items():
        rounds[row.pk].append(number)
    names = {row.pk: row.name for row in by_round.values()}
    others = [(names[pk], numbers) for pk, numbers in rounds.items() if pk != event.rule_set_id]
    said = [] if by_round and event.rule_set_id not in rounds else [shown(event.rule_set.name)]
    for name, numbers in others:
        words = ngettext("round %(rounds)s: %(name)s", "rounds %(rounds)s: %(name)s", len(numbers))
        said.append(words % {"rounds": ", ".join(map(str, numbers)), "name": shown(name)})
    return "; ".join(said)


def clean_round_rules(event: Event, wanted: Mapping[str, object]) -> dict[str, str]:
    """Return the house rules of rounds as an event stores them; those of the event are left out.

    Raises RefusedError naming the round: not one of the event's, rules that the club does not have
    or does not offer any more, other rules than those by which a round has begun.
    """
    found: dict[str, str] = {}
    for key, value in wanted.items():
        field = f"round_rules.{key}"
        if not (key.isascii() and key.isdecimal() and 1 <= int(key) <= event.rounds):
            words = Message(
                "Round {number} is not in this event, which has {rounds}.",
                number=key,
                rounds=event.rounds,
            )
            raise RefusedError(words, field)
        row = RuleSet.objects.filter(club=event.club_id, pk=str(value)).first()
        is_kept = row is not None and str(row.pk) in event.round_rules.values()
        if row is None or (row.retired_at is not None and not is_kept):
            raise RefusedError(Message("The club has no such house rules."), field)
        if row.pk != event.rule_set_id:
            found[str(int(key))] = str(row.pk)
    begun = event.round_rows.exclude(stage=Stage.DRAWN).values_list("number", flat=True)
    for number in begun:
        if found.get(str(number)) != event.round_rules.get(str(number)):
            words = Message("Round {number} has begun; its house rules stay.", number=number)
            raise RefusedError(words, f"round_rules.{number}")
    return dict(sorted(found.items(), key=lambda one: int(one[0])))


def check_round_rules(event: Event, scoring: ScoringRules) -> None:
    """Raise RefusedError where rounds under these rules cannot be played or scored together.

    The field is that of the setting that is in the way: ``sizes``, or one of ``scoring``.
    """
    if not event.round_rules:
        return
    for number in event.round_rules:
        if int(number) > event.rounds:
            words = Message(
                "Round {number} has house rules of its own; the event has {rounds} rounds now.",
                number=number,
                rounds=event.rounds,
            )
            raise RefusedError(words, f"round_rules.{number}")
    rule_sets = rule_sets_in_use(event)
    if not common_sizes(rule_sets):
        words = Message(
            "No size of table is allowed by all of these house rules: {rules}.",
            rules=joined_by_semicolons(list(_with_players(rule_sets))),
        )
        raise RefusedError(words, "round_rules")
    systems = {(row.preset, plays_for_chips(rules_of(row))) for row in rule_sets}
    if len(systems) < 2:
        return
    ways = {for_chips for _preset, for_chips in systems}
    for name, impossible, needed in scoring.conflicts_of_systems(mixed_ways=len(ways) > 1):
        if impossible:
            raise RefusedError(needed, f"scoring.{name}")


def _with_players(rule_sets: Sequence[RuleSet]) -> Iterator[Message]:
    for row in rule_sets:
        players = str(rules_of(row).players)
        yield Message("{name}, {players} players", name=row.name, players=players)
