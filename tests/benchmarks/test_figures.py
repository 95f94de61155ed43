"""The figures of docs/performance.md are those of the engine as it is."""

import platform

import pytest

from benchmarks.__main__ import COMMAND, PAGE, section_of
from benchmarks.instructions import TITLE, count_instructions, count_of_hands

MOST = 0.05
"""The part by which the work of a hand may differ from what it was when times were measured."""


def test_instructions_are_counted_alike_each_time() -> None:
    assert count_instructions(lambda: sum(number for number in range(9))) == count_instructions(
        lambda: sum(number for number in range(9))
    )
    assert count_instructions(lambda: [*map(str, range(900))]) < 20


def test_the_engine_has_as_much_to_do_as_when_its_times_were_measured() -> None:
    """Whoever makes it faster or slower measures it again, in the same commit."""
    text = section_of("engine", PAGE.read_text(encoding="utf-8"))
    version = f"CPython {'.'.join(platform.python_version_tuple()[:2])}."
    if version not in text:
        pytest.skip(f"instructions of another Python than {version} are on the page")
    lines = text.partition(f"### {TITLE}\n")[2].partition("\n### ")[0].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    written = {name: [int(cell.replace(",", "")) for cell in cells] for name, *cells in rows[2:]}
    counted = count_of_hands()
    assert written.keys() == counted.keys()
    moved = {
        name: (written[name], list(now))
        for name, now in counted.items()
        if any(
            abs(one - other) > MOST * other for one, other in zip(now, written[name], strict=True)
        )
    }
    assert not moved, f"the engine has other work to do (before, now): measure it with {COMMAND}"
