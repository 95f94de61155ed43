from django.db import migrations

from tournaments.migrations._triggers import append_only, setting

GUARDS = append_only("tournaments_auditentry", ("chain", "number"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_clubs")]

    operations = [migrations.RunPython(*setting(GUARDS))]
