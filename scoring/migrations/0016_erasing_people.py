import re
from functools import cache
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import migrations, models

from scoring.migrations._triggers import BEFORE_LATE_WORDS, EARLIER
from tournaments.migrations._triggers import setting

_INSTALL, _REMOVE = setting(BEFORE_LATE_WORDS)
_PLACE = re.compile(r"/(clubs|events|leagues|games|hands|rulings)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_CLUBS = {
    "clubs": ("tournaments", "Club", "pk"),
    "events": ("tournaments", "Event", "club_id"),
    "leagues": ("tournaments", "League", "club_id"),
    "games": ("scoring", "Game", "club_id"),
    "hands": ("scoring", "Hand", "game__club_id"),
    "rulings": ("scoring", "Decided", "hand__game__club_id"),
}


def _find_clubs(apps: Apps, _editor: Any) -> None:
    """Say of which club the requests are that were answered before this was written down."""
    answered = apps.get_model("tournaments", "AnsweredRequest")

    @cache
    def club_of(kind: str, number: UUID) -> UUID | None:
        app, model, club = _CLUBS[kind]
        rows = apps.get_model(app, model).objects.filter(pk=number)
        return rows.values_list(club, flat=True).first()

    for pk, path in answered.objects.filter(club_id=None).values_list("pk", "path").iterator():
        found = _PLACE.search(path)
        if found is not None:
            answered.objects.filter(pk=pk).update(club_id=club_of(found[1], UUID(found[2])))


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0015_games_begun_by_the_old_law"),
        ("tournaments", "0019_erasing_people"),
    ]

    operations = [
        migrations.RunPython(_REMOVE, setting(EARLIER)[0]),
        migrations.AddField(
            model_name="handversion",
            name="erased_digest",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.RunPython(_find_clubs, migrations.RunPython.noop),
        migrations.RunPython(_INSTALL, _REMOVE),
    ]
