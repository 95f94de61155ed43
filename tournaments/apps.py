from django.apps import AppConfig


class Tournaments(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Say what erasing a person means for jobs, which know the use cases."""
        from tournaments.jobs import erase_person  # noqa: PLC0415
        from tournaments.people.erasure import erasers  # noqa: PLC0415 (models are there only now)

        if erase_person not in erasers:
            erasers.append(erase_person)
