from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.club import Club


class ImportKind(models.TextChoices):
    """Kinds of imports."""

    ARCHIVE = "archive", _("Records of hands")
    MEMBERS = "members", _("Members")
    NIGHTS = "nights", _("Results of past nights")
    OPENINGS = "openings", _("Opening balances of a league")


class Import(models.Model):
    """One file that was brought into a club, by an upload or by command; undone as one step.

    ``job`` is the job that does it, which is deleted after a week; None where there was none.
    ``counts`` say what it brought. ``finished_at`` is None as long as it goes on, and where it
    broke off: what it brought until then is there, and can be undone. The same file again, known
    by its ``file_digest``, takes it up; ``earlier_counts`` are what it had brought before that.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=20, choices=ImportKind)
    file_name = models.CharField(max_length=200, blank=True)
    job: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(null=True, unique=True)
    file_digest = models.CharField(max_length=64, blank=True, default="")
    counts = models.JSONField(default=dict)
    earlier_counts = models.JSONField(default=dict)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    undone_by = models.CharField(max_length=60, blank=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=ImportKind.values), name="import_kind_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(undone_at__isnull=True, undone_by="")
                | (models.Q(undone_at__isnull=False) & ~models.Q(undone_by="")),
                name="an_undone_import_says_by_whom",
            ),
        ]
        indexes = [models.Index(fields=["club", "created_at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.file_name}".strip()


class ImportedObject(models.Model):
    """A row that an import made, or changed: then ``before`` has the values that it had.

    ``model`` is the label of its model, ``key`` the columns that it is found by: its identifier,
    or what is unique of a row that has a mere number. ``digest`` covers its ``columns`` as the
    import left them, so that a later change is noticed without a copy of what they say.
    """

    source_import = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="items")
    model = models.CharField(max_length=60)
    key = models.JSONField()
    before = models.JSONField(null=True)
    columns = models.JSONField()
    digest = models.CharField(max_length=64)
    undone_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.model} {self.key}"
