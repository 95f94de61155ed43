from collections.abc import Iterable
from typing import Final

from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.club import Club

CONTACT_LEAST: Final = 5
"""Signs of an address or a phone number that is looked for: shorter ones may be anything."""


class PlayerKind(models.TextChoices):
    """Kinds of members of a club."""

    MEMBER = "member"
    GUEST = "guest"
    VISITOR = "visitor"


class PresentPlayers(models.Manager["Player"]):
    """Players without those who were removed again."""

    def get_queryset(self) -> "models.QuerySet[Player]":
        """Leave out who came with an import that was undone."""
        return super().get_queryset().filter(removed_at=None)


class Player(models.Model):
    """Somebody who plays at a club, as records and books know them: an identifier, no name.

    The name stands in `Person`, so that it can be erased while results stay. A duplicate that
    was merged points to the player they turned out to be; their results stay where they are.
    ``removed_at``: they came with an import that was undone, and only games and books that were
    taken back speak of them. ``objects`` leaves them out.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    kind = models.CharField(max_length=8, choices=PlayerKind, default=PlayerKind.MEMBER)
    # What the public sees of an erased player: "Former member 7".
    number = models.PositiveIntegerField()
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="duplicates"
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)

    # The first manager is the one that relations, bundles and the admin use: they see everybody.
    all_objects = models.Manager["Player"]()
    objects = PresentPlayers()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=models.Q(removed_at__isnull=True),
                name="player_number_once_in_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True)
                | ~models.Q(merged_into=models.F("id")),
                name="nobody_is_his_own_duplicate",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=PlayerKind.values), name="player_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Player {self.number}"


class Shown(models.TextChoices):
    """Details for strangers: a first name and an initial, the whole name, or a number."""

    SHORT = "short"
    FULL = "full"
    HIDDEN = "hidden"


class Person(models.Model):
    """The name and the contact of a player; this row can be erased, the player stays.

    ``shown`` is their own choice of what strangers see; members of the club see their name.
    ``gets_results``: they agreed to get mails of the club: results, invitations, notices;
    who owns ``confirmed_email`` said so, and they are sent while that is still the address;
    ``shows_statistics``: strangers may see what statistics say of them.
    """

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="person"
    )
    name = models.CharField(max_length=200)
    # The name without case and accents, to search by.
    sought = models.CharField(max_length=800, db_default="")
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    note = models.CharField(max_length=500, blank=True)
    shown = models.CharField(
        max_length=6, choices=Shown, default=Shown.SHORT, db_default=Shown.SHORT.value
    )
    gets_results = models.BooleanField(default=False, db_default=False)
    confirmed_email = models.EmailField(blank=True, default="", db_default="")
    shows_statistics = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name_plural = "people"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(shown__in=Shown.values), name="what_is_shown_is_known"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="a_person_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_confirmed(self) -> bool:
        """Whether the owner of the address said that they want results there."""
        return bool(self.email) and self.email == self.confirmed_email


class FormerDetail(models.Model):
    """A name, an address or a number that a player had before it was changed.

    It stands here for one purpose: when the person is erased, it is erased wherever it was written.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_details")
    text = models.CharField(max_length=254)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "text"], name="a_former_detail_once"),
        ]

    def __str__(self) -> str:
        return f"a former detail of {self.player_id}"

    @staticmethod
    def select_long(contacts: Iterable[str]) -> list[str]:
        """Return the addresses and phone numbers that are long enough to be looked for in texts."""
        return [contact for contact in contacts if len(contact) >= CONTACT_LEAST]


class PlayerBar(models.Model):
    """A time in which a club does not let a player play; lifted, never changed.

    Both days are part of it; without ``until`` it holds until it is lifted. The reason is empty
    once the person was erased.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="bars")
    since = models.DateField()
    until = models.DateField(null=True)
    reason = models.CharField(max_length=300, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()
    lifted_by = models.CharField(max_length=60, blank=True)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(until__isnull=True) | models.Q(until__gte=models.F("since")),
                name="a_bar_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=models.Q(lifted_at__isnull=True, lifted_by="")
                | (models.Q(lifted_at__isnull=False) & ~models.Q(lifted_by="")),
                name="a_lifted_bar_says_by_whom",
            ),
        ]

    def __str__(self) -> str:
        return f"a bar of {self.player_id}"
