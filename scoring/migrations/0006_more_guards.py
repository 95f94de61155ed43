from django.db import migrations

from scoring.migrations._triggers import EARLIER
from tournaments.migrations._triggers import setting


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_revisions"), ("tournaments", "0002_guards")]

    # Set again, whatever was there: 0003 has set those that were there at its time.
    operations = [migrations.RunPython(setting(EARLIER)[0], migrations.RunPython.noop)]
