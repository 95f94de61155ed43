from django.db import migrations, models

from scoring.migrations._triggers import EARLIER
from tournaments.migrations._triggers import setting

# SQLite makes the table anew, which it refuses while guards look at it, and forgets its own.
INSTALL, REMOVE = setting(EARLIER)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0006_more_guards")]

    operations = [
        migrations.RunPython(REMOVE, INSTALL),
        migrations.RemoveConstraint(
            model_name="ledgeraccount",
            name="account_once_in_a_club",
        ),
        migrations.AddField(
            model_name="ledgeraccount",
            name="worth",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddConstraint(
            model_name="ledgeraccount",
            constraint=models.UniqueConstraint(
                condition=models.Q(("game__isnull", True), ("player__isnull", True)),
                fields=("club", "holder", "unit", "worth"),
                name="account_once_in_a_club",
            ),
        ),
        migrations.RunPython(INSTALL, REMOVE),
    ]
