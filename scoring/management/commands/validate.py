import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from engine.judge import Finding, Judge, Judged, Verdict
from engine.notation import Mode
from engine.notation.syntax import split_lines
from engine.plain_record import Plain
from engine.report import report, report_record
from scoring.checking import is_not_text
from scoring.terminal.command import (
    FINE,
    MISUSED,
    WRONG,
    TerminalCommand,
    add_files,
    add_judging,
    rules_of,
)
from scoring.terminal.diagnostics import Tally, lines_of
from scoring.terminal.inputs import Input, TroubleError, opened
from scoring.terminal.profiles import refuse_json


class Command(TerminalCommand):
    """Say what is wrong with records, where, and what would have been right."""

    help = "Check files of hand records: every defect with its place, its rule and a hint."
    usage = "FILE... [--mode MODE] [--rules RULES] [--format text|json] [--quiet]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_files(parser)
        add_judging(parser)
        parser.add_argument("--format", choices=["text", "json"], default="text")
        parser.add_argument("--quiet", action="store_true", help="answer by the exit status alone")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        self._format = "quiet" if options["quiet"] else options["format"]
        rules, mode = rules_of(options["rules"]), Mode(options["mode"])
        tally, unread = Tally(), False
        for name in options["files"]:
            try:
                with opened(name, self.gauge) as source:
                    refuse_json(source)
                    if is_not_text(source.peek()):
                        self._refuse(source, "this is not a text record", tally)
                    else:
                        self._check(
                            source, Judge(source, rules, mode=mode, today=self.today), tally
                        )
            except TroubleError as trouble:
                self.complain(trouble)
                unread = True
        self._conclude(tally)
        if unread:
            return MISUSED
        return WRONG if tally.wrong else FINE

    def _check(self, source: Input, judging: Judge, tally: Tally) -> None:
        before = tally.records
        for judged in judging:
            tally.records += 1
            findings = judged.findings
            if findings:
                self._tell(source, judged, findings, tally)
        if tally.records == before and source.is_blank:
            self._refuse(source, "nothing to read", tally)
            return
        about_the_file = [Finding(one) for one in judging.diagnostics]
        if about_the_file:
            self._tell(source, None, about_the_file, tally)

    def _refuse(self, source: Input, words: str, tally: Tally) -> None:
        tally.no_records += 1
        if self._format != "quiet":
            self.complain(TroubleError(f"{source.name}: {words}"))

    def _tell(
        self, source: Input, judged: Judged | None, findings: Sequence[Finding], tally: Tally
    ) -> None:
        tally.found.update(finding.diagnostic.severity for finding in findings)
        if self._format == "json":
            for plain in _plain(judged, findings):
                self._json({"file": source.name} | plain)
        elif self._format == "text":
            for finding in findings:
                for line in lines_of(source.name, finding, _source(source, judged, finding)):
                    self.screen.line(*line)

    def _conclude(self, tally: Tally) -> None:
        if self._format == "json":
            counts = {str(severity): number for severity, number in tally.found.items()}
            self._json({"records": tally.records, "found": counts, "ok": not tally.wrong})
        elif self._format == "text" and (tally.records or not tally.no_records):
            self.screen.line((tally.words, "bold red" if tally.wrong else "bold green"))

    def _json(self, plain: Plain) -> None:
        self.screen.raw(json.dumps(plain, ensure_ascii=self.screen.ascii_only) + "\n")


def _plain(judged: Judged | None, findings: Sequence[Finding]) -> list[Plain]:
    if judged is None:
        verdict = Verdict((), tuple(finding.diagnostic for finding in findings))
        diagnostics: list[Plain] = report(verdict)["diagnostics"]
    else:
        diagnostics = report_record(judged)["diagnostics"]
    return diagnostics


def _source(source: Input, judged: Judged | None, finding: Finding) -> str | None:
    """The line of the file that a finding is about."""
    number = finding.diagnostic.line
    if judged is None:
        return source.first_line if number == 1 else None
    lines = split_lines(judged.entry.text)
    place = number - judged.entry.line
    return lines[place] if 0 <= place < len(lines) else None
