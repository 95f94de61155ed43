"""Texts that are meant to hurt: the time grows with the size, and the memory does not."""

import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from engine.notation import read, write

KIB = 1024
TRIES = 10
HURTFUL: dict[str, Callable[[int], str]] = {
    "open braces": lambda size: "{" * size,
    "comments": lambda size: "{}\n" * (size // 3),
    "comments in a row": lambda size: '[Play "N"]\nSA ' + "{x} " * (size // 4),
    "comments between rows": lambda size: '[Play "N"]\n' + "SA\n{x}\n" * (size // 7),
    "comments of a Hearts section": lambda size: (
        '[Variant "sahara"]\n[Play "N"]\n' + "SA {x}\n" * (size // 7)
    ),
    "comments in a table": lambda size: '[PlayTable "N;E;S;W"]\n' + "SA {x}\n" * (size // 7),
    "repeated sections": lambda size: '[Play "N"]\nSA\n' * (size // 14),
    "quotes": lambda size: '"' * size,
    "backslashes": lambda size: '[A "' + "\\" * size,
    "brackets": lambda size: "[" * size,
    "pairs": lambda size: '[A "b"]\n' * (size // 8),
    "inherited": lambda size: ('[A "#"]\n{' + "x" * 90 + "}\n\n") * (size // 102),
    "gaps in a table": lambda size: (
        '[Variant "sahara"]\n[PlayTable "N;E"]\n' + "SA HA\n\n" * (size // 7)
    ),
    "marks": lambda size: '[PlayTable "N;E;S;W"]\n' + "^RSA$1 " * (size // 7),
    "ends of file": lambda size: "\x1a\n" * (size // 2),
}


def seconds(text: str) -> float:
    before = time.process_time()
    write(read(text))
    return time.process_time() - before


def grows_evenly(small: str, large: str) -> bool:
    # Small numbers of milliseconds say nothing about growth.
    return seconds(large) < max(2.8 * seconds(small), 0.05)


@pytest.mark.parametrize("name", HURTFUL)
def test_twice_the_text_takes_about_twice_the_time(name: str) -> None:
    small, large = HURTFUL[name](64 * KIB), HURTFUL[name](128 * KIB)
    # What grows with the square does so in every try; a busy machine lets one of them be.
    assert any(grows_evenly(small, large) for _ in range(TRIES))


@pytest.mark.parametrize("name", HURTFUL)
def test_sixty_four_kibibytes_are_read_in_no_time(name: str) -> None:
    text = HURTFUL[name](64 * KIB)
    records = max(1, sum(1 for _ in read(text)))
    assert any(seconds(text) / records < 0.2 for _ in range(TRIES))


READ_UNDER_A_LIMIT = """
import io, resource, sys
from engine.notation import read
resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

class Endless(io.RawIOBase):
    def __init__(self, start, unit, size):
        self.left, self.start, self.block = size, start, (unit * 65536)[:65536]
    def read(self, size=-1):
        if self.start:
            start, self.start = self.start, b""
            return start
        self.left -= len(self.block)
        return self.block if self.left > 0 else b""

start, unit, size = sys.argv[1:]
source = Endless(start.encode().decode("unicode_escape").encode(), eval(unit), int(size))
print(sum(1 for _ in read(source)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "unit", "records"),
    [
        ("% PHN 1.0\\n", b"\n", 0),
        ('[Event "x"]\\n[Site "', b"x", 1),
        ('[Event "x"]\\n', b"\n", 1),
        ('[Event "x"]\\n', b" \n\t\r\n", 1),
        ('[Event "x"]\\n{ never closed', b"words ", 1),
        ('[Event "x"]\\n{ never closed\\n', b"a line\n\n", 1),
        ('[Event "x"]\\n[Play "N"]\\n', b"SA {x}\n", 1),
        ("", b'[Event "x"]\n\n', None),
    ],
)
def test_twenty_megabytes_of_anything_need_little_memory(
    start: str, unit: bytes, records: int | None
) -> None:
    size = 20_000_000 if len(set(unit)) < 6 else 4_000_000 if records else 1_000_000
    done = subprocess.run(
        [sys.executable, "-c", READ_UNDER_A_LIMIT, start, repr(unit), str(size)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert records is None or int(done.stdout) == records


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'[X_{at} "##{"x" * 300}"]\n' for at in range(60)) + '\n[A "b"]\n' * 2_000,
        f'[A "{"x" * 20_000}"]\n\n' + '[A "#"]\n\n' * 2_000,
        "".join(f'[X_{at} "##"]\n' for at in range(250)) + '\n[A "b"]\n' * 2_000,
    ],
)
def test_what_is_inherited_stays_in_proportion(text: str) -> None:
    entries = list(read(text))
    size = sum(len(tag.value) for entry in entries for tag in entry.document.tags)
    assert size < 64 * KIB + 3 * len(text)
    assert max(len(entry.document.tags) for entry in entries[1:]) <= 65
    assert "S19" in [one.rule for one in entries[-1].diagnostics]
    assert entries[-1].document.value("A") is not None
