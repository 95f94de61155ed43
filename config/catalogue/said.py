"""What is said below the pages: the sentences of the engine, of refusals, reports and catalogues.

They stand in the code as plain English. A text with values in it is a pattern whose fields are
numbered, or have the names they have in the code.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from config.catalogue.messages import Key, Message
from engine.notation.diagnostics import RULES
from engine.rules.presets import TITLES
from engine.rules.switch_specs import SWITCHES
from engine.seats import COMPASS_NAMES
from tournaments.standings.scoring import SETTINGS
from tournaments.standings.season import SEASON_SETTINGS
from tournaments.statistics.achievements import ACHIEVEMENTS
from tournaments.statistics.hand_catalogue import EXTREMES, OF_HANDS
from tournaments.statistics.table_catalogue import OF_TABLES

SPEAKERS: Final = ("engine", "scoring", "tournaments")
_SILENT: Final = frozenset(
    {
        *("api", "web", "management", "migrations", "models", "cli", "terminal", "demo"),
        "verifying",
        *("bundling", "exporting", "webhooks", "triggers.py"),
        *(
            "prepared.py",
            "bulk.py",
            "nightly.py",
            "transfers.py",
            "sqlite_write_lock.py",
            "tasks.py",
            "actions.py",
        ),
        *("transactions.py", "opendocument.py", "opendocument_parts.py", "page.py", "exact.py"),
        *("spreadsheet.py", "values.py", "quick.py", "pbn.py", "json_profile.py", "rules.py"),
        "notrump.py",
        *(
            "season_statement.py",
            "messages.py",
            "state.py",
            "hand.py",
            "scoring.py",
            "seats.py",
            "source.py",
            "lease.py",
            "headings.py",
            "erasure.py",
        ),
    }
)
"""Modules and packages that speak to programmers, to the log, or through gettext."""
_NEVERTHELESS: Final = frozenset(
    {
        *("engine/rules/rules.py", "engine/notation/values.py", "tournaments/standings/scoring.py"),
        *("tournaments/api/problems.py", "scoring/api/papers.py", "scoring/api/seat.py"),
    }
)
_PROSE: Final = re.compile(r"[A-Za-z]{2,},? [a-z]|[a-z],? [A-Za-z]{2,}|\} [a-z]{2,}|[a-z]{2,} \{")
_NO_PROSE: Final = re.compile(
    r"[A-Z]+ [A-Z]+|<|.* \| |[a-z]+ = |oo |\d+ \d+|\(|\[|return |.*\{\}\"|.*Table$"
    r"|FROM |.*[\n%]|g\.|game_id|event_id|dict\[|Field\[|list\[|tuple\[|bool "
)
_PIECE: Final = re.compile(r"^[ ,;:)(]|[ (\"]$|[a-z]\{|\}[a-z]")
WORDS: Final = (
    *(
        "is not a switch",
        "is not a setting",
        "none.",
        *("Movement cards", "Score slips", "Table cards", "Table", "Name"),
        *("Dealer", "Bid by", "Bid", "Suit", "Pot"),
        "before + bid + paid = won + after",
        "legal: {0}",
        "person",
        "page",
        "link",
        *("appeal", "entered", "invited", "ruling"),
        "nobody",
        "no suit",
        "spades",
        "hearts",
        "diamonds",
        "clubs",
        "left",
        "right",
        "across",
    ),
    *("North-East", "South-East", "South-West", "North-West", "hold", "once", "twice"),
    *("{0} chip", "{0} chips", "{0} times", "{0} player", "{0} players", "{0} to {1}"),
    *(" and ", " or ", "is a jackpot", "stays", "{0} nothing", "the player", "player {0}"),
    "{0} took none and win {1} each; {2} stays in the pot.",
    "{0} took none and win {1} each.",
    "{0}; {1} nothing.",
    "does not get {0} but {1}",
    "takes {0}, which another seat took",
    "takes {0}, which is not in this pack",
    "no play of the hand gives the points {0}; the insurance papers are not written",
    "{0}: took {1} in the play, not {2}",
    "is dealt twice, and nobody holds {0}",
    "{0} is dealt twice, and nobody holds {1}",
    "never had {0} ({1} had it)",
    "never had {0}",
    "marked as a revoke; the cards show none",
    *(f"{{0}} {verb}, not {{1}}" for verb in ("were in the pot before this hand", "are won")),
    *(f"{{0}} {verb}, not {{1}}" for verb in ("were bid into the pot", "are paid for captures")),
    "There is no such division: {0}",
    *("{0} repeat meeting", "{0} repeat meetings", "{0} ({1}proved minimum {2}).", "cost {0}, "),
    "{0} ({1}, proved minimum {2}).",
    "{0} (proved minimum {1}).",
    "{0} (cost {1}, proved minimum {2}).",
    "{0} with odd tables shared evenly",
    "{0} with the same players kept apart",
    "{0} with odd tables shared evenly and the same players kept apart",
    *("{0} common rival", "{0} common rivals", "{0} meeting", "{0} meetings"),
    "Nobody sits out more than {0} oftener than another.",
    "Nobody has an odd table more than {0} oftener than another.",
    "{0} of players who are to sit apart.",
    "Everybody has every seat {0} times (best possible).",
    "Everybody has every seat {0} times.",
    "You can play up to {0} round without a repeat meeting (more are not known, and more than {1}"
    " are impossible).",
    "You can play up to {0} rounds without a repeat meeting (more are not known, and more than {1}"
    " are impossible).",
    "You can play up to {0} round without a repeat meeting (more are impossible).",
    "You can play up to {0} rounds without a repeat meeting (more are impossible).",
    "Hand {0} would leave seat {1} with {2} chips, and these rules know no debt.",
    "{0} with {1} players",
    *("The file has {0} MiB; at most {1} MiB are read.", "{0} (and {1} more)"),
)
"""What is put together of pieces, and what is a word alone."""


def found(root: Path) -> Iterator[Message]:
    """Every message that is said below the pages, once for each place where it stands."""
    for speaker in SPEAKERS:
        for path in sorted((root / speaker).rglob("*.py")):
            place = path.relative_to(root)
            if not _SILENT.intersection(place.parts) or str(place) in _NEVERTHELESS:
                for words in _in_module(path.read_text("utf-8")):
                    yield Message(Key(words), places=(str(place),))
    for words in (*WORDS, *_in_tables()):
        yield Message(Key(words))


def _in_tables() -> Iterator[str]:
    """What the rules and the settings ask and answer, and the names of things."""
    yield from TITLES.values()
    yield from COMPASS_NAMES.values()
    yield from (f"{least} to {most}." for least in range(3, 6) for most in range(least + 1, 7))
    for switch in SWITCHES.values():
        yield switch.question
        for text in switch.choices:
            if "n" not in text.partition(":")[2] and text != "n":
                yield switch.say(switch.read(text))
    for setting in (*SETTINGS.values(), *SEASON_SETTINGS.values()):
        yield setting.question
        yield from (words for _value, words in setting.choices)
    for titled in (OF_HANDS, OF_TABLES, EXTREMES, ACHIEVEMENTS):
        for one in titled:
            yield from (str(one.title), str(one.definition))
    for rule in RULES.values():
        yield rule.title
        yield from filter(None, [rule.hint])


def _in_module(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    documents = {id(one) for node in ast.walk(tree) for one in _documents(node)}
    for words in _texts(tree, documents):
        whole = _numbered(words)
        if _PROSE.search(whole) and not _PIECE.search(whole) and not _NO_PROSE.match(whole):
            yield whole


def _numbered(words: str) -> str:
    count = iter(range(len(words)))
    return re.sub(r"\{(!r)?\}", lambda _field: f"{{{next(count)}}}", words)


def _documents(node: ast.AST) -> Iterator[ast.AST]:
    body = getattr(node, "body", None)
    for one in body if isinstance(body, list) else ():
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            yield one.value


def _texts(node: ast.AST, documents: set[int]) -> Iterator[str]:
    """Every text below a node; one with values in it as a pattern."""
    match node:
        case ast.JoinedStr():
            fields = iter(range(len(node.values)))
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else f"{{{next(fields)}}}"
                for one in node.values
            )
            for one in node.values:
                if isinstance(one, ast.FormattedValue):
                    yield from _texts(one.value, documents)
        case ast.Constant(value=str() as text) if id(node) not in documents:
            yield text
        case ast.Assert():
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child, documents)
