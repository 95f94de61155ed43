from django.db import migrations, models


def sign_out_phones(apps, _schema_editor):
    """Sign out devices of which nobody knows from which phone they were signed in."""
    apps.get_model("tournaments", "PlayerDevice").objects.filter(way="phone").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0045_player_devices"),
    ]

    operations = [
        migrations.RunPython(sign_out_phones, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="playerdevice", name="way_of_a_device_is_known"),
        migrations.RemoveConstraint(
            model_name="playersignincode", name="way_of_a_sign_in_code_is_known"
        ),
        migrations.RenameField(model_name="playerdevice", old_name="way", new_name="method"),
        migrations.RenameField(model_name="playersignincode", old_name="way", new_name="method"),
        migrations.AddField(
            model_name="playerdevice",
            name="phone_id",
            field=models.UUIDField(db_index=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="playerdevice",
            constraint=models.CheckConstraint(
                condition=models.Q(("method__in", ["phone", "code", "email"])),
                name="method_of_a_device_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="playerdevice",
            constraint=models.CheckConstraint(
                condition=models.Q(("method", "phone"), ("phone_id__isnull", True), _connector="XOR"),
                name="device_of_a_phone_has_its_id",
            ),
        ),
        migrations.AddConstraint(
            model_name="playersignincode",
            constraint=models.CheckConstraint(
                condition=models.Q(("method__in", ["phone", "code", "email"])),
                name="method_of_a_sign_in_code_is_known",
            ),
        ),
    ]
