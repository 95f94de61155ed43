from django.db import models

from tournaments.core.ids import new_id
from tournaments.core.time_zones import LONGEST
from tournaments.models.limits import ABOUT_MAX, VENUE_MAX


class Confirming(models.TextChoices):
    """Whether a second seat must confirm what the first one entered."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    OFF = "off"


class Club(models.Model):
    """A club: the owner of players, house rules, games and books.

    ``version`` goes up with every change; an editor names the one that they saw. ``currency``
    is that of the club's books (ISO 4217), ``time_zone`` that of the clock on its wall (IANA).
    ``venue`` is where it usually plays: a name, an address; ``about`` what it says of itself on its
    page, in plain text. ``admins_need_second_factor``: without one they may do nothing in the club.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    is_public = models.BooleanField(default=False)
    currency = models.CharField(max_length=3, default="EUR")
    confirming = models.CharField(
        max_length=8, choices=Confirming, default=Confirming.OPTIONAL, db_default="optional"
    )
    time_zone = models.CharField(max_length=LONGEST, default="UTC", db_default="UTC")
    venue = models.CharField(max_length=VENUE_MAX, blank=True, default="", db_default="")
    about = models.CharField(max_length=ABOUT_MAX, blank=True, default="", db_default="")
    admins_need_second_factor = models.BooleanField(default=False, db_default=False)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="a_club_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(confirming__in=Confirming.values), name="confirming_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name
