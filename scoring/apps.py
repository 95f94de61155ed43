from django.apps import AppConfig


class Scoring(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Let nobody who sat in two seats at once be merged into one player."""
        from scoring.credit import both_sat  # noqa: PLC0415 (models are there only now)
        from tournaments import members  # noqa: PLC0415

        if both_sat not in members.doubts:
            members.doubts.append(both_sat)
