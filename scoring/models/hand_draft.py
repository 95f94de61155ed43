from django.db import models

from scoring.models.game import Game


class HandDraft(models.Model):
    """A hand as far as one phone has told it: nothing of it is on record.

    ``id`` is the one that the hand will have; ``change`` counts what was told and taken back, so
    that a late copy never replaces a newer one. ``answers`` is JSON, question by question in the
    order of telling, without anything that other seats may not know yet. ``sees_deal``: the phone
    was told the cards of the board, which the whole table gets to know. A phone that goes on
    from another one's draft makes a draft of its own: ``continues`` is the other, ``seen`` its
    ``change`` then.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="drafts")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=60)
    change = models.PositiveIntegerField()
    answers = models.TextField()
    sees_deal = models.BooleanField(default=False)
    continues = models.UUIDField(null=True)
    seen = models.PositiveIntegerField(default=0)
    kept_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of hand {self.number}"
