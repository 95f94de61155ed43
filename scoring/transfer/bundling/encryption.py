"""Encrypt unplayed deals in a bundle for the installation that wrote it.

Who may take a bundle away need not be a deal maker, and a file can be passed on. Another
installation cannot open what is sealed, and leaves those rows out: its boards are prepared again.
The same value is always sealed to the same bytes (AES-SIV), so equal clubs are equal bundles.
"""

import base64
import binascii
import hmac
import json
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings

from scoring.transfer.bundling.cells import line
from scoring.transfer.bundling.contents import BundleTable
from tournaments.models import Board, DealSecret, Result

_SECRET_FIELDS: Final[Mapping[type, tuple[str, ...]]] = {
    Board: ("deal", "key"),
    DealSecret: ("secret",),
}
_PURPOSE: Final = b"painsuit bundle: deals 1"


class SealedElsewhereError(Exception):
    """A value was sealed by another installation and cannot be read here."""


class Sealer:
    """Encrypts the deals of a club that no table has played yet."""

    def __init__(self, club: UUID) -> None:
        played = Result.objects.filter(game__club=club, board__isnull=False)
        pairs = played.values_list("game__event_id", "board").distinct()
        self._played = {(str(event), board) for event, board in pairs}

    def seal(self, content: BundleTable, cells: dict[str, Any]) -> None:
        """Replace the secret cells of a row by ``{"sealed": …}``."""
        if (cells.get("event_id"), cells.get("number")) in self._played:
            return
        for name in _SECRET_FIELDS.get(content.model, ()):
            if cells[name]:
                plain = line(cells[name])
                sealed = _cipher().encrypt(plain, [_place(content, cells, name)])
                cells[name] = {"sealed": base64.b64encode(sealed).decode()}


def open_cells(content: BundleTable, cells: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with its sealed cells opened.

    Raises SealedElsewhereError, and ValueError for a cell that is no sealed value.
    """
    found = dict(cells)
    for name in _SECRET_FIELDS.get(content.model, ()):
        cell = cells.get(name)
        if isinstance(cell, dict) and isinstance(cell.get("sealed"), str):
            opened = _decrypt(cell["sealed"], _place(content, cells, name))
            found[name] = json.loads(opened)[0]
    return found


def _decrypt(text: str, place: bytes) -> bytes:
    try:
        sealed = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("a sealed value that is no base64") from error
    try:
        return _cipher().decrypt(sealed, [place])
    except InvalidTag as error:
        raise SealedElsewhereError from error


def _place(content: BundleTable, cells: Mapping[str, Any], name: str) -> bytes:
    """What a sealed value belongs to, so that it cannot be moved to another row."""
    return line(content.name, cells.get("event_id"), cells.get("number"), name)


def _cipher() -> AESSIV:
    return AESSIV(hmac.digest(settings.SECRET_KEY.encode(), _PURPOSE, "sha512"))
