import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_fold_special_letters")]

    operations = [
        migrations.CreateModel(
            name="DealSecret",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="deal_secret",
                        serialize=False,
                        to="tournaments.event",
                    ),
                ),
                ("secret", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.AddField(
            model_name="board",
            name="key",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
