from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_fee_paid")]

    operations = [
        migrations.AddField(
            model_name="result",
            name="counts",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
