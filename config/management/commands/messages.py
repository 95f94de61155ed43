from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.catalogue import pages
from config.catalogue.gathering import gathered
from config.catalogue.messages import HEAD, compiled, read, written


class Command(BaseCommand):
    """Collect what is said into the catalogues, and compile what is translated."""

    help = (
        "Collect what pages, the engine and use cases say into locale/*/LC_MESSAGES/*.po, keep"
        " what is translated, drop what nobody says any longer, and compile it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if something would change"
        )

    def handle(self, **options: Any) -> None:
        stale, missing = [], 0
        for language, _name in settings.LANGUAGES:
            if language == settings.LANGUAGE_CODE:
                continue
            folder = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES"
            for path in [folder / "django.po"]:
                messages = gathered(pages.found(settings.BASE_DIR), read(path))
                missing += sum(
                    not one.is_translated for key, one in messages.items() if key != HEAD
                )
                files = {
                    path: written(messages).encode(),
                    path.with_suffix(".mo"): compiled(messages.values()),
                }
                stale += [one for one, text in files.items() if _differs(one, text)]
                if not options["check"]:
                    for one, text in files.items():
                        one.write_bytes(text)
        for one in stale:
            self.stdout.write(f"{'stale' if options['check'] else 'written'}: {one}")
        self.stdout.write(f"{missing} to be translated")
        if options["check"] and (stale or missing):
            raise CommandError("Run manage.py messages, and translate what is new.")


def _differs(path: Path, text: bytes) -> bool:
    return not path.exists() or path.read_bytes() != text
