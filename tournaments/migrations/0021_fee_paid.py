from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def take_as_paid(apps, schema_editor):
    """Pools of events that are over were shared as if everybody had paid: they stay so."""
    alias = schema_editor.connection.alias
    events, entries = (apps.get_model("tournaments", name) for name in ("Event", "Entry"))
    fee = events.objects.using(alias).filter(pk=OuterRef("event")).values("entry_fee")[:1]
    rows = entries.objects.using(alias).filter(event__status__in=("finished", "official"))
    rows.exclude(standing="house").update(fee_paid=Subquery(fee))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_households_and_tables")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="fee_paid",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(take_as_paid, migrations.RunPython.noop),
    ]
