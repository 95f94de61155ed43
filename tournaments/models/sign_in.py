from django.db import models


class SignInCount(models.Model):
    """The number of failed sign-ins from a network, since ``since``.

    Counted by the pair and never by the network alone: a whole club sits behind one. In place of
    ``address`` stand the number of a known device, or ``*`` for all networks together, where
    ``since`` is the time of the last failure.
    """

    email = models.CharField(max_length=280)
    address = models.CharField(max_length=64)
    tries = models.PositiveIntegerField(default=0)
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["email", "address"], name="sign_in_pair_once"),
        ]
        indexes = [models.Index(fields=["since"])]

    def __str__(self) -> str:
        return f"{self.tries} since {self.since}"
