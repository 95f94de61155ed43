from django.db import models


class Incident(models.Model):
    """Something that was wrong with the service, the last time for each ``cause``.

    Operators are told at ``told_at`` that it has been so ``since``, and once more when it is over
    (`config.alerts`). A row is open between the two; whoever changes that is the one who tells.
    """

    cause = models.CharField(primary_key=True, max_length=20)
    since = models.DateTimeField()
    told_at = models.DateTimeField(null=True)
    is_open = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.cause} since {self.since}"
