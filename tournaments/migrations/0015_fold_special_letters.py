import re
import unicodedata

from django.db import migrations

# A frozen copy of tournaments/core/name_folding.py: a migration does the same for ever.
SPELLED = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ȷ": "j", "ŋ": "n", "ĸ": "k",
    "ə": "e", "ǝ": "e", "ɛ": "e", "ɔ": "o", "ɣ": "g", "ɩ": "i", "ʊ": "u", "ʃ": "s", "ʒ": "z",
    "ƿ": "w", "ȝ": "gh", "ꜳ": "aa", "ꜵ": "ao", "ꜷ": "au", "ꜹ": "av", "ꜽ": "ay", "ꝏ": "oo",
    "ȣ": "ou", "ꝛ": "r", "ƕ": "hv", "ς": "σ", "·": "",
    **dict.fromkeys("ʻʼʹ’‘‛`´′", "'"),
    **dict.fromkeys("‐–—−", "-"),
}
MARKED = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]{1,2}) WITH ")
LATIN = ((0xC0, 0x2B0), (0x1E00, 0x1F00), (0x2C60, 0x2C80), (0xA720, 0xA800))


def without_marks(text):
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def letters():
    for first, end in LATIN:
        for letter in map(chr, range(first, end)):
            found = MARKED.match(unicodedata.name(letter, ""))
            if found and without_marks(letter.casefold()) == letter:
                yield letter, found[1].lower()


def fold(text, table):
    plain = without_marks(without_marks(text).casefold()).translate(table)
    return " ".join(plain.split())[:800]


def fold_names(apps, schema_editor):
    table = str.maketrans(dict(letters()) | SPELLED)
    people = apps.get_model("tournaments", "Person").objects.using(schema_editor.connection.alias)
    changed = []
    for person in people.only("pk", "name", "sought").iterator():
        sought = fold(person.name, table)
        if sought != person.sought:
            person.sought = sought
            changed.append(person)
    people.bulk_update(changed, ["sought"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_whose_a_sum_is")]

    operations = [migrations.RunPython(fold_names, migrations.RunPython.noop)]
