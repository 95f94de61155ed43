"""The reason of a hand may be a message, stored as JSON, which is longer than its sentence."""

from django.db import migrations, models


def set_type(kind: str):
    def change(_apps, schema_editor):
        # SQLite knows no longest text, and would make the table anew and forget its guards.
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"ALTER TABLE scoring_hand ALTER COLUMN reason TYPE {kind}")

    return change


class Migration(migrations.Migration):
    dependencies = [("scoring", "0020_leased_rows")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(
                    set_type("text"), set_type("varchar(300) USING left(reason, 300)")
                )
            ],
            state_operations=[
                migrations.AlterField("hand", "reason", models.TextField(blank=True))
            ],
        )
    ]
