from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_time_zones"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="shown",
            field=models.CharField(
                choices=[("short", "Short"), ("full", "Full"), ("hidden", "Hidden")],
                db_default="short",
                default="short",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="person",
            constraint=models.CheckConstraint(
                condition=models.Q(("shown__in", ["short", "full", "hidden"])),
                name="what_is_shown_is_known",
            ),
        ),
    ]
