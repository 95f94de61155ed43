import django.db.models.deletion
from django.db import migrations, models

SEATED = """
    UPDATE tournaments_seatsum SET entry_id = (
        SELECT s.entry_id FROM tournaments_tablegame g
        JOIN tournaments_tableseat s ON s.table_id = g.table_id
        WHERE g.id = tournaments_seatsum.game_id AND s.seat = tournaments_seatsum.seat
    )
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_an_index_that_another_begins_with")]

    operations = [
        migrations.AddField(
            model_name="seatsum",
            name="entry",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.entry",
            ),
        ),
        migrations.RunSQL(SEATED, migrations.RunSQL.noop),
    ]
