from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.leased_row import LeasedRow


class PasswordLink(LeasedRow):
    """A link by which somebody chooses another password, once and before ``ends_at``.

    A worker sends it by e-mail, in ``language`` and to the page at ``site``. Only the digest of
    its token is kept. Using it ends it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="password_link_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"until {self.ends_at}"
