"""validate: say what is wrong with records, where, and what would have been right."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from ...core.messages import Message
from ...notation import Mode
from ...notation.foreign_files import describe_foreign
from ...notation.syntax import split_lines
from ...record.json import Plain
from ...verdicts.judge import Judge, Judged, JudgedFault, Verdict
from ...verdicts.report import report, report_record
from ..diagnostics import FaultTally, lines_of
from ..inputs import Input, TroubleError, open_input
from ..profiles import refuse_json
from ..session import (
    FINE,
    MISUSED,
    WRONG,
    Options,
    Session,
    add_files,
    rules_of,
)

HELP: Final = "Check files of hand records: every defect with its place, its rule and a hint."
USAGE: Final = "FILE... [--mode MODE] [--rules RULES] [--format text|json] [--quiet]"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    add_files(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--quiet", action="store_true", help="answer by the exit status alone")


def run(session: Session, options: Options) -> int:
    """Judge every record of every file. May raise TroubleError."""
    rules, mode = rules_of(options["rules"]), Mode(options["mode"])
    findings = _Findings(session, "quiet" if options["quiet"] else options["format"])
    has_unread = False
    for name in options["files"]:
        try:
            with open_input(name, session.gauge) as source:
                refuse_json(source)
                if foreign := describe_foreign(source.peek(), takes_bridge=True):
                    findings.refuse(Message("{file}: {why}", file=source.name, why=foreign))
                else:
                    findings.check(source, Judge(source, rules, mode=mode, today=session.today))
        except TroubleError as trouble:
            session.complain(trouble)
            has_unread = True
    findings.conclude()
    if has_unread:
        return MISUSED
    return WRONG if findings.tally.wrong else FINE


class _Findings:
    """Prints what is found in one of three forms, and counts it."""

    def __init__(self, session: Session, form: str) -> None:
        self.tally = FaultTally()
        self._session = session
        self._form = form

    def check(self, source: Input, judging: Judge) -> None:
        """One file."""
        before = self.tally.records
        for judged in judging:
            self.tally.records += 1
            findings = judged.findings
            if findings:
                self._print(source, judged, findings)
        if self.tally.records == before and source.is_blank:
            self.refuse(Message("{file}: nothing to read", file=source.name))
            return
        about_the_file = [JudgedFault(diagnostic) for diagnostic in judging.diagnostics]
        if about_the_file:
            self._print(source, None, about_the_file)

    def refuse(self, why: Message) -> None:
        """A file in which there is no record at all."""
        self.tally.no_records += 1
        if self._form != "quiet":
            self._session.complain(TroubleError(why))

    def conclude(self) -> None:
        """The last line: how much was read, and how much of it was wrong."""
        tally = self.tally
        if self._form == "json":
            counts = {str(severity): number for severity, number in tally.found.items()}
            self._print_json({"records": tally.records, "found": counts, "ok": not tally.wrong})
        elif self._form == "text" and (tally.records or not tally.no_records):
            self._session.screen.line((tally.words, "bold red" if tally.wrong else "bold green"))

    def _print(self, source: Input, judged: Judged | None, findings: Sequence[JudgedFault]) -> None:
        self.tally.found.update(finding.diagnostic.severity for finding in findings)
        if self._form == "json":
            for plain in _plain(judged, findings):
                self._print_json({"file": source.name} | plain)
        elif self._form == "text":
            for finding in findings:
                for line in lines_of(source.name, finding, _source(source, judged, finding)):
                    self._session.screen.line(*line)

    def _print_json(self, plain: Plain) -> None:
        screen = self._session.screen
        screen.raw(json.dumps(plain, ensure_ascii=screen.ascii_only) + "\n")


def _plain(judged: Judged | None, findings: Sequence[JudgedFault]) -> list[Plain]:
    if judged is None:
        verdict = Verdict((), tuple(finding.diagnostic for finding in findings))
        diagnostics: list[Plain] = report(verdict)["diagnostics"]
    else:
        diagnostics = report_record(judged)["diagnostics"]
    return diagnostics


def _source(source: Input, judged: Judged | None, finding: JudgedFault) -> str | None:
    """The line of the file that a finding is about."""
    number = finding.diagnostic.line
    if judged is None:
        return source.first_line if number == 1 else None
    lines = split_lines(judged.entry.text)
    place = number - judged.entry.line
    return lines[place] if 0 <= place < len(lines) else None
