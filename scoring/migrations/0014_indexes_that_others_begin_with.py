import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0013_transfers_kept_by_guards")]

    # Unique indexes begin with these columns. SQLite keeps the tables as they are.
    operations = [
        migrations.RunSQL(
            "DROP INDEX scoring_handversion_hand_id_16eb686a",
            "CREATE INDEX scoring_handversion_hand_id_16eb686a ON scoring_handversion (hand_id)",
            state_operations=[
                migrations.AlterField(
                    model_name="handversion",
                    name="hand",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="scoring.hand",
                    ),
                )
            ],
        ),
        migrations.RunSQL(
            "DROP INDEX scoring_sitting_game_id_3c8cdf34",
            "CREATE INDEX scoring_sitting_game_id_3c8cdf34 ON scoring_sitting (game_id)",
            state_operations=[
                migrations.AlterField(
                    model_name="sitting",
                    name="game",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="scoring.game",
                    ),
                )
            ],
        ),
    ]
