"""Figure 2: from text to settled hands, and back to text, beside endplay."""

from collections.abc import Iterator, Sequence

from benchmarks import peers
from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import TABLES, Written, games, text_of
from benchmarks.timing import Runner, race
from engine.notation import Reader, write_record
from engine.verdicts.judge import Judge

_HANDS = 60
_JUDGED = 6.0
_WRITTEN = 4.0
_ALL = "all systems"


def figures(rounds: int) -> Iterator[Figure]:
    """Reading and writing, each against endplay doing less."""
    written = {str(table): list(games(table, _HANDS)) for table in TABLES}
    written[_ALL] = [hand for hands in written.values() for hand in hands]
    texts = {name: [text_of(hand) for hand in hands] for name, hands in written.items()}
    size = _mean([len(text) for text in texts[_ALL]])
    reader, dumper = peers.endplay(_HANDS, size)
    judged = {name: _judging(f"judge {name}", texts[name]) for name in texts}
    read = {name: _reading(f"read {name}", texts[name]) for name in texts}
    bare = {name: _writing_bare(f"write bare {name}", written[name]) for name in texts}
    wrote = {name: _writing(f"write {name}", written[name]) for name in texts}
    ours = [runner for group in (judged, read, bare, wrote) for runner in group.values()]
    result = race([reader, dumper, *ours], rounds)
    rows = []
    for name, own in texts.items():
        judging = result.ratio(reader.name, judged[name].name)
        writing = result.ratio(dumper.name, wrote[name].name)
        rows.append(
            [
                name,
                str(_mean(list(map(len, own)))),
                f"{result.cost(judged[name].name):.0f}",
                times(judging),
                times(result.ratio(reader.name, read[name].name)),
                times(result.ratio(dumper.name, bare[name].name)),
                times(writing),
                verdict(reached=judging >= _JUDGED and writing >= _WRITTEN),
            ]
        )
    yield Figure(
        "Text to settled hands, and hands to text",
        ["records", "bytes", "us/hand", "judged", "only read", "written", "and tags", "reached"],
        rows,
        "How many of our records are judged (read, replayed, settled, their claims compared, the "
        "next state known), "
        "only read, and written (the hand alone, and with its tags) in the time in which endplay "
        f"parses or dumps one board of {size} bytes ({result.cost(reader.name):.0f} and "
        f"{result.cost(dumper.name):.0f} us) without looking at its play. "
        f"The goal is {_JUDGED:.0f} x for judged, and {_WRITTEN:.0f} x for written with tags.",
    )


def _mean(sizes: Sequence[int]) -> int:
    return sum(sizes) // len(sizes)


def _file(texts: Sequence[str]) -> str:
    return "% PHN 1.0\n" + "\n".join(texts)


def _judging(name: str, texts: Sequence[str]) -> Runner:
    text = _file(texts)
    assert all(record.ok and not record.findings for record in Judge(text))

    def run() -> int:
        return sum(record.ok and record.after is not None for record in Judge(text))

    return Runner(name, run)


def _reading(name: str, texts: Sequence[str]) -> Runner:
    text = _file(texts)
    return Runner(name, lambda: sum(entry.record is not None for entry in Reader(text)))


def _writing_bare(name: str, written: Sequence[Written]) -> Runner:
    def run() -> int:
        for hand in written:
            write_record(hand.record)
        return len(written)

    return Runner(name, run)


def _writing(name: str, written: Sequence[Written]) -> Runner:
    def run() -> int:
        for hand in written:
            text_of(hand)
        return len(written)

    return Runner(name, run)
