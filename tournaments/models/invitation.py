from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.club import Club
from tournaments.models.leased_row import LeasedRow


class Invitation(LeasedRow):
    """A role that waits for its guest; only a digest of what opens it is kept.

    ``email`` is for whom it is; empty: for whoever comes with it first. One that has a ``site`` is
    sent by e-mail, in ``language`` and with a link to the page there.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invitations")
    kind = models.CharField(max_length=10)
    email = models.CharField(max_length=254, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    site = models.CharField(max_length=300, blank=True, default="", db_default="")
    made_by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="invitation_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club_id}"
