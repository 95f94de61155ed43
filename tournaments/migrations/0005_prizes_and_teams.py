from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_events")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="entry_fee",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="added",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="team_best",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
