from django.db import migrations, models

# Written out, because SQLite would make the table anew, which its guards refer to.
COUNTED = """
    ALTER TABLE scoring_game ADD COLUMN counted integer NOT NULL DEFAULT 0 CHECK (counted >= 0)
"""
ALIKE = "ALTER TABLE scoring_game ADD COLUMN boards_alike boolean NOT NULL DEFAULT false"


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0017_entry_fees"),
        ("tournaments", "0022_results_that_count"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(COUNTED, "ALTER TABLE scoring_game DROP COLUMN counted"),
                migrations.RunSQL(ALIKE, "ALTER TABLE scoring_game DROP COLUMN boards_alike"),
            ],
            state_operations=[
                migrations.AddField(
                    model_name="game",
                    name="counted",
                    field=models.PositiveIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="game",
                    name="boards_alike",
                    field=models.BooleanField(db_default=False, default=False),
                ),
            ],
        ),
        migrations.AddField(
            model_name="hand",
            name="board",
            field=models.PositiveIntegerField(null=True),
        ),
    ]
