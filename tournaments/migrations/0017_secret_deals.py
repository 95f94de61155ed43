import hmac
import secrets
from itertools import count

from django.db import migrations

from engine.cards import show
from engine.deals import deal
from engine.rules.presets import preset
from engine.rules.rules import change


def give_secrets(apps, _editor):
    """Duplicate events that have not begun get a secret, and their boards new deals from it.

    Their old deals followed from the public id of the event. Events that have begun keep theirs.
    """
    event, secret = apps.get_model("tournaments", "Event"), apps.get_model("tournaments", "DealSecret")
    board = apps.get_model("tournaments", "Board")
    begun = apps.get_model("tournaments", "Round").objects.exclude(stage="drawn")
    waiting = event.objects.filter(duplicate=True).exclude(pk__in=begun.values("event_id"))
    for one in waiting.select_related("rule_set").iterator():
        drawn = secrets.token_bytes(32)
        secret.objects.create(event=one, secret=drawn)
        rules = change(preset(one.rule_set.preset), one.rule_set.overrides)
        rows = list(board.objects.filter(event=one, source="seed").exclude(deal=""))
        for row in rows:
            key = hmac.digest(drawn, f"board/{row.number}".encode(), "sha256")
            players = len(row.deal.split(";"))
            held = deal(rules, players, shuffled(key)).holdings
            row.deal, row.key, row.source = "; ".join(map(show, held)), key.hex(), "key"
        board.objects.bulk_update(rows, ["deal", "key", "source"], batch_size=500)


def shuffled(key):
    """The pack as the key of a board shuffles it (docs/rules/deals.md)."""
    pack, stream = list(range(52)), bytes_of(key)
    for last in range(51, 0, -1):
        fair = 256 - 256 % (last + 1)
        chosen = next(byte for byte in stream if byte < fair) % (last + 1)
        pack[last], pack[chosen] = pack[chosen], pack[last]
    return pack


def bytes_of(key):
    for block in count():
        yield from hmac.digest(key, f"shuffle/{block}".encode(), "sha256")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_deal_secrets")]

    operations = [migrations.RunPython(give_secrets, migrations.RunPython.noop)]
