"""Tables as jobs: a table is small, and one part is all of it."""

from uuid import UUID

from django.db import transaction

from tournaments.core.errors import RefusedError
from tournaments.imports import Brought, bring_members, bring_openings, league_of
from tournaments.jobs import Part, Running


def members_part(running: Running) -> Part:
    """Bring members of an uploaded table into the club."""
    with transaction.atomic():
        brought = bring_members(
            club_id=running.club,
            data=running.source.read_bytes(),
            by=running.by,
            at=running.at,
            dry_run=running.dry_run,
        )
    return _part(brought)


def openings_part(running: Running) -> Part:
    """Bring opening balances of an uploaded table into a league."""
    league = running.params.get("league")
    if not league:
        raise RefusedError("Say of which league.", "league")
    with transaction.atomic():
        brought = bring_openings(
            league=league_of(running.club, UUID(str(league))),
            data=running.source.read_bytes(),
            by=running.by,
            at=running.at,
            dry_run=running.dry_run,
        )
    return _part(brought)


def _part(brought: Brought) -> Part:
    return Part(
        done=brought.rows,
        total=brought.rows,
        outcome=brought.as_data(),
        problems=tuple(brought.problems),
    )
