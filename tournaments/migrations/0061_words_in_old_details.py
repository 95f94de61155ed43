from django.db import migrations

from tournaments.migrations._triggers import append_only, erasable, setting

_FIXED = ("chain", "number", "club_id", "what", "by", "source", "at", "before", "digest", "why_seal")
_OTHERS = [
    guard
    for guard in append_only("tournaments_auditentry", ("chain", "number"))
    if guard.event != "UPDATE"
]
BEFORE = [erasable("tournaments_auditentry", ("why",), (*_FIXED, "details")), *_OTHERS]
# Until 0.3.0 the words of a ruling stood in the details too: they may lose a name as reasons do.
GUARDS = [erasable("tournaments_auditentry", ("why", "details"), _FIXED), *_OTHERS]


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0060_scoring_reason"),
    ]

    operations = [
        migrations.RunPython(setting(BEFORE)[1], setting(BEFORE)[0]),
        migrations.RunPython(*setting(GUARDS)),
    ]
