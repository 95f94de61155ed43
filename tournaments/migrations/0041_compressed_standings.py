import zlib

from django.db import migrations, models


def compress(apps, _schema):
    """Store the text of every version of standings as a zlib stream."""
    snapshots = apps.get_model("tournaments", "Snapshot").objects
    for pk in list(snapshots.order_by("pk").values_list("pk", flat=True)):
        text = snapshots.values_list("text", flat=True).get(pk=pk)
        snapshots.filter(pk=pk).update(data=zlib.compress(text.encode(), zlib.Z_BEST_SPEED))


def decompress(apps, _schema):
    snapshots = apps.get_model("tournaments", "Snapshot").objects
    for pk in list(snapshots.order_by("pk").values_list("pk", flat=True)):
        data = snapshots.values_list("data", flat=True).get(pk=pk)
        snapshots.filter(pk=pk).update(text=zlib.decompress(data).decode())


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0040_ratings_with_bands'),
    ]

    operations = [
        migrations.RenameField(model_name='snapshot', old_name='data', new_name='text'),
        migrations.AlterField(
            model_name='snapshot', name='text', field=models.TextField(default=""),
        ),
        migrations.AddField(
            model_name='snapshot', name='data', field=models.BinaryField(default=b""),
            preserve_default=False,
        ),
        migrations.RunPython(compress, decompress),
        migrations.RemoveField(model_name='snapshot', name='text'),
    ]
