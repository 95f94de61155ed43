from django.db import migrations

from scoring.migrations._triggers import FIRST
from tournaments.migrations._triggers import setting


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_games"), ("tournaments", "0002_guards")]

    operations = [migrations.RunPython(*setting(FIRST))]
