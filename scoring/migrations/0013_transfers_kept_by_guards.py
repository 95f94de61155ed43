import django.db.models.deletion
from django.db import migrations, models

from scoring.migrations._triggers import EARLIER
from tournaments.migrations._triggers import setting

# SQLite makes the table anew, which it refuses while guards look at it, and forgets its own.
INSTALL, REMOVE = setting(EARLIER)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0012_rulings_that_come_back"),
    ]

    operations = [
        migrations.RunPython(REMOVE, INSTALL),
        migrations.AlterField(
            model_name="transfer",
            name="game",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transfers",
                to="scoring.game",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="hand",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transfers",
                to="scoring.hand",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="payee",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="received",
                to="scoring.ledgeraccount",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="payer",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="paid",
                to="scoring.ledgeraccount",
            ),
        ),
        migrations.RunPython(INSTALL, REMOVE),
    ]
