"""Whoever is an operator or an admin of all clubs already is written down in a trail of theirs."""

import hashlib
import json
from datetime import UTC

from django.db import migrations

OPERATOR, FEDERATION_ADMIN = "operator admitted", "federation admin made"


def write_down(apps, schema_editor):
    rights = [
        *((account.pk, OPERATOR, account.created_at)
          for account in apps.get_model("tournaments", "Account").objects.filter(is_superuser=True)),
        *((role.account_id, FEDERATION_ADMIN, role.created_at)
          for role in apps.get_model("tournaments", "Role").objects.filter(club=None)),
    ]
    entries, trails = (apps.get_model("tournaments", name) for name in ("AuditEntry", "Trail"))
    for account, what, at in rights:
        trail, _made = trails.objects.get_or_create(
            chain=account, defaults={"club_id": None, "length": 0, "digest": "0" * 64}
        )
        details = json.dumps({"account": str(account)}, separators=(",", ":"))
        fields = [
            trail.digest, str(account), trail.length + 1, "None", what, "system", "command", "",
            details, at.astimezone(UTC).isoformat(),
        ]  # fmt: skip
        digest = hashlib.sha256(json.dumps(fields).encode()).hexdigest()
        entries.objects.create(
            chain=account, number=trail.length + 1, club_id=None, what=what, by="system",
            source="command", details=details, at=at, before=trail.digest, digest=digest,
        )  # fmt: skip
        trail.length, trail.digest = trail.length + 1, digest
        trail.save()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0057_mend_names")]
    operations = [migrations.RunPython(write_down, migrations.RunPython.noop)]
