"""What the database refuses of games, hands and books, whoever asks (reliability.md I2, I9)."""

from typing import Final

from tournaments.migrations._triggers import (
    Beside,
    Guard,
    append_only,
    differs,
    erasable,
    replaced,
)

_ACCOUNTS: Final = (
    Beside("a", "scoring_ledgeraccount", "payer_id"),
    Beside("b", "scoring_ledgeraccount", "payee_id"),
)

FIRST: Final = (
    *append_only("scoring_handversion", ("hand_id", "number")),
    *append_only("scoring_word"),
    *append_only("scoring_decided", ("hand_id", "number"), ("supersedes_id",)),
    *append_only("scoring_appeal"),
    *append_only("scoring_transfer", ("reverses_id",)),
    Guard(
        "a_transfer_stays_in_its_club_and_unit",
        "scoring_transfer",
        "INSERT",
        "a.id IS NULL OR b.id IS NULL OR a.unit <> b.unit OR a.club_id <> b.club_id",
        beside=_ACCOUNTS,
    ),
    Guard(
        "a_transfer_is_reversed_by_its_opposite",
        "scoring_transfer",
        "INSERT",
        "NEW.reverses_id IS NOT NULL AND (t.id IS NULL OR t.reverses_id IS NOT NULL"
        " OR t.payer_id <> NEW.payee_id OR t.payee_id <> NEW.payer_id OR t.amount <> NEW.amount)",
        beside=(Beside("t", "scoring_transfer", "reverses_id"),),
    ),
    Guard(
        "an_account_keeps_its_club_and_unit",
        "scoring_ledgeraccount",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.unit <> NEW.unit OR OLD.club_id <> NEW.club_id",
    ),
    Guard(
        "a_hand_keeps_its_place",
        "scoring_hand",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.game_id <> NEW.game_id OR OLD.number <> NEW.number",
    ),
    Guard("a_hand_is_never_removed", "scoring_hand", "DELETE"),
    replaced("scoring_hand"),
    Guard(
        "the_rules_of_a_game_are_frozen",
        "scoring_game",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.club_id <> NEW.club_id OR OLD.players <> NEW.players"
        " OR (OLD.frozen_at IS NOT NULL AND (OLD.rules <> NEW.rules OR OLD.digest <> NEW.digest"
        " OR OLD.start <> NEW.start OR NEW.frozen_at IS NULL))",
    ),
)
"""Those that were there from the start."""

_IN_ANOTHER_GAME: Final = (
    "(a.game_id IS NOT NULL AND (NEW.game_id IS NULL OR a.game_id <> NEW.game_id))"
    " OR (b.game_id IS NOT NULL AND (NEW.game_id IS NULL OR b.game_id <> NEW.game_id))"
    " OR (NEW.game_id IS NOT NULL AND (g.id IS NULL OR g.club_id <> a.club_id))"
)
_OF_ANOTHER_HAND: Final = (
    "NEW.hand_id IS NOT NULL AND (h.id IS NULL OR NEW.game_id IS NULL OR h.game_id <> NEW.game_id)"
)

EARLIER: Final = (
    *FIRST,
    Guard(
        "a_transfer_stays_in_its_game",
        "scoring_transfer",
        "INSERT",
        _IN_ANOTHER_GAME,
        beside=(*_ACCOUNTS, Beside("g", "scoring_game", "game_id")),
    ),
    # A guard of its own: a game has few pairs of accounts, but many hands.
    Guard(
        "a_transfer_stays_in_its_game_with_its_hand",
        "scoring_transfer",
        "INSERT",
        _OF_ANOTHER_HAND,
        beside=(Beside("h", "scoring_hand", "hand_id"),),
    ),
    Guard(
        "an_account_keeps_its_holder",
        "scoring_ledgeraccount",
        "UPDATE",
        "OLD.holder <> NEW.holder"
        f" OR {differs('game_id')} OR {differs('seat')} OR {differs('player_id')}",
    ),
    Guard(
        "a_sealed_paper_stays_sealed",
        "scoring_sealedpaper",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.game_id <> NEW.game_id OR OLD.hand <> NEW.hand"
        " OR OLD.seat <> NEW.seat OR OLD.kind <> NEW.kind OR OLD.seal <> NEW.seal"
        " OR OLD.sealed_at <> NEW.sealed_at OR OLD.sealed_by <> NEW.sealed_by"
        " OR (OLD.opened_at IS NOT NULL AND (NEW.opened_at IS NULL"
        " OR OLD.value <> NEW.value OR OLD.salt <> NEW.salt OR OLD.opened_at <> NEW.opened_at))",
    ),
    Guard("a_sealed_paper_is_never_removed", "scoring_sealedpaper", "DELETE"),
    replaced("scoring_sealedpaper", ("game_id", "hand", "seat", "kind")),
    Guard("a_sitting_is_never_removed", "scoring_sitting", "DELETE"),
    replaced("scoring_sitting", ("game_id", "seat", "first")),
    Guard(
        "a_sitting_keeps_its_seat",
        "scoring_sitting",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.game_id <> NEW.game_id OR OLD.seat <> NEW.seat",
    ),
    Guard("an_account_is_never_removed", "scoring_ledgeraccount", "DELETE"),
    Guard(
        "accounts_are_never_emptied",
        "scoring_ledgeraccount",
        "TRUNCATE",
        vendors=("postgresql",),
    ),
    Guard("a_game_is_never_removed", "scoring_game", "DELETE"),
    replaced("scoring_game"),
    replaced("scoring_ledgeraccount"),
)
"""Those until names could be erased from texts.

SQLite renames no table of which a trigger speaks that another table has: a migration that makes
accounts, games, hands or transfers anew removes the guards first, and sets them after.
"""

ERASABLE: Final = (
    erasable(
        "scoring_handversion",
        ("text", "sent", "why"),
        ("hand_id", "number", "form", "digest", "by", "source", "seat", "restores", "at"),
        mark="erased_digest",
    ),
    erasable("scoring_word", ("why",), ("version_id", "agrees", "by", "source", "seat", "at")),
    erasable(
        "scoring_decided",
        ("facts", "law", "told_to"),
        (
            *("hand_id", "number", "ruling", "trick", "card", "called_by", "found", "withdrawn"),
            *("supersedes_id", "of_version", "restores", "record", "lets_stand_id", "before"),
            *("after", "by", "source", "at", "appeal_until"),
        ),
    ),
    erasable("scoring_appeal", ("text",), ("ruling_id", "step", "by", "at")),
    erasable(
        "scoring_transfer",
        ("note",),
        (
            *("game_id", "hand_id", "kind", "payer_id", "payee_id", "amount", "reverses_id"),
            *("by", "at"),
        ),
    ),
)
"""Tables to which rows are only added, but whose texts lose the name of an erased person."""

_ERASABLE_NAMES: Final = {guard.name for guard in ERASABLE}
BEFORE_LATE_WORDS: Final = (
    *(one for one in EARLIER if one.name not in _ERASABLE_NAMES),
    *ERASABLE,
)
"""Those until words could come after a game was closed."""

_LATE_WORDS: Final = erasable(
    "scoring_word",
    ("why",),
    ("version_id", "agrees", "by", "source", "seat", "at", "is_late"),
)
GUARDS: Final = (*(one for one in BEFORE_LATE_WORDS if one.name != _LATE_WORDS.name), _LATE_WORDS)
"""All."""
