"""All reads, each in a fixed number of queries."""

from scoring.models import SharedRecord


def shared_record(public_id: str) -> SharedRecord | None:
    """The text behind a link; None when there is no such link. One query."""
    return SharedRecord.objects.filter(public_id=public_id).first()
