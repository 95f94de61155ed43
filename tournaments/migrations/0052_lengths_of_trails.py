from django.db import migrations, models

from tournaments.migrations._triggers import Guard, differs, setting

GUARDS = (
    Guard(
        "a_trail_never_gets_shorter",
        "tournaments_trail",
        "UPDATE",
        f"NEW.length <= OLD.length OR {differs('chain')} OR {differs('club_id')}",
    ),
    Guard("a_trail_is_never_removed", "tournaments_trail", "DELETE"),
    Guard("trails_are_never_emptied", "tournaments_trail", "TRUNCATE", vendors=("postgresql",)),
    Guard(
        "a_trail_is_never_replaced",
        "tournaments_trail",
        "INSERT",
        "EXISTS (SELECT 1 FROM tournaments_trail"
        " WHERE chain = NEW.chain AND length >= NEW.length)",
        vendors=("sqlite",),
    ),
)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0051_result_mails")]

    operations = [
        migrations.CreateModel(
            name="Trail",
            fields=[
                ("chain", models.UUIDField(primary_key=True, serialize=False)),
                ("club_id", models.UUIDField(db_index=True, null=True)),
                ("length", models.PositiveIntegerField()),
                ("digest", models.CharField(max_length=64)),
            ],
        ),
        # The database does it by itself, one entry after the other: nothing is read into memory.
        migrations.RunSQL(
            "INSERT INTO tournaments_trail (chain, club_id, length, digest)"
            " SELECT chain, club_id, number, digest FROM tournaments_auditentry entry"
            " WHERE NOT EXISTS (SELECT 1 FROM tournaments_auditentry later"
            " WHERE later.chain = entry.chain AND later.number > entry.number)",
            migrations.RunSQL.noop,
        ),
        migrations.RunPython(*setting(GUARDS)),
    ]
