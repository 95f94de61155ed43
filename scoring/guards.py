"""What the database refuses of games, hands and books, whoever asks (reliability.md I2, I9)."""

from typing import Final

from tournaments.guards import Guard, append_only, replaced

_ACCOUNTS: Final = "SELECT 1 FROM scoring_ledgeraccount a, scoring_ledgeraccount b"
_REVERSED: Final = "SELECT 1 FROM scoring_transfer t WHERE t.id = NEW.reverses_id"

GUARDS: Final = (
    *append_only("scoring_handversion", ("hand_id", "number")),
    *append_only("scoring_word"),
    *append_only("scoring_decided", ("hand_id", "number"), ("supersedes_id",)),
    *append_only("scoring_appeal"),
    *append_only("scoring_transfer", ("reverses_id",)),
    Guard(
        "a_transfer_stays_in_its_club_and_unit",
        "scoring_transfer",
        "INSERT",
        f"NOT EXISTS ({_ACCOUNTS} WHERE a.id = NEW.payer_id AND b.id = NEW.payee_id"
        " AND a.unit = b.unit AND a.club_id = b.club_id)",
    ),
    Guard(
        "a_transfer_is_reversed_by_its_opposite",
        "scoring_transfer",
        "INSERT",
        f"NEW.reverses_id IS NOT NULL AND NOT EXISTS ({_REVERSED} AND t.reverses_id IS NULL"
        " AND t.payer_id = NEW.payee_id AND t.payee_id = NEW.payer_id AND t.amount = NEW.amount)",
    ),
    Guard(
        "an_account_keeps_its_club_and_unit",
        "scoring_ledgeraccount",
        "UPDATE",
        "OLD.id <> NEW.id OR OLD.unit <> NEW.unit OR OLD.club_id <> NEW.club_id",
    ),
    Guard("an_account_is_never_removed", "scoring_ledgeraccount", "DELETE"),
    replaced("scoring_ledgeraccount"),
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
        " OR NEW.frozen_at IS NULL))",
    ),
)
