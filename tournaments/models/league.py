from typing import Final

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.club import Club
from tournaments.models.event import Event
from tournaments.models.limits import SESSIONS_MAX
from tournaments.models.player import Player


class League(models.Model):
    """A season of events. ``season`` are the settings of `tournaments.standings.SeasonRules`.

    Columns that can be edited are its settings, as of an `Event`. Without ``rated`` none of its
    events counts in ratings, whatever is said of the event. Who may know of a hidden league says
    `tournaments.access.visibility`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="leagues", editable=False)
    name = models.CharField(_("Name"), max_length=200)
    season = models.JSONField(_("how the season counts"), default=dict)
    planned = models.PositiveSmallIntegerField(
        _("Events planned"),
        blank=True,
        default=0,
        validators=[MaxValueValidator(SESSIONS_MAX)],
        help_text=_("Left empty: as many as are held."),
    )
    is_open = models.BooleanField(_("Whoever plays counts, on the roll or not"), default=True)
    rated = models.BooleanField(_("Its events count in ratings"), default=True, db_default=True)
    is_hidden = models.BooleanField(
        _("Hidden from strangers"),
        default=False,
        db_default=False,
        help_text=_("Only the club's people see its table. Its events say for themselves."),
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="a_league_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


LEAGUE_SETTINGS: Final = tuple(
    column.name for column in League._meta.concrete_fields if column.editable
)


class LeagueMember(models.Model):
    """Somebody on the roll of a league: their division, and what they bring into the season.

    ``opening`` (a fraction as text) comes from ``opening_events`` events that were played before
    the club used this service.
    """

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="league_places")
    division = models.PositiveSmallIntegerField(default=1)
    opening = models.CharField(max_length=40, blank=True)
    opening_events = models.PositiveSmallIntegerField(default=0)
    handicap = models.CharField(max_length=40, blank=True)
    joined_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1, db_default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league", "player"], name="once_on_the_roll"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.league_id}"


class LeagueEvent(models.Model):
    """An event that counts for a league, as its session ``number``, with a ``weight``."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="sessions")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="leagues")
    number = models.PositiveSmallIntegerField()
    weight = models.CharField(max_length=40, default="1")
    division = models.PositiveSmallIntegerField(null=True)
    version = models.PositiveIntegerField(default=1, db_default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league", "event"], name="an_event_counts_once"),
            models.UniqueConstraint(fields=["league", "number"], name="session_number_once"),
        ]

    def __str__(self) -> str:
        return f"session {self.number}"
