from django.db import migrations
from django.utils import timezone


def mark_ratings(apps, _schema):
    """Have the ratings of all clubs computed anew: they are shown with their bands now."""
    published = apps.get_model("tournaments", "Published")
    stale = apps.get_model("tournaments", "Stale")
    clubs = published.objects.filter(scope="ratings").order_by().values_list("subject", flat=True)
    now = timezone.now()
    stale.objects.bulk_create(stale(scope="ratings", subject=club, since=now) for club in clubs)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0039_statistics_of_players'),
    ]

    operations = [
        migrations.RunPython(mark_ratings, migrations.RunPython.noop),
    ]
