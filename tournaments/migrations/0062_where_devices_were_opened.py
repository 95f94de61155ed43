import django.db.models.deletion
from django.db import migrations, models


def note_events(apps, _schema_editor):
    """Note event and table of devices from phones at tables; sign out those of unknown phones."""
    device_model = apps.get_model("tournaments", "PlayerDevice")
    phone_model = apps.get_model("scoring", "PlayerPhone")
    link_model = apps.get_model("scoring", "SeatLink")
    for device in device_model.objects.filter(method="phone"):
        phone = phone_model.objects.filter(pk=device.phone_id).first()
        if phone is None:
            device.delete()
            continue
        links = link_model.objects.filter(phone=phone).order_by("made_at", "pk")
        device.event_id = phone.event_id
        device.table = links.values_list("game__table__number", flat=True).first()
        device.save(update_fields=["event", "table"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0028_encrypted_webhook_secrets"),
        ("tournaments", "0061_words_in_old_details"),
    ]

    operations = [
        migrations.AddField(
            model_name="playerdevice",
            name="event",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.event",
            ),
        ),
        migrations.AddField(
            model_name="playerdevice",
            name="table",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.RunPython(note_events, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="playerdevice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("method", "phone"), ("event__isnull", True), _connector="XOR"
                ),
                name="device_of_a_phone_has_its_event",
            ),
        ),
    ]
