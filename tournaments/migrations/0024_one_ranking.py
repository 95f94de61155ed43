from django.db import migrations, models


class Migration(migrations.Migration):
    """There is one ranking: the sums that a second one was made of go."""

    dependencies = [
        ("tournaments", "0023_bars_of_players"),
    ]

    operations = [
        migrations.DeleteModel(name="SeatSum"),
        migrations.AddField(
            model_name="stale", name="game", field=models.UUIDField(null=True)
        ),
    ]
