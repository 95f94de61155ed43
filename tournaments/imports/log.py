"""The log of an import: every row that it made or changed, so that it can be undone as one step."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django.db import models

from tournaments.core.actors import Actor
from tournaments.models import ALIVE, Import, ImportedObject, Job
from tournaments.models.limits import max_length

FILE_NAME_MAX: Final = max_length(Import, "file_name")
_SUMMED: Final = frozenset({"disputed", "games", "hands", "new_players", "placed"})
"""The counts that add up when an import that broke off is taken up again."""


class ImportLog:
    """A log of an import, written in the transaction in which it is done."""

    def __init__(self, row: Import) -> None:
        self.row = row

    @classmethod
    def begin(
        cls,
        *,
        club_id: UUID,
        kind: str,
        by: Actor,
        at: datetime,
        file_name: str = "",
        file_digest: str = "",
        job: UUID | None = None,
    ) -> "ImportLog":
        """Begin the log of an import, or take up that of the same file which broke off."""
        row = _find_broken_off(club_id, kind, file_digest) if file_digest else None
        if row is not None:
            row.job, row.earlier_counts = job, row.counts
            row.save(update_fields=["job", "earlier_counts"])
            return cls(row)
        row = Import.objects.create(
            club_id=club_id,
            kind=kind,
            file_name=file_name[:FILE_NAME_MAX],
            file_digest=file_digest,
            job=job,
            by=by.label,
            source=str(by.source),
            created_at=at,
        )
        return cls(row)

    @classmethod
    def for_job(cls, job: Job, at: datetime) -> "ImportLog | None":
        """The log of a job's import, begun with its first part; None for a dry run."""
        if job.dry_run:
            return None
        row = Import.objects.filter(job=job.pk).first()
        if row is not None:
            return cls(row)
        with job.upload_path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls.begin(
            club_id=job.club_id,
            kind=job.kind,
            by=job.actor,
            at=at,
            file_name=job.file_name,
            file_digest=digest,
            job=job.pk,
        )

    def note_new(self, *rows: models.Model) -> None:
        """Note rows that the import has made."""
        self._note((row, None) for row in rows)

    def note_change(self, row: models.Model, before: Mapping[str, Any]) -> None:
        """Note a row that the import has changed, with the values that its columns had before."""
        self._note([(row, dict(before))])

    def note_later_changes(self, rows: Iterable[models.Model]) -> None:
        """Note how rows stand now that the import made or changed before, and changed again."""
        for row in rows:
            known = ImportedObject.objects.filter(
                source_import=self.row, model=row._meta.label_lower, key=key_of(row)
            )
            for item in known:
                item.digest = digest_of(row, item.columns)
                item.save(update_fields=["digest"])

    def _note(self, rows: Iterable[tuple[models.Model, dict[str, Any] | None]]) -> None:
        items = []
        for row, before in rows:
            fields = row._meta.concrete_fields
            columns = [field.attname for field in fields if not isinstance(field, models.AutoField)]
            items.append(
                ImportedObject(
                    source_import=self.row,
                    model=row._meta.label_lower,
                    key=key_of(row),
                    before=before,
                    columns=columns,
                    digest=digest_of(row, columns),
                )
            )
        ImportedObject.objects.bulk_create(items)

    def note_progress(self, counts: Mapping[str, int], finished_at: datetime | None = None) -> None:
        """Store the counts of the import so far, and when it ended, if it has.

        Counts from before it was taken up again are added; those hands are not counted as known.
        """
        earlier = self.row.earlier_counts
        self.row.counts = dict(counts)
        for name in _SUMMED & earlier.keys() & counts.keys():
            self.row.counts[name] += earlier[name]
        if "hands" in earlier:
            self.row.counts["known"] = max(counts.get("known", 0) - earlier["hands"], 0)
        self.row.finished_at = finished_at
        self.row.save(update_fields=["counts", "finished_at"])


def _find_broken_off(club: UUID, kind: str, digest: str) -> Import | None:
    """The import of a file that came to no end, and on which nobody works any more."""
    rows = Import.objects.filter(club=club, kind=kind, file_digest=digest)
    for row in rows.filter(finished_at=None, undone_at=None).order_by("-created_at", "-pk"):
        if row.job is None or not Job.objects.filter(pk=row.job, state__in=ALIVE).exists():
            return row
    return None


def key_of(row: models.Model) -> dict[str, str]:
    """The columns that a row is found by, also in another database.

    That is its identifier, or for a row with a mere number the columns that are unique together,
    if there are any.
    """
    key = row._meta.pk
    if not isinstance(key, models.AutoField):
        return {key.attname: str(row.pk)}
    constraints = (
        constraint.fields
        for constraint in row._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        and constraint.fields
        and constraint.condition is None
    )
    unique = next(constraints, (key.name,))
    fields = [field for field in row._meta.concrete_fields if field.name in unique]
    return {field.attname: str(getattr(row, field.attname)) for field in fields}


def digest_of(row: models.Model, columns: Iterable[str]) -> str:
    """SHA-256 of some columns of a row, as they are read from the database."""
    values = {name: _plain(getattr(row, name)) for name in columns}
    text = json.dumps(values, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: object) -> object:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
