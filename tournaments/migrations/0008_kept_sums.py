import django.db.models.deletion
from django.db import migrations, models

_ADD_UP = """
    INSERT INTO tournaments_seatsum (event_id, game_id, seat, player_id, score, hands, clean_hands)
    SELECT g.event_id, r.game_id, r.seat, r.player_id, SUM(r.score), COUNT(*),
        SUM(CASE WHEN r.taken = 0 AND r.played THEN 1 ELSE 0 END)
    FROM tournaments_result r JOIN tournaments_tablegame g ON g.id = r.game_id
    WHERE g.event_id IS NOT NULL
    GROUP BY g.event_id, r.game_id, r.seat, r.player_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_forfeits_boards_and_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="SeatSum",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("score", models.BigIntegerField()),
                ("hands", models.PositiveIntegerField()),
                ("clean_hands", models.PositiveIntegerField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.event",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.tablegame",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "seat", "player"), name="one_sum_of_a_player_in_a_seat"
                    )
                ],
            },
        ),
        migrations.RunSQL(_ADD_UP, migrations.RunSQL.noop),
    ]
