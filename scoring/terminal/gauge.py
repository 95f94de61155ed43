"""Gauge: a progress bar on standard error while a large file is read by somebody who watches."""

from typing import Final, TextIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

LARGE: Final = 4 * 1024 * 1024
"""From how many bytes on a file is worth a bar."""
_CLEAR: Final = "\r\x1b[2K"


class Gauge:
    """One bar for one file after the other.

    ``shared`` says that the lines of the answer go to the same terminal: the bar then makes
    room for each of them.
    """

    def __init__(self, err: TextIO, *, shared: bool) -> None:
        self._err = err
        self._shared = shared
        self._progress: Progress | None = None
        self._drawn = False

    def start(self, name: str, size: int | None) -> None:
        """Begin a file; without a known or worthwhile size there is no bar."""
        if size is None or size < LARGE or not self._err.isatty():
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(None),
            DownloadColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(file=self._err), transient=True)
        self._progress.live.auto_refresh = False
        self._progress.add_task(name, total=size)
        self._progress.start()

    def advance(self, size: int) -> None:
        """So many bytes more were read."""
        if self._progress is not None:
            self._progress.advance(self._progress.task_ids[0], size)
            self._progress.refresh()
            self._drawn = True

    def make_room(self) -> None:
        """Take the bar away before a line is written; it comes back with the next bytes."""
        if self._drawn and self._shared:
            self._err.write(_CLEAR)
            self._err.flush()
            self._drawn = False

    def stop(self) -> None:
        """End a file."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
            self._drawn = False
