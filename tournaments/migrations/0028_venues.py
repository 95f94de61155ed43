"""Where clubs and events play."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0027_imports_that_can_be_undone"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="venue",
            field=models.CharField(blank=True, default="", db_default="", max_length=200),
        ),
        migrations.AddField(
            model_name="event",
            name="venue",
            field=models.CharField(blank=True, default="", db_default="", max_length=200),
        ),
    ]
