from argparse import ArgumentParser
from typing import Any

from engine.cli.inputs import TroubleError
from engine.cli.session import FINE, WRONG, rules_of
from engine.core.cards import show
from scoring.management.terminal.command import TerminalCommand
from tournaments.core.deals import KEY_BYTES, commitment_of, deal_board, split_deal


class Command(TerminalCommand):
    """Deal a board from its key, and check both against what was published."""

    help = (
        "Deal the board of a duplicate event from its key: a hand in each line, from the eldest"
        " hand round to the dealer. The exit status is 1 if the key is not the one that was"
        " committed to, or makes another deal than --deal."
    )
    usage = "KEY [--commitment FINGERPRINT] [--deal CARDS] [--rules RULES] [--players N]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", metavar="KEY", help="64 hexadecimal digits")
        parser.add_argument("--commitment", help="what was published before the first round")
        parser.add_argument("--deal", help="the hands of the board, with semicolons between")
        parser.add_argument("--rules", default="bicycle", help="a preset or RULES (bicycle)")
        parser.add_argument("--players", type=int, default=4, metavar="N", help="3 to 6 (4)")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        try:
            key = bytes.fromhex(options["key"])
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise TroubleError(f"a key has {2 * KEY_BYTES} hexadecimal digits")
        rules = rules_of(options["rules"])
        assert rules is not None
        players = options["players"]
        if not rules.players.least <= players <= rules.players.most:
            raise TroubleError(f"{players} cannot sit down by these rules")
        made = deal_board(rules, players, key)
        for held in split_deal(made):
            self.screen.line(show(held))
        commitment, deal = options["commitment"], options["deal"]
        checks = []
        if commitment is not None:
            is_right = commitment.strip().lower() == commitment_of(key)
            checks.append((is_right, f"the key {_is(is_right)} the one that was committed to"))
        if deal is not None:
            is_right = _is_same_deal(deal, made)
            checks.append((is_right, f"the deal {_is(is_right)} the one of this key"))
        for _, words in checks:
            self.screen.line(words)
        return FINE if all(is_right for is_right, _ in checks) else WRONG


def _is(right: bool) -> str:  # noqa: FBT001 - a word of a sentence
    return "is" if right else "is NOT"


def _is_same_deal(text: str, made: str) -> bool:
    try:
        return split_deal("; ".join(part.strip() for part in text.split(";"))) == split_deal(made)
    except ValueError as error:
        raise TroubleError(f"--deal: {error}") from error
