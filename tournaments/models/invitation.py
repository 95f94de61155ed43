from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.club import Club


class Invitation(models.Model):
    """A role that waits for its guest; only a digest of what opens it is kept.

    ``email`` is for whom it is; empty: for whoever comes with it first.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invitations")
    kind = models.CharField(max_length=10)
    email = models.CharField(max_length=254, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} of {self.club_id}"
