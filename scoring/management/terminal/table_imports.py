"""Tables on the command line: `manage.py import members FILE`, with the messages of the pages."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from engine.cli.gauge import Gauge
from engine.cli.inputs import STANDARD_INPUT, TroubleError, open_input
from engine.cli.language import say
from engine.cli.screen import Screen, visible
from engine.cli.session import FINE, WRONG
from engine.core.messages import Message, joined_by_semicolons, message_of
from scoring.ledger.transfers import Stamp
from tournaments.core.errors import RefusedError
from tournaments.imports import (
    ACCEPT,
    ACTION_TITLES,
    QUESTIONS,
    TABLE_IMPORTS,
    DateOrder,
    DecimalMark,
    ImportLog,
    ImportPlan,
    ImportRequest,
    RowAction,
    RowPlan,
    TableImport,
    plan_import,
    request_from_params,
    run_import,
)
from tournaments.imports.questions import OpenQuestion
from tournaments.models import Club

_CHOICES_SHOWN: Final = 6
_PIECE: Final = 1 << 20
_FLAGS: Final = {
    "columns": "--map",
    "mapping": "--map",
    "header_row": "--header-row",
    "dates": "--dates",
    "decimals": "--decimals",
    "sheet": "--sheet",
    "file": "",
    ACCEPT: "--accept-differences",
}
"""The option that puts a refusal right, by the field that it names."""


def add_table_arguments(parser: ArgumentParser) -> None:
    """Add the options of imports of tables."""
    group = parser.add_argument_group(f"tables ({', '.join(TABLE_IMPORTS)})")
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="COLUMN=FIELD",
        help="what a column holds, by its heading or letter; COLUMN= leaves it out. "
        + "; ".join(
            f"{kind}: {', '.join(field.key for field in table.fields)}"
            for kind, table in TABLE_IMPORTS.items()
        ),
    )
    group.add_argument(
        "--header-row", type=int, metavar="N", help="the row with the headings; 0 for none"
    )
    group.add_argument("--sheet", help="the worksheet, instead of the first one")
    group.add_argument(
        "--dates", choices=[str(one) for one in DateOrder], help="what comes first in 03/04/2026"
    )
    group.add_argument(
        "--decimals", choices=[str(one) for one in DecimalMark], help="what begins decimals"
    )
    group.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="QUESTION=ANSWER",
        help="what a table does not say; "
        + "; ".join(f"{key}: {one.answers}" for key, one in QUESTIONS.items()),
    )
    group.add_argument(
        "--accept-differences",
        action="store_true",
        help="bring it in although totals or places differ from those in the file",
    )
    group.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="; ".join(
            f"{kind}: {', '.join(option.key for option in table.options)}"
            for kind, table in TABLE_IMPORTS.items()
            if table.options
        ),
    )


def bring_tables(
    club: Club, options: Mapping[str, Any], stamp: Stamp, *, screen: Screen, gauge: Gauge
) -> int:
    """Bring tables into a club, whose kind stands before the files; return the exit status.

    Raises TroubleError: nothing of a file can be used.
    """
    kind, *names = options["files"]
    if not names:
        raise TroubleError(f"say which file has the {kind}")
    for flag, is_default in (("new", options["new"] == "guest"), ("rules", not options["rules"]),
                             ("event", not options["event"])):  # fmt: skip
        if not is_default:
            raise TroubleError(f"--{flag} is for archives; tables have --option and --map")
    status = FINE
    for name in names:
        with open_input(name, gauge) as source:
            data = b""
            while piece := source.read(_PIECE):
                data += piece
        request = _request(club, kind, name, data, options)
        log = None
        try:
            if options["dry_run"]:
                plan = plan_import(club, request, stamp.at)
            else:
                with transaction.atomic():
                    log = ImportLog.begin(
                        club_id=club.pk,
                        kind=kind,
                        by=stamp.by,
                        at=stamp.at,
                        file_name=request.name,
                    )
                    plan = run_import(
                        club_id=club.pk, request=request, by=stamp.by, at=stamp.at, log=log
                    )
        except RefusedError as error:
            flag = _flag_for(club, TABLE_IMPORTS[kind], error.field)
            hint = f" ({flag})" if flag else ""
            raise TroubleError(f"{name}: {say(message_of(error))}{hint}") from error
        for line in _lines(name, plan, dry_run=options["dry_run"]):
            screen.line(visible(line))
        if log is not None:
            screen.line(f"import {log.row.pk}: manage.py import --undo takes it back")
        if plan.problems:
            status = WRONG
    return status


def _request(
    club: Club, kind: str, name: str, data: bytes, options: Mapping[str, Any]
) -> ImportRequest:
    """Return the import that was asked for. Raises TroubleError."""
    params: dict[str, Any] = {
        "mapping": dict(_pair(text, "--map") for text in options["map"]),
        "header_row": options["header_row"],
        "sheet": options["sheet"],
        "dates": options["dates"],
        "people": read_people(options),
        "decimals": options["decimals"],
        "name": "" if name == STANDARD_INPUT else Path(name).name,
    }
    answers = dict(_pair(text, "--answer") for text in options["answer"])
    for key, value in answers.items():
        if key not in QUESTIONS or value not in QUESTIONS[key].choices:
            raise TroubleError(f"--answer {key}={value}: there is no such answer")
    params["answers"] = answers
    params[ACCEPT] = options["accept_differences"]
    typed = dict(_pair(text, "--option") for text in options["option"])
    return request_from_params(kind, data, {**params, **_choose(club, TABLE_IMPORTS[kind], typed)})


def read_people(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the decisions about names that are like those of members. Raises TroubleError."""
    return dict(_pair(text, "--person") for text in options["person"])


def _pair(text: str, flag: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals:
        raise TroubleError(f"{flag} {text}: there is no = in it")
    return name.strip(), value.strip()


def _choose(club: Club, kind: TableImport, typed: Mapping[str, str]) -> dict[str, str]:
    """Options by their values, or by the words that pages show for them. Raises TroubleError."""
    known = {option.key: option for option in kind.options}
    found = {}
    for key, value in typed.items():
        if key not in known:
            names = ", ".join(known) or "none"
            raise TroubleError(f"--option {key}: {kind.kind} know these: {names}")
        choices = known[key].choices(club)
        values = {value} & {one for one, _words in choices}
        named = values or {one for one, words in choices if say(words) == value}
        if choices and len(named) != 1:
            words = ", ".join(say(words) for _one, words in choices)
            raise TroubleError(f"--option {key}={value}: say one of these: {words}")
        found[key] = named.pop() if named else value
    return found


def _lines(name: str, plan: ImportPlan, *, dry_run: bool) -> Iterator[str]:
    """The lines printed of a plan: its problems and counts, and every row of a dry run."""
    for one in plan.remarks:
        yield f"{name}: {say(one.sentence)}"
    if plan.unused:
        yield f"{name}: {say(Message('Columns that are not used:'))} {', '.join(plan.unused)}"
    for sentence in plan.understood:
        yield f"{name}: {say(sentence)}"
    for row in plan.rows:
        if dry_run or row.problems:
            yield f"{name}:{row.line}: {_describe(row)}"
        for one in sorted(row.problems):
            yield f"  {say(one.sentence)}"
        for known, number in row.similar:
            yield f'  --person "{row.subject}={number}": {known} ({number})'
        if row.similar:
            yield f'  --person "{row.subject}=new"'
    counts = plan.counts
    done = [
        f"{counts[action]} {say(ACTION_TITLES[action])}" for action in RowAction if counts[action]
    ]
    verb = Message("would be done") if dry_run else Message("done")
    yield f"{name}: {say(verb)}: {say(joined_by_semicolons(done)) if done else '0'}"
    for one in plan.differences:
        yield f"{name}: {say(one.sentence)}"
    if plan.differences and dry_run:
        words = Message("Correct the file, or accept what differs from it")
        yield f"{name}: {say(words)} (--accept-differences)"
    for key in plan.questions:
        yield from _question_lines(name, key, plan.details.get(key, OpenQuestion()))


def _question_lines(name: str, key: str, details: OpenQuestion) -> Iterator[str]:
    examples = f" {', '.join(map(repr, details.examples))}" if details.examples else ""
    answers = " | ".join(details.answers) or QUESTIONS[key].answers
    flag = f"{_FLAGS[key]} " if key in _FLAGS else f"--answer {key}="
    yield f"{name}: {say(QUESTIONS[key].text)}{examples} ({flag}{answers})"
    for answer, text in details.previews.items():
        yield f"  {flag}{answer}: {text}"


def _flag_for(club: Club, kind: TableImport, field: str) -> str:
    """Return the option that puts a refusal right, with its choices."""
    if field in _FLAGS:
        return _FLAGS[field]
    if field in QUESTIONS:
        return f"--answer {field}={QUESTIONS[field].answers}"
    for option in kind.options:
        if option.key == field:
            choices = [say(words) for _value, words in option.choices(club)[:_CHOICES_SHOWN]]
            return f"--option {field}={' | '.join(choices)}"
    return f"--option {field}=" if field else ""


def _describe(row: RowPlan) -> str:
    parts = [row.subject, say(ACTION_TITLES[row.action]), say(row.detail)]
    return ": ".join(filter(None, parts))
