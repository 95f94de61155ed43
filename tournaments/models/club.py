"""Clubs, their house rules, and the picture on their page."""

from typing import Final

from django.core.validators import MinLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.core.time_zones import LONGEST
from tournaments.models.limits import ABOUT_MAX, VENUE_MAX


class Confirming(models.TextChoices):
    """Whether a second seat must confirm what the first one entered."""

    REQUIRED = "required", _("A second seat must confirm every hand")
    OPTIONAL = "optional", _("A second seat may confirm a hand")
    OFF = "off", _("Nobody is asked to confirm")


class Analysis(models.TextChoices):
    """People who see what cards cost, as a program estimates it or knows it of the last tricks."""

    OFF = "off", _("Nobody: hands are not analysed")
    OWN = "own", _("Every player sees what their own cards cost them")
    TABLE = "table", _("Everybody who may see the cards of a hand sees its last tricks")


class Club(models.Model):
    """A club: the owner of players, house rules, games and books.

    Columns that can be edited are its settings, as of an `Event`. ``version`` goes up with every
    change; an editor names the one that they saw. ``currency`` is that of the club's books
    (ISO 4217), ``time_zone`` that of the clock on its wall (IANA). ``about`` is plain text.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("Name of the club"), max_length=200)
    is_public = models.BooleanField(
        _("Anybody may look at our results"),
        default=False,
        help_text=_("Strangers see first names and initials."),
    )
    currency = models.CharField(
        _("Currency of the books"),
        max_length=3,
        default="EUR",
        validators=[MinLengthValidator(3)],
        help_text=_("Three letters, such as EUR or USD. It cannot be changed later."),
    )
    confirming = models.CharField(
        _("Confirming hands"),
        max_length=8,
        choices=Confirming,
        default=Confirming.OPTIONAL,
        db_default="optional",
    )
    analysis = models.CharField(
        _("Analysis of hands"),
        max_length=5,
        choices=Analysis,
        default=Analysis.OWN,
        db_default="own",
        help_text=_(
            "At night a program estimates what each card cost its player, where every card is"
            " recorded; once a round is closed, its last tricks can be looked at. It counts"
            " nowhere."
        ),
    )
    time_zone = models.CharField(
        _("Time zone"),
        max_length=LONGEST,
        default="UTC",
        db_default="UTC",
        help_text=_("Nights, prints and exports tell the time by this clock."),
    )
    venue = models.CharField(
        _("Where we play"),
        max_length=VENUE_MAX,
        blank=True,
        default="",
        db_default="",
        help_text=_("A name and an address, for calendars and printed pages."),
    )
    about = models.CharField(
        _("About the club"),
        max_length=ABOUT_MAX,
        blank=True,
        default="",
        db_default="",
        help_text=_(
            "A few words for its page: who you are, when you play, whether beginners are welcome."
        ),
    )
    admins_need_second_factor = models.BooleanField(
        _("Admins sign in with a second step"),
        default=False,
        db_default=False,
        help_text=_(
            "A code from an app, or a passkey, besides the password. An admin who has none is led"
            " to set it up, and can do nothing else in the club before. Set up your own first."
        ),
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="a_club_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(confirming__in=Confirming.values), name="confirming_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(analysis__in=Analysis.values), name="analysis_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


CLUB_SETTINGS: Final = tuple(
    column.name
    for column in Club._meta.concrete_fields
    if column.editable and column.name != "currency"
)
"""Columns that can be changed; the currency stays, for the books are kept in it."""


class ClubPicture(models.Model):
    """The picture of a club on its page: ``image`` is WebP, made by us from what was uploaded.

    ``width`` and ``height`` are in pixels; ``digest`` is the SHA-256 of the image, by which its
    address changes when it does.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="picture")
    image = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = "picture of a club"
        verbose_name_plural = "pictures of clubs"

    def __str__(self) -> str:
        return f"{self.width} x {self.height}"


class RuleSet(models.Model):
    """House rules of a club under a name: a preset and what differs from it; never changed.

    A change is a new row with the next ``version``. ``digest`` is the engine's hash of all
    switches. ``keeps_jackpot``: a pot that a game leaves goes to the club's jackpot, and the next
    game begins with it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rule_sets")
    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField()
    preset = models.CharField(max_length=40)
    overrides = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    keeps_jackpot = models.BooleanField(default=False)
    made_by = models.CharField(max_length=60)
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "version"], name="rule_set_version_once"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="a_rule_set_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
