from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_indexes_that_others_begin_with")]

    operations = [
        migrations.AddField("game", "old_law", models.BooleanField(null=True)),
        migrations.RunSQL(
            "UPDATE scoring_game SET old_law = TRUE WHERE frozen_at IS NOT NULL",
            migrations.RunSQL.noop,
        ),
    ]
