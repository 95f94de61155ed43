from django.db import migrations, models


class Migration(migrations.Migration):
    """There is one ranking: the sums that a second one was made of go, with the chore for them."""

    dependencies = [
        ("tournaments", "0023_bars_of_players"),
        # Which still writes to the table of the sums.
        ("scoring", "0019_count_hands_of_a_round"),
    ]

    operations = [
        migrations.DeleteModel(name="SeatSum"),
        migrations.RunSQL(
            "DELETE FROM scoring_chore WHERE name = 'mend sums'", migrations.RunSQL.noop
        ),
        migrations.AddField(
            model_name="stale", name="game", field=models.UUIDField(null=True)
        ),
    ]
