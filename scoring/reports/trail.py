"""The audit trail of a club as a table: what was done, by whom and why, and what proves it."""

from operator import attrgetter
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from scoring.models import Game
from scoring.presentation.game_titles import game_title
from tournaments.audit import describe_action
from tournaments.core.actors import ActorKind, Source
from tournaments.core.language import translate
from tournaments.models import AuditEntry, Club, Event
from tournaments.reports.people import actor_column, actor_names
from tournaments.tables.model import Column, ColumnKind, Table

_AT_ONCE: Final = 2000
_PROOF: Final = ("number", "details", "before", "digest", "why_salt", "why_seal")


def trail(club: Club) -> Table[AuditEntry]:
    """Return the deeds in a club and its games; columns for programs prove the chain of digests."""
    rows = AuditEntry.objects.filter(club_id=club.pk).order_by("id")
    names = actor_names(rows.order_by().values_list("by", flat=True).distinct())
    places: dict[UUID, str] = dict(Event.objects.filter(club=club).values_list("pk", "name"))
    games = Game.objects.filter(club=club).only("pk", "name", "table_id")
    places |= {game.pk: game_title(game) for game in games}
    columns: tuple[Column[AuditEntry], ...] = (
        Column(key="at", title=_("Time"), kind=ColumnKind.DATETIME, value=attrgetter("at")),
        actor_column("by", _("By"), attrgetter("by"), names),
        Column(key="what", title=_("What"), value=lambda entry: describe_action(entry.what)),
        Column(
            key="place", title=_("Where"), value=lambda entry: places.get(entry.chain, club.name)
        ),
        *([Column(key="why", title=_("Why"), value=_why)] if rows.exclude(why="").exists() else []),
        Column(
            key="source",
            title=_("Through"),
            value=lambda entry: translate(
                next((known.words for known in Source if known == entry.source), entry.source)
            ),
        ),
        Column(key="chain", title="chain", value=lambda entry: str(entry.chain), is_id=True),
        # The digests are proved by the moments, and by the words, as they are stored.
        Column(key="moment", title="moment", value=lambda entry: entry.at.isoformat(), is_id=True),
        *(
            Column(key=f"{key}_stored", title=f"{key}_stored", value=attrgetter(key), is_id=True)
            for key in ("what", "by", "source", "why")
        ),
        *(Column(key=key, title=key, value=attrgetter(key), is_id=True) for key in _PROOF),
    )
    return Table(_("Audit trail"), columns, rows.iterator(_AT_ONCE))


def _why(entry: AuditEntry) -> str:
    """The reason: a service's is translated, whatever a person wrote stays as it is."""
    return _(entry.why) if entry.why and entry.by == ActorKind.SYSTEM else entry.why
