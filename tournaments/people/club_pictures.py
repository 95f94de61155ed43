"""The picture of a club: checked, made anew from its pixels, and stored.

What is served is never what was uploaded: the pixels are decoded and encoded as WebP, so that
neither places and cameras (EXIF) nor anything hidden in the file comes to the page.
"""

import hashlib
import warnings
from datetime import datetime
from io import BytesIO
from typing import IO, TYPE_CHECKING, Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.models import Club, ClubPicture

if TYPE_CHECKING:
    from PIL import Image

BYTES_MAX: Final = 10 * 1024 * 1024
PIXELS_MAX: Final = 40_000_000
"""Of what is uploaded; a phone's camera makes 12 to 50 million, and sends fewer."""
_SIDE_LEAST: Final = 200
_SIZE_MAX: Final = (1200, 800)
_QUALITY: Final = 78
_FORMATS: Final = ("JPEG", "PNG", "WEBP")


def read_picture(file: IO[bytes], size: int) -> "Image.Image":
    """Read an uploaded picture of ``size`` bytes, upright and no larger than a page shows.

    Raises RefusedError for other formats, damaged files, and pictures that are too large or small.
    """
    # 1 MB, for the few who upload a picture.
    from PIL import Image, ImageOps  # noqa: PLC0415

    if size > BYTES_MAX:
        raise RefusedError(
            Message("The picture has more than {mib} MiB.", mib=BYTES_MAX // 1024 // 1024), "file"
        )
    unreadable = Message("This is no picture that we can read; save it as JPEG, PNG or WebP.")
    try:
        with warnings.catch_warnings():
            # We compare the size ourselves before any pixel is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(file, formats=_FORMATS)
            width, height = picture.size
            if width * height > PIXELS_MAX:
                raise RefusedError(
                    Message(
                        "The picture has {width} x {height} pixels; make it smaller first.",
                        width=width,
                        height=height,
                    ),
                    "file",
                )
            # A JPEG is decoded at a fraction of its size where that is enough.
            picture.draft("RGB", (_SIZE_MAX[0] * 2, _SIZE_MAX[1] * 2))
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise RefusedError(unreadable, "file") from error
    if min(width, height) < _SIDE_LEAST:
        raise RefusedError(
            Message("The picture needs at least {n} pixels on each side.", n=_SIDE_LEAST), "file"
        )
    upright.thumbnail(_SIZE_MAX)
    return upright


@transaction.atomic
def change_picture(
    *, club_id: UUID, picture: "Image.Image", by: Actor, at: datetime
) -> ClubPicture:
    """Let a club have this picture, in place of the one before."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    from PIL import Image  # noqa: PLC0415 (as above)

    made = BytesIO()
    # A new image has the pixels alone.
    clean = Image.new("RGB", picture.size)
    clean.paste(picture)
    clean.save(made, "WEBP", quality=_QUALITY, method=4)
    image = made.getvalue()
    found, _created = ClubPicture.objects.update_or_create(
        club=club,
        defaults={
            "image": image,
            "width": clean.width,
            "height": clean.height,
            "digest": hashlib.sha256(image).hexdigest(),
            "changed_at": at,
        },
    )
    _note(club, Message("picture of the club changed"), by, at, digest=found.digest)
    return found


@transaction.atomic
def remove_picture(*, club_id: UUID, by: Actor, at: datetime) -> None:
    """Let a club have no picture any more; nothing happens where it has none."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    removed, _by_model = ClubPicture.objects.filter(club=club).delete()
    if removed:
        _note(club, Message("picture of the club removed"), by, at)


def _note(club: Club, what: Message, by: Actor, at: datetime, **details: str) -> None:
    record = AuditRecord(what, details=details)
    audit.note(record, chain=club.pk, club=club.pk, by=by, at=at)
