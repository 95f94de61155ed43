"""Names without characters that nobody sees, with single blanks, in NFC (DEC-18)."""

import unicodedata

from django.db import migrations

# A frozen copy of engine/core/player_names.py: a migration does the same for ever.
JOINERS = "\u200c\u200d"
REFUSED = {"Cc", "Cf", "Cs"}


def is_joiner(name, place):
    beside = (name[place - 1 : place], name[place + 1 : place + 2])
    return name[place] in JOINERS and all(
        sign and unicodedata.category(sign)[0] in "LM" for sign in beside
    )


def mended(name):
    signs = []
    for place, sign in enumerate(name):
        kind = unicodedata.category(sign)
        if sign in "\t\n\r" or kind in ("Zl", "Zp"):
            signs.append(" ")
        elif kind not in REFUSED or is_joiner(name, place):
            signs.append(sign)
    last, comma, first = unicodedata.normalize("NFC", "".join(signs)).partition(",")
    return " ".join(f"{last.rstrip()}{comma} {first}".split())


def mend_names(apps, schema_editor):
    Person = apps.get_model("tournaments", "Person")
    FormerDetail = apps.get_model("tournaments", "FormerDetail")
    changed = []
    for person in Person.objects.select_related("player").iterator():
        name = mended(person.name)[:200] or f"Player {person.player.number}"
        if name == person.name:
            continue
        # An erasure has to find the name as it was, too.
        FormerDetail.objects.get_or_create(player_id=person.pk, text=person.name)
        person.name = name
        # Characters that nobody sees had no letter beneath: what is sought loses them alike.
        person.sought = mended(person.sought)[:800] or name.lower()
        changed.append(person)
    Person.objects.bulk_update(changed, ["name", "sought"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0056_frozen_fees")]

    operations = [migrations.RunPython(mend_names, migrations.RunPython.noop)]
