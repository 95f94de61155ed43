"""Members of a club and its trail, as tables."""

from operator import attrgetter

from tournaments.models import AuditEntry, Club, Person, Player
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, ColumnKind, Table

_AT_ONCE = 2000
_MEMBER_COLUMNS: tuple[Column[Player], ...] = (
    Column(key="number", title="Number", kind=ColumnKind.INTEGER, value=attrgetter("number")),
    Column(key="name", title="Name", value=lambda player: shown_name(player, in_full=True)),
    Column(key="kind", title="Kind", value=lambda player: str(player.kind)),
    Column(key="email", title="E-mail", value=lambda player: _person(player).email),
    Column(key="phone", title="Phone", value=lambda player: _person(player).phone),
    Column(key="note", title="Note", value=lambda player: _person(player).note),
    Column(key="since", title="Since", kind=ColumnKind.DATETIME, value=attrgetter("created_at")),
    Column(key="left", title="Left", kind=ColumnKind.DATETIME, value=attrgetter("left_at")),
    Column(key="id", title="Identifier", value=lambda player: str(player.pk), is_id=True),
)
_NOBODY = Person()


def _person(player: Player) -> Person:
    """The person behind a player; an empty one where they were erased."""
    return getattr(player, "person", _NOBODY)


def members(club: Club) -> Table[Player]:
    """Everybody who plays at a club, with how to reach them; erased people as numbers."""
    rows = Player.objects.filter(club=club, merged_into=None).select_related("person")
    return Table("Members", _MEMBER_COLUMNS, rows.order_by("number").iterator(_AT_ONCE))


_TRAIL_COLUMNS: tuple[Column[AuditEntry], ...] = (
    Column(key="chain", title="Chain", value=lambda entry: str(entry.chain)),
    Column(key="number", title="Number", kind=ColumnKind.INTEGER, value=attrgetter("number")),
    # The digests are proved by the moments as they are.
    Column(key="at", title="Moment", value=lambda entry: entry.at.isoformat()),
    Column(key="what", title="Deed", value=attrgetter("what")),
    Column(key="by", title="By", value=attrgetter("by")),
    Column(key="source", title="From", value=attrgetter("source")),
    Column(key="why", title="Why", value=attrgetter("why")),
    Column(key="details", title="Details", value=attrgetter("details")),
    Column(key="before", title="Before", value=attrgetter("before")),
    Column(key="digest", title="Digest", value=attrgetter("digest")),
    Column(key="why_salt", title="Salt of the reason", value=attrgetter("why_salt")),
    Column(key="why_seal", title="Seal of the reason", value=attrgetter("why_seal")),
)


def trail(club: Club) -> Table[AuditEntry]:
    """What was done in a club and its games, with the digests that chain it."""
    rows = AuditEntry.objects.filter(club_id=club.pk).order_by("id").iterator(_AT_ONCE)
    return Table("Trail", _TRAIL_COLUMNS, rows)
