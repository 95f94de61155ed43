"""Rows of background work share their columns of the lease; the columns keep their names."""

from django.db import migrations, models

ATTEMPTS = {"default": 0, "db_default": 0}
KINDS = [
    ("archive", "Archive"),
    ("export", "Export"),
    ("members", "Members"),
    ("openings", "Openings"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0024_one_ranking")]

    operations = [
        migrations.AlterField("job", "kind", models.CharField(choices=KINDS, max_length=20)),
        *(
            operation
            for name in ("job", "published")
            for operation in (
                migrations.AlterField(
                    name, "begun", models.PositiveSmallIntegerField(db_column="begun", **ATTEMPTS)
                ),
                migrations.RenameField(name, "begun", "attempts"),
            )
        ),
    ]
