from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.club import Club


class ClubPicture(models.Model):
    """The picture of a club on its page: ``image`` is WebP, made by us from what was uploaded.

    ``width`` and ``height`` are in pixels; ``digest`` is the SHA-256 of the image, by which its
    address changes when it does.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="picture")
    image = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = "picture of a club"
        verbose_name_plural = "pictures of clubs"

    def __str__(self) -> str:
        return f"{self.width} x {self.height}"
