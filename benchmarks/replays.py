"""Figure 1: whole hands replayed with complete diagnostics, beside peers that check the rules."""

from collections.abc import Iterator

from benchmarks import peers
from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import TABLES, Table, records
from benchmarks.timing import Race, Runner, race
from engine.replay.replay import replay

_HANDS = 300
_GOALS = {
    peers.OPENSPIEL: 1.6,
    peers.RLCARD: 5.0,
    peers.POKERKIT: 10.0,
    peers.CHESS: 10.0,
}
_EVEN = 2.0
"""How much slower than the fastest system the slowest may be."""


def figures(rounds: int) -> Iterator[Figure]:
    """The peers, then every system."""
    ours = [_ours(table) for table in TABLES]
    theirs = [
        peers.openspiel(_HANDS),
        peers.openspiel_blind(_HANDS),
        peers.rlcard(_HANDS // 10),
        peers.pokerkit(_HANDS // 15),
        peers.python_chess(_HANDS // 10),
    ]
    result = race([*ours, *theirs], rounds)
    by_cost = sorted((runner.name for runner in ours), key=result.cost)
    yield _beside_peers(result, theirs, by_cost)
    yield _by_system(result, by_cost[0])


def _ours(table: Table) -> Runner:
    hands = records(table, _HANDS)
    assert not any(replay(hand).faults for hand in hands)

    def run() -> int:
        for hand in hands:
            replay(hand)
        return len(hands)

    return Runner(str(table), run)


def _beside_peers(result: Race, theirs: list[Runner], by_cost: list[str]) -> Figure:
    middle, slowest = by_cost[len(by_cost) // 2], by_cost[-1]
    rows = []
    for runner in theirs:
        ratio, goal = result.ratio(runner.name, slowest), _GOALS.get(runner.name)
        rows.append(
            [
                runner.name,
                f"{result.cost(runner.name):.0f}",
                times(result.ratio(runner.name, middle)),
                times(ratio),
                f">= {goal:g} x" if goal else "-",
                verdict(reached=ratio >= goal) if goal else "-",
            ]
        )
    columns = ["peer", "us/hand", "our median system", "our slowest", "goal", "reached"]
    note = (
        "How many of our hands are replayed in the time of one of the peer's. "
        f"The median system is {middle}, the slowest {slowest}."
    )
    return Figure("Replay of a whole hand with complete diagnostics", columns, rows, note)


def _by_system(result: Race, fastest: str) -> Figure:
    cards = {str(table): table.rules.hand_size(table.players) * table.players for table in TABLES}
    a_card = {name: result.cost(name) / number for name, number in cards.items()}
    rows = []
    for name in cards:
        ratio = result.ratio(name, fastest)
        rows.append(
            [
                name,
                f"{result.cost(name):.1f}",
                times(ratio),
                times(a_card[name] / min(a_card.values())),
                times(result.ratio(peers.OPENSPIEL, name)),
                verdict(reached=ratio <= _EVEN),
            ]
        )
    columns = ["system", "us/hand", "cost of the fastest", "the same a card", "OpenSpiel", "even"]
    note = f"No system may cost more than {_EVEN:.0f} times the fastest."
    return Figure("Replay by system", columns, rows, note)
