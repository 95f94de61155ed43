from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import translations


class Command(BaseCommand):
    """Collect what is said into the catalogues, and compile what is translated."""

    help = (
        "Collect what pages, the engine and the services say into locale/*/LC_MESSAGES/django.po,"
        " keep what is translated, drop what nobody says any longer, and compile it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if something would change"
        )

    def handle(self, **options: Any) -> None:
        collected = translations.collect(settings.BASE_DIR)
        is_stale, missing = False, 0
        codes = dict(settings.LANGUAGES).keys() - {settings.LANGUAGE_CODE}
        for language in sorted(codes):
            path = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po"
            catalogue = translations.update_catalogue(translations.read_catalogue(path), collected)
            missing += len(translations.untranslated_messages(catalogue))
            files = {
                path: translations.to_po(catalogue),
                path.with_suffix(".mo"): translations.to_mo(catalogue),
                translations.library_path(language): translations.to_mo(
                    translations.library_part(catalogue)
                ),
            }
            for file, content in files.items():
                if file.exists() and file.read_bytes() == content:
                    continue
                is_stale = True
                self.stdout.write(f"{'stale' if options['check'] else 'written'}: {file}")
                if not options["check"]:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(content)
        self.stdout.write(f"{missing} to be translated")
        if options["check"] and (is_stale or missing):
            raise CommandError("Run manage.py messages, and translate what is new.")
