from django.db import models


class SharedRecord(models.Model):
    """A text that somebody shared by link, exactly as it was given; never changed."""

    public_id = models.CharField(max_length=24, unique=True, editable=False)
    # Bytes, not characters: a text that is not UTF-8, or has NUL in it, is kept as well.
    text = models.BinaryField()
    rules = models.CharField(max_length=4096, blank=True)
    mode = models.CharField(max_length=16, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(text=b""), name="shared_text_is_not_empty"),
        ]

    def __str__(self) -> str:
        return f"shared record {self.pk}"
