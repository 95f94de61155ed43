from django.db import migrations

from scoring.migrations._triggers import EARLIER
from tournaments.migrations._triggers import setting


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_drafts_that_see_deals")]

    # Set again: those of new transfers look at all rows of a statement at once.
    operations = [migrations.RunPython(setting(EARLIER)[0], migrations.RunPython.noop)]
