import json

from django.db import migrations

from scoring.migrations._triggers import ERASABLE
from tournaments.migrations._triggers import setting

GUARD = [guard for guard in ERASABLE if guard.table == "scoring_decided"]
FORMER = "Former member "
TEXT_MAX = 300


def write_words_once(apps, _editor):
    """The words of a ruling stood in its decision again, where no erasure reached them."""
    Decided = apps.get_model("scoring", "Decided")
    facts_of = {}
    for ruling in Decided.objects.exclude(facts="").iterator(500):
        decision = json.loads(ruling.ruling)
        if decision.pop("text", ""):
            ruling.ruling = json.dumps(decision, sort_keys=True, separators=(",", ":"))
            ruling.save(update_fields=["ruling"])
        if FORMER in ruling.facts:
            facts_of[str(ruling.pk)] = ruling.facts[:TEXT_MAX]
    if not facts_of:
        return
    # Of people who were erased before, the trail still had the names.
    entries = apps.get_model("tournaments", "AuditEntry").objects.filter(what="ruling")
    for entry in entries.iterator(500):
        details = json.loads(entry.details)
        facts = facts_of.get(details.get("ruling"))
        decision = details.get("decision") or {}
        if facts is not None and decision.get("text", "") not in ("", facts):
            decision["text"] = facts if FORMER in facts else FORMER
            entry.details = json.dumps(details, sort_keys=True, separators=(",", ":"))
            entry.why_salt = "erased"
            entry.save(update_fields=["details", "why_salt"])


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0028_encrypted_webhook_secrets"),
        ("tournaments", "0061_words_in_old_details"),
    ]

    operations = [
        migrations.RunPython(setting(GUARD)[1], setting(GUARD)[0]),
        migrations.RunPython(write_words_once, migrations.RunPython.noop),
        migrations.RunPython(*setting(GUARD)),
    ]
