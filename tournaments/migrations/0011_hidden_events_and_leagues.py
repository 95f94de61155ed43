from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_what_strangers_see"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="is_hidden",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="league",
            name="is_hidden",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
