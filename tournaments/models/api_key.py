from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.club import Club


class ApiKey(models.Model):
    """A secret that a program shows instead of a password; only a digest of it is kept.

    ``scopes`` is a list of words that limit it further than the role it acts in (``kind``).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, related_name="api_keys")
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made_by = models.ForeignKey(Account, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "API key"
        verbose_name_plural = "API keys"

    def __str__(self) -> str:
        return self.name
