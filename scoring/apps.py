from django.apps import AppConfig


class Scoring(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Register what merging, erasing, entering and undoing mean in games, and who is told."""
        # All of these import models, which Django has loaded only when it calls ready.
        from scoring.erasure import erase_person  # noqa: PLC0415
        from scoring.games.fees import charge_fees  # noqa: PLC0415
        from scoring.ledger.result_credit import both_sat  # noqa: PLC0415
        from scoring.models import Game  # noqa: PLC0415
        from scoring.transfer.importing import undo  # noqa: PLC0415
        from scoring.webhooks.subscriptions import (  # noqa: PLC0415
            enqueue_published_standings,
        )
        from tournaments.events import amendments, events  # noqa: PLC0415
        from tournaments.imports import blocked_finders, undoers  # noqa: PLC0415
        from tournaments.imports.undo import PlayerUndoer  # noqa: PLC0415
        from tournaments.people import members  # noqa: PLC0415
        from tournaments.people.erasure import erasers  # noqa: PLC0415

        if erase_person not in erasers:
            erasers.append(erase_person)
        if both_sat not in members.doubts:
            members.doubts.append(both_sat)
        if charge_fees not in events.charging:
            events.charging.append(charge_fees)
        if enqueue_published_standings not in amendments.callbacks:
            amendments.callbacks.append(enqueue_published_standings)
        undoers["scoring.game"] = undo.GameUndoer(Game)
        undoers[undo.TRANSFER] = undo.PaymentUndoer(self.get_model("Transfer"))
        for one in undo.FACT_UNDOERS:
            undoers[one.model._meta.label_lower] = one
        blocked_finders["scoring.entryfee"] = undo.find_blocked_by_fees
        blocked_finders["scoring.sitting"] = undo.find_blocked_by_sittings
        blocked_finders["scoring.ledgeraccount"] = undo.find_blocked_by_accounts
        PlayerUndoer.uses |= undo.USES_OF_PLAYERS
