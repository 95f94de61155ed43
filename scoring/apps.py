from django.apps import AppConfig


class Scoring(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Register what merging, erasing and entering people means in games and books."""
        # All of these import models, which Django has loaded only when it calls ready.
        from scoring.erasure import erase_person  # noqa: PLC0415
        from scoring.games.fees import charge_fees  # noqa: PLC0415
        from scoring.ledger.result_credit import both_sat  # noqa: PLC0415
        from tournaments.events import events  # noqa: PLC0415
        from tournaments.people import members  # noqa: PLC0415
        from tournaments.people.erasure import erasers  # noqa: PLC0415

        if erase_person not in erasers:
            erasers.append(erase_person)
        if both_sat not in members.doubts:
            members.doubts.append(both_sat)
        if charge_fees not in events.charging:
            events.charging.append(charge_fees)
