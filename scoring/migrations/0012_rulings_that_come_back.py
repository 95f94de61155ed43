from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0011_guards_at_once")]

    operations = [
        migrations.AddField(
            model_name="decided",
            name="restores",
            field=models.PositiveIntegerField(null=True),
        ),
    ]
