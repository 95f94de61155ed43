import hmac
import secrets
from itertools import count

from django.db import migrations

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CENTRE_CARDS = 4


def give_secrets(apps, _editor):
    """Duplicate events that have not begun get a secret, and their boards new deals from it.

    Their old deals followed from the public id of the event. Events that have begun keep theirs.
    """
    event, secret = apps.get_model("tournaments", "Event"), apps.get_model("tournaments", "DealSecret")
    board = apps.get_model("tournaments", "Board")
    begun = apps.get_model("tournaments", "Round").objects.exclude(stage="drawn")
    waiting = event.objects.filter(duplicate=True).exclude(pk__in=begun.values("event_id"))
    for one in waiting.iterator():
        drawn = secrets.token_bytes(32)
        secret.objects.create(event=one, secret=drawn)
        rows = list(board.objects.filter(event=one, source="seed").exclude(deal=""))
        for row in rows:
            key = hmac.digest(drawn, f"board/{row.number}".encode(), "sha256")
            row.deal, row.key, row.source = dealt_again(row.deal, key), key.hex(), "key"
        board.objects.bulk_update(rows, ["deal", "key", "source"], batch_size=500)


def dealt_again(deal, key):
    """The same pack, dealt from a key as `engine.replay.deals` does (rules.md K4).

    Cards are numbered from the two of clubs to the ace of spades. Four who hold 48 cards play with
    a centre: it is the rest of the whole pack.
    """
    hands = [cards_of(text.strip()) for text in deal.split(";")]
    pack = {card for hand in hands for card in hand}
    aside = CENTRE_CARDS if len(hands) == 4 and len(pack) == 52 - CENTRE_CARDS else 0
    order = [card for card in shuffled(key) if aside or card in pack]
    order = order[: len(order) - aside]
    return "; ".join(shown(order[seat :: len(hands)]) for seat in range(len(hands)))


def cards_of(text):
    """The cards of a hand as it is written: ``SAQHT2``."""
    suit = 0
    for letter in text.replace("-", ""):
        if letter in SUITS:
            suit = SUITS.index(letter)
        else:
            yield 13 * suit + RANKS.index(letter)


def shown(cards):
    """A hand as it is written: spades first, ranks falling."""
    suits = (
        (letter, sorted((card % 13 for card in cards if card // 13 == number), reverse=True))
        for number, letter in reversed(list(enumerate(SUITS)))
    )
    written = "".join(letter + "".join(RANKS[rank] for rank in ranks) for letter, ranks in suits if ranks)
    return written or "-"


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
