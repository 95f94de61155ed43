from django.db import models


class SetupCode(models.Model):
    """A code that opens the page of the first account, until ``ends_at``; only its digest is kept.

    There is one at most, and none once somebody has an account.
    """

    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.ends_at}"
