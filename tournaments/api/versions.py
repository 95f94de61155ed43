"""ETag and If-Match: an editor says which version he saw, and nothing of another's is lost."""

from collections.abc import Mapping
from re import compile as pattern_of
from typing import Any, Final

from django.utils.translation import get_language

from tournaments.api.problems import ProblemError, to_problem
from tournaments.core.errors import StaleError
from tournaments.core.language import is_translated

_TAG: Final = pattern_of(r'"(0|[1-9][0-9]*)(?:-[a-z-]+)?"')
_DIGITS_MOST: Final = 9


def etag(version: int) -> str:
    """The strong entity tag of a version, as it is told in the asker's language.

    >>> etag(3)
    '"3"'
    """
    return f'"{version}-{get_language()}"' if is_translated() else f'"{version}"'


def version_seen(header: str | None) -> int:
    """The version that an If-Match header names. Raises ProblemError."""
    if not header:
        words = "Say which version you saw: its ETag as If-Match."
        raise ProblemError("PRECONDITION_REQUIRED", words, hint='If-Match: "1"')
    found = _TAG.fullmatch(header.strip())
    if found is None or len(found[1]) > _DIGITS_MOST:
        where = {"key": "If-Match"}
        words = "If-Match names one version, as its ETag does."
        raise ProblemError("VALUE", words, where=where, hint='If-Match: "1"')
    return int(found[1])


def stale(error: StaleError, *, yours: int | None, sent: Mapping[str, Any]) -> ProblemError:
    """The answer to whoever edited an old version: both versions, and where they differ.

    ``difference`` has what was sent and what stands, for each field that was to be changed.
    """
    found = to_problem(error)
    found.more["yours"] = yours
    if error.current is not None:
        found.more["difference"] = {
            key: {"yours": value, "ours": error.current[key]}
            for key, value in sent.items()
            if key in error.current and not _is_same(error.current[key], value)
        }
    found.headers["ETag"] = etag(error.theirs)
    return found


def _is_same(stands: Any, sent: Any) -> bool:
    """Whether a value is what was sent, be it as JSON or as what it was read to."""
    return bool(stands == sent) or str(stands) == str(sent)
