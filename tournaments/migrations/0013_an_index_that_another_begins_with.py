import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_invitations")]

    # The unique index of one_result_a_seat begins with the game. SQLite keeps the table as it is.
    operations = [
        migrations.RunSQL(
            "DROP INDEX tournaments_result_game_id_b817a20a",
            "CREATE INDEX tournaments_result_game_id_b817a20a ON tournaments_result (game_id)",
            state_operations=[
                migrations.AlterField(
                    model_name="result",
                    name="game",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="tournaments.tablegame",
                    ),
                )
            ],
        )
    ]
