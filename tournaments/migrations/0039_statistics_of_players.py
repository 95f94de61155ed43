from django.db import migrations, models
from django.db.models.functions import Coalesce
from django.utils import timezone


def mark_players(apps, _schema):
    """Have the statistics of everybody who has played computed."""
    result = apps.get_model("tournaments", "Result")
    stale = apps.get_model("tournaments", "Stale")
    rows = result.objects.order_by().annotate(survivor=Coalesce("player__merged_into", "player"))
    now = timezone.now()
    stale.objects.bulk_create(
        stale(scope="player", subject=player, since=now)
        for player in rows.values_list("survivor", flat=True).distinct()
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0038_results_by_email'),
    ]

    operations = [
        migrations.AlterField(
            model_name='published',
            name='scope',
            field=models.CharField(choices=[('event', 'Event'), ('league', 'League'), ('ratings', 'Ratings'), ('batch', 'Strength'), ('player', 'Statistics')], max_length=7),
        ),
        migrations.AlterField(
            model_name='stale',
            name='scope',
            field=models.CharField(choices=[('event', 'Event'), ('league', 'League'), ('ratings', 'Ratings'), ('batch', 'Strength'), ('player', 'Statistics')], max_length=7),
        ),
        migrations.RunPython(mark_players, migrations.RunPython.noop),
    ]
