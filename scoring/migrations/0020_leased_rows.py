"""Rows of background work share their columns of the lease; tables and columns keep their names."""

from django.db import migrations, models

ATTEMPTS = {"default": 0, "db_default": 0}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0019_count_hands_of_a_round")]

    operations = [
        # There are no sums any more (tournaments 0024).
        migrations.RunSQL(
            "DELETE FROM scoring_chore WHERE name = 'mend sums'", migrations.RunSQL.noop
        ),
        migrations.AlterModelTable("chore", "scoring_chore"),
        migrations.RenameModel("Chore", "NightlyTask"),
        migrations.AlterModelTable("pulse", "scoring_pulse"),
        migrations.RenameModel("Pulse", "Heartbeat"),
        *(
            operation
            for name in ("nightlytask", "delivery")
            for operation in (
                migrations.AlterField(
                    name, "begun", models.PositiveSmallIntegerField(db_column="begun", **ATTEMPTS)
                ),
                migrations.RenameField(name, "begun", "attempts"),
            )
        ),
    ]
