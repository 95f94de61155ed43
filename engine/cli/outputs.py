"""Outputs: where a converted file goes; whole or not at all, and never over its own source."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.messages import Message
from .inputs import STANDARD_INPUT, TroubleError

Write = Callable[[bytes], Any]


def refuse_overwriting(source: str, target: str | None) -> None:
    """Raises TroubleError when the target is the file that is read, under any name."""
    if target is None or source == STANDARD_INPUT:
        return
    try:
        same = Path(source).samefile(target)
    except OSError:
        return
    if same:
        raise TroubleError(Message("{file} is the file to be read; write to another", file=target))


@contextmanager
def open_output(target: str | None, out: Any, *, private: bool = False) -> Iterator[Write]:
    """A way to write bytes to a file that appears when it is complete, or to standard output.

    Only its owner can read a ``private`` file. Raises TroubleError where nothing can be written.
    """
    if target is None:
        yield out.buffer.write if hasattr(out, "buffer") else lambda data: out.write(data.decode())
        return
    try:
        path = Path(target).resolve()
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device.write
            return
        with _replace_file(path, private=private) as write:
            yield write
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TroubleError(
            Message("cannot write {file}: {why}", file=target, why=reason)
        ) from error


@contextmanager
def _replace_file(path: Path, *, private: bool) -> Iterator[Write]:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as part:
            yield part.write
            part.flush()
            os.fsync(part.fileno())
        if not private:  # a temporary file is
            Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The permissions that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
