"""Members of a club and its trail, as tables."""

from collections.abc import Iterator

from tournaments.models import AuditEntry, Club, Player
from tournaments.selectors import shown_name
from tournaments.tables.sheets import CellKind, Column, Row, TableSheet

_AT_ONCE = 2000


def members(club: Club) -> TableSheet:
    """Everybody who plays at a club, with how to reach them; erased people as numbers."""
    columns = (
        Column(name="Number", key="number", kind=CellKind.WHOLE),
        Column(name="Name", key="name"),
        Column(name="Kind", key="kind"),
        Column(name="E-mail", key="email"),
        Column(name="Phone", key="phone"),
        Column(name="Note", key="note"),
        Column(name="Since", key="since", kind=CellKind.MOMENT),
        Column(name="Left", key="left", kind=CellKind.MOMENT),
        Column(name="Identifier", key="id"),
    )
    return TableSheet("Members", columns, _members(club))


def _members(club: Club) -> Iterator[Row]:
    rows = Player.objects.filter(club=club, merged_into=None).select_related("person")
    for row in rows.order_by("number").iterator(_AT_ONCE):
        person = getattr(row, "person", None)
        yield (
            row.number,
            shown_name(row, in_full=True),
            str(row.kind),
            person.email if person else "",
            person.phone if person else "",
            person.note if person else "",
            row.created_at,
            row.left_at,
            str(row.pk),
        )


def trail(club: Club) -> TableSheet:
    """What was done in a club and its games, with the digests that chain it."""
    columns = (
        Column(name="Chain", key="chain"),
        Column(name="Number", key="number", kind=CellKind.WHOLE),
        Column(name="Moment", key="at", kind=CellKind.MOMENT),
        Column(name="Deed", key="what"),
        Column(name="By", key="by"),
        Column(name="From", key="source"),
        Column(name="Why", key="why"),
        Column(name="Details", key="details"),
        Column(name="Before", key="before"),
        Column(name="Digest", key="digest"),
        Column(name="Salt of the reason", key="why_salt"),
        Column(name="Seal of the reason", key="why_seal"),
    )
    rows = AuditEntry.objects.filter(club_id=club.pk).order_by("id").iterator(_AT_ONCE)
    return TableSheet(
        "Trail",
        columns,
        (
            (
                str(row.chain),
                row.number,
                row.at,
                row.what,
                row.by,
                row.source,
                row.why,
                row.details,
                row.before,
                row.digest,
                row.why_salt,
                row.why_seal,
            )
            for row in rows
        ),
    )
