"""Catalogues of translations: collecting what is said, by Babel (docs/languages.md).

Only development needs this module; the service reads the .mo files, which are kept in git.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_javascript
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.functional import Promise
from django.utils.translation.template import templatize

import engine

_CONTEXT: Final = ((1, "c"), 2)
KEYWORDS: Final[Mapping[str, Any]] = {
    "Message": None,
    "PluralMessage": (1, 2),
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": _CONTEXT,
    "pgettext_lazy": _CONTEXT,
    "npgettext": ((1, "c"), 2, 3),
}
"""Calls whose literal arguments are collected: a context (c), a singular, a plural."""


def collect(root: Path) -> Catalog:
    """Everything that is to be translated, with the files in which it stands."""
    catalogue = Catalog()
    with (root / "babel.cfg").open(encoding="utf-8") as file:
        # Babel gives no types for this function.
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    found = extract_from_dir(root, methods, options, KEYWORDS)
    for place, _line, message, _comments, context in found:
        catalogue.add(message, locations=[(place, 0)], context=context)
    for model in apps.get_models():
        if (root / model.__module__.partition(".")[0]).is_dir():
            _add_states(model, catalogue)
    return catalogue


def _add_states(model: Any, catalogue: Catalog) -> None:
    """Add the names of the states that rows of a model can be in, unless its module marks them."""
    for field in model._meta.get_fields():
        for _value, label in getattr(field, "choices", None) or ():
            if not isinstance(label, Promise):
                catalogue.add(label, locations=[(model.__module__, 0)], context="state")


def extract_template(
    file: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[Any]:
    """Return the texts that a template of Django puts through gettext, as Babel asks for them."""
    source = templatize(file.read().decode())
    return extract_javascript(BytesIO(source.encode()), keywords, comment_tags, options)


def read_catalogue(path: Path) -> Catalog:
    """The translations of one language; none yet where there is no file."""
    if not path.exists():
        return Catalog(path.parent.parent.name, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, path.parent.parent.name)


def update_catalogue(catalogue: Catalog, collected: Catalog) -> Catalog:
    """A language's catalogue with what is said now; what nobody says any longer is dropped."""
    created = catalogue.creation_date
    catalogue.update(collected, no_fuzzy_matching=True)
    catalogue.creation_date = created
    return catalogue


def to_po(catalogue: Catalog) -> bytes:
    """The file for translators, the same for the same messages."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def library_path(language: str) -> Path:
    """The file of a language that the library carries."""
    return Path(engine.__file__).parent / "locale" / language / "LC_MESSAGES" / "painsuit.mo"


def library_part(catalogue: Catalog) -> Catalog:
    """A copy with the messages of the engine alone, as the library carries them."""
    part = deepcopy(catalogue)
    for message in catalogue:
        if message.id and not any(path.startswith("engine/") for path, _line in message.locations):
            part.delete(message.id, message.context)
    return part


def to_mo(catalogue: Catalog) -> bytes:
    """The file that programs read."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def untranslated_messages(catalogue: Catalog) -> list[str]:
    """The messages that lack a translation, or one of its plural forms."""
    return [
        str(message.id)
        for message in catalogue
        if message.id
        and not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]


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
        collected = collect(settings.BASE_DIR)
        is_stale, missing = False, 0
        codes = dict(settings.LANGUAGES).keys() - {settings.LANGUAGE_CODE}
        for language in sorted(codes):
            path = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po"
            catalogue = update_catalogue(read_catalogue(path), collected)
            missing += len(untranslated_messages(catalogue))
            files = {
                path: to_po(catalogue),
                path.with_suffix(".mo"): to_mo(catalogue),
                library_path(language): to_mo(library_part(catalogue)),
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
