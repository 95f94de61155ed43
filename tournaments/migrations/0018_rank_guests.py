from django.db import migrations, models


def leave_guests_unranked(apps, schema_editor):
    """Events that have begun keep the standings that were published of them."""
    events = apps.get_model("tournaments", "Event").objects.using(schema_editor.connection.alias)
    events.exclude(status="planned").update(rank_guests=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_secret_deals")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="rank_guests",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.RunPython(leave_guests_unranked, migrations.RunPython.noop),
    ]
