"""Imports of uploaded archives and tables as jobs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from engine.core.messages import Message, message_of
from engine.notation.foreign_files import describe_foreign
from engine.notation.reader import Reader
from engine.rules.presets import parse_rules
from engine.rules.rules import RulesError
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing.archives import CHUNK, ArchiveImport, Options
from scoring.transfer.importing.club_import import ClubFactsImport
from scoring.transfer.importing.events import (
    BY_TAGS,
    PLACES_MAX,
    Evenings,
    GameOrigin,
    Seatings,
    in_order,
)
from scoring.transfer.importing.log import PlacesLog
from scoring.transfer.importing.people import People
from scoring.transfer.importing.report import ImportReport
from tournaments.core.errors import RefusedError
from tournaments.imports import ImportLog, plan_import, request_from_params, run_import
from tournaments.jobs import UPLOAD_HANDS_MAX, Part
from tournaments.models import Club, Job, PlayerKind

PLACED_AT_ONCE: Final = 400
"""How many games are put into events in one part."""


def import_part(job: Job, at: datetime) -> Part:
    """Store the next chunk of an uploaded archive; what is stored already is found again.

    After the last of them its games are put into events, where that was asked for.
    """
    if "placed" in job.place:
        return _place(job, at, int(job.place["placed"]))
    text = job.upload_path.read_bytes()
    total = job.place.get("total") or _count_records(text)
    seen = int(job.place.get("records", 0))
    options = read_options(job.params, seen=seen, dry=job.dry_run)
    log = ImportLog.for_job(job, at)
    archive = ArchiveImport(job.club_id, text, options, Stamp(job.actor, at), log)
    while archive.take():
        # What waits for its turn is stored with the last chunk.
        enough = seen + CHUNK <= archive.records < total
        if enough and not job.dry_run:
            break
    is_last = archive.records >= total
    outcome = _add_to_totals(job, archive.report)
    if is_last and options.event is not None and job.dry_run:
        outcome["places"] = place_all(archive, options.event, job.club_id, None)
        outcome |= _add_to_totals(job, archive.report)
    if is_last:
        outcome["notices"] = archive.list_notices()
    if job.dry_run:
        outcome["preview"] = archive.preview()
    place: dict[str, Any] = {"records": archive.records, "total": total}
    if is_last:
        places = options.event is not None and not job.dry_run
        place = {"placed": 0, "total": total} if places else {}
    if log is not None:
        log.note_progress(count_of(outcome), None if place else at)
    return Part(
        done=archive.records,
        total=total,
        place=place,
        outcome=outcome,
        problems=tuple(problem.as_data() for problem in archive.report.problems),
    )


def table_part(job: Job, at: datetime) -> Part:
    """Bring an uploaded table into the club, or only say row by row what that would do.

    One part, because a table comes in whole or not at all.
    """
    params = {**job.params, "name": job.file_name}
    request = request_from_params(job.kind, job.upload_path.read_bytes(), params)
    log = ImportLog.for_job(job, at)
    if log is None:
        plan = plan_import(job.club, request, at)
    else:
        plan = run_import(club_id=job.club_id, request=request, by=job.actor, at=at, log=log)
    return Part(
        done=len(plan.rows),
        total=len(plan.rows),
        outcome=plan.as_data(),
        problems=tuple(plan.problems_as_data()),
    )


def _place(job: Job, at: datetime, first: int) -> Part:
    """Put the next games into their events; the archive is read again to know them."""
    total = int(job.place["total"])
    options = read_options(job.params, seen=total)
    assert options.event is not None
    archive = ArchiveImport(
        job.club_id, job.upload_path.read_bytes(), options, Stamp(job.actor, at)
    )
    while archive.take():
        pass
    games = in_order(archive.games)
    these = games[first : first + PLACED_AT_ONCE]
    archive.report = ImportReport()
    log, stamp = ImportLog.for_job(job, at), Stamp(job.actor, at)
    facts = _facts_of(archive, options.event, job.club_id, stamp, log)
    if not first:
        facts.prepare()
    placed = place_games(
        these, options.event, job.club_id, stamp, archive.report, log, facts.find_seatings()
    )
    is_last = first + PLACED_AT_ONCE >= len(games)
    if is_last:
        facts.finish()
    known = job.outcome.get("places", [])
    outcome = _add_to_totals(job, archive.report)
    if log is not None:
        log.note_progress(count_of(outcome), at if is_last else None)
    return Part(
        done=total,
        total=total,
        place={} if is_last else {"placed": first + PLACED_AT_ONCE, "total": total},
        outcome={**outcome, "places": [*known, *placed][:PLACES_MAX]},
        problems=tuple(problem.as_data() for problem in archive.report.problems),
    )


def place_all(
    archive: ArchiveImport,
    event: UUID | str,
    club: UUID,
    stamp: Stamp | None,
    log: ImportLog | None = None,
) -> list[dict[str, Any]]:
    """Put all games of an archive into events, with all that it tells beside them.

    Without a stamp only say where they would go.
    """
    games = in_order(archive.games)
    facts = _facts_of(archive, event, club, stamp or archive.stamp, log)
    if stamp is None:
        # The events that are not here are named now.
        list(facts.find_events())
        return place_games(games, event, club, None, archive.report)[:PLACES_MAX]
    facts.prepare()
    placed = place_games(games, event, club, stamp, archive.report, log, facts.find_seatings())
    facts.finish()
    return placed[:PLACES_MAX]


def _facts_of(
    archive: ArchiveImport, event: UUID | str, club: UUID, stamp: Stamp, log: ImportLog | None
) -> ClubFactsImport:
    report, options = archive.report, archive.options
    return ClubFactsImport(
        club=Club.objects.get(pk=club),
        records=archive.club_records,
        games=archive.games,
        people=People(
            club, options.kind, dry=False, report=report, decisions=options.people, log=log
        ),
        evenings=Evenings(club, event if isinstance(event, UUID) else None),
        report=report,
        stamp=stamp,
        log=log,
    )


def place_games(
    games: Sequence[GameOrigin],
    event: UUID | str,
    club: UUID,
    stamp: Stamp | None,
    report: ImportReport,
    log: ImportLog | None = None,
    seatings: Seatings | None = None,
) -> list[dict[str, Any]]:
    """Put games into events and count them; those without a place are problems of the report."""
    places = None if log is None else PlacesLog(log)
    wanted = event if isinstance(event, UUID) else None
    evenings = Evenings(club, wanted, places, seatings or {})
    found = []
    for origin, placed in evenings.all_of(games, stamp):
        if isinstance(placed, RefusedError):
            report.add(origin.problem(placed.message))
        else:
            report.placed += 1
            found.append(placed.as_data())
    if places is not None:
        places.note(origin.game for origin in games)
    return found


def _add_to_totals(job: Job, report: ImportReport) -> dict[str, Any]:
    return {name: job.outcome.get(name, 0) + count for name, count in report.as_data().items()}


def count_of(outcome: Mapping[str, Any]) -> dict[str, int]:
    """The counts of an outcome."""
    return {name: count for name, count in outcome.items() if isinstance(count, int)}


class UnknownRulesError(RefusedError):
    """Rules that there are not, or that cannot be read."""

    code = "RULES"


def read_options(params: Mapping[str, Any], *, seen: int = 0, dry: bool = True) -> Options:
    """Read the options of an archive from the parameters of a job. Raises RefusedError."""
    try:
        rules = parse_rules(str(params.get("rules", "")))
    except RulesError as error:
        raise UnknownRulesError(message_of(error), "rules") from error
    kind = str(params.get("new", PlayerKind.GUEST))
    event = event_in(str(params.get("event", "")))
    people = params.get("people", {})
    return Options(rules=rules, kind=kind, dry_run=dry, seen=seen, event=event, people=people)


def event_in(text: str) -> UUID | str | None:
    """An event as it is asked for: an identifier, or by its tags. Raises RefusedError."""
    if not text or text == BY_TAGS:
        return text or None
    try:
        return UUID(text)
    except ValueError as error:
        words = Message(
            "{text} is no identifier of an event, and not {word}.",
            text=repr(text),
            word=repr(BY_TAGS),
        )
        raise RefusedError(words, "event") from error


def _count_records(text: bytes) -> int:
    """Count the records of an archive. Raises RefusedError where a club may not send so many."""
    if foreign := describe_foreign(text):
        raise RefusedError(foreign, "file")
    count = 0
    for _entry in Reader(text).records():
        count += 1
        if count > UPLOAD_HANDS_MAX:
            words = Message(
                "An upload may have {most} hands; import larger archives by command,"
                " or send them in parts.",
                most=UPLOAD_HANDS_MAX,
            )
            raise RefusedError(words, "file")
    if not count:
        raise RefusedError(Message("There is no record in this file."), "file")
    return count
