"""A page of all pictures that the browser tests took, to be looked at: `make screens` makes it."""

import html
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

SCREENSHOTS: Final = Path(__file__).parents[2] / "build" / "screenshots"
LOOKS: Final = ("phone-light", "phone-dark", "desk-light", "desk-dark")


def subject(picture: Path) -> str:
    """What a picture shows, however it was looked at.

    >>> subject(Path("desk-money-phone-light.png")), subject(Path("print.png"))
    ('desk-money', 'print')
    """
    return next(
        (picture.stem.removesuffix(f"-{look}") for look in LOOKS if picture.stem.endswith(look)),
        picture.stem,
    )


def gallery(folder: Path) -> Iterator[str]:
    """The lines of a page of all pictures in a folder, those of one subject in a row."""
    yield '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Every page</title>'
    yield "<style>img{height:24rem;border:1px solid gray;margin:.25rem;vertical-align:top}</style>"
    pictures = sorted(folder.glob("*.png"), key=lambda one: (subject(one), one.name))
    for name, row in groupby(pictures, key=subject):
        yield f"<h2>{html.escape(name)}</h2>"
        for one in row:
            file, said = html.escape(one.name), html.escape(one.stem)
            yield f'<a href="{file}"><img src="{file}" alt="{said}" loading="lazy"></a>'
    yield "</html>"


def main() -> None:
    """Write the page beside the pictures, and say where it is."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page = SCREENSHOTS / "index.html"
    page.write_text("\n".join(gallery(SCREENSHOTS)), encoding="utf-8")
    many = sum(1 for _ in SCREENSHOTS.glob("*.png"))
    print(f"{many} pictures: {page}")  # noqa: T201 (a command)


if __name__ == "__main__":
    main()
