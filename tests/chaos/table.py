"""A table that enters hands, in a process of its own as the web server would: prints how long."""

import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# What uses Django can only be loaded once it is set up.
from django.utils import timezone  # noqa: E402

from scoring.hands import recording  # noqa: E402
from scoring.hands.submission import HandSubmission  # noqa: E402
from scoring.models import Game, Webhook  # noqa: E402
from scoring.models.states import read_state  # noqa: E402
from tests.scoring.club import chip_hand, make_game, make_rules, seat  # noqa: E402
from tests.scoring.club import make_club as club  # noqa: E402
from tournaments.core.ids import new_id  # noqa: E402


def begin(url: str) -> Game:
    """A game of a club that has a program listening."""
    home = club()
    game = make_game(home, make_rules(home, "bicycle", {"starting_chips": "100000"}))
    secret = "whsec_" + "A" * 43 + "="
    Webhook.objects.create(
        club=home, url=url, secret=secret, events=["hand.entered"], created_at=timezone.now()
    )
    return game


def main(url: str, hands: int, pause: float) -> None:
    game = begin(url)
    for number in range(1, hands + 1):
        state = read_state(Game.objects.get(pk=game.pk).state)
        text = chip_hand(state, (4, 4, 5, 0) if number % 2 else (13, 0, 0, 0))
        begun = time.monotonic()
        recording.enter_hand(
            game_id=game.pk,
            sent=HandSubmission(id=new_id(), number=number, text=text),
            by=seat(0),
            at=timezone.now(),
        )
        sys.stdout.write(f"{time.monotonic() - begun:.4f}\n")
        time.sleep(pause)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
