"""The import of an uploaded archive as a job."""

from engine.notation.reader import Reader
from engine.rules import RulesError
from scoring.checking import read_rules
from scoring.importing.archives import CHUNK, Archive, Options
from scoring.ledger import Stamp
from tournaments.jobs import UPLOAD_HANDS_MAX, Part, Running
from tournaments.models import PlayerKind
from tournaments.refusals import RefusedError


def import_part(running: Running) -> Part:
    """Store the next chunk of an uploaded archive; what is stored already is found again."""
    text = running.source.read_bytes()
    total = running.place.get("total") or _counted(text)
    seen = int(running.place.get("records", 0))
    archive = Archive(running.club, text, _options(running, seen), Stamp(running.by, running.at))
    while archive.take():
        if archive.records > seen and archive.records >= seen + CHUNK and not running.dry_run:
            break
    is_last = archive.records >= total
    found = {
        name: running.outcome.get(name, 0) + count
        for name, count in archive.report.as_data().items()
    }
    return Part(
        done=archive.records,
        total=total,
        place={} if is_last else {"records": archive.records, "total": total},
        outcome=found,
        problems=tuple(problem.as_data() for problem in archive.report.problems),
    )


def _options(running: Running, seen: int) -> Options:
    try:
        rules = read_rules(str(running.params.get("rules", "")))
    except RulesError as error:
        raise RefusedError(str(error), "rules") from error
    kind = str(running.params.get("new", PlayerKind.GUEST))
    return Options(rules=rules, kind=kind, dry_run=running.dry_run, seen=seen)


def _counted(text: bytes) -> int:
    """How many records an archive has. Raises RefusedError where a club may not send so many."""
    count = 0
    for _entry in Reader(text):
        count += 1
        if count > UPLOAD_HANDS_MAX:
            words = f"An upload may have {UPLOAD_HANDS_MAX} hands; import larger archives by "
            raise RefusedError(f"{words}command, or send them in parts.", "file")
    if not count:
        raise RefusedError("There is no record in this file.", "file")
    return count
