"""The typeface, from our own files and light, and the one vocabulary of buttons."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from scoring.web.phone import files

pytestmark = pytest.mark.django_db

STATIC = Path(settings.BASE_DIR, "static")
LATIN_MAX = 45_000
"""Bytes of fonts that a page in Latin letters loads."""
FILE = re.compile(r"fonts/[\w-]+\.woff2")


def named_fonts(text: str) -> set[str]:
    return set(FILE.findall(text))


def test_a_page_in_latin_letters_loads_few_bytes_of_fonts(client: Client) -> None:
    asked = named_fonts(client.get("/").content.decode())
    assert asked == {name for name in files.FONTS if name.endswith(".woff2")}
    assert sum((STATIC / name).stat().st_size for name in asked) <= LATIN_MAX


def test_every_font_is_used_and_its_licence_lies_beside_it() -> None:
    style = (STATIC / "css/fonts.css").read_text(encoding="utf-8")
    there = {f"fonts/{path.name}" for path in (STATIC / "fonts").glob("*.woff2")}
    assert named_fonts(style) == there
    assert style.count("font-display: swap") == style.count("unicode-range") == len(there)
    for name in ("sans", "serif"):
        licence = (STATIC / f"fonts/OFL-{name}.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE" in licence


def test_fonts_come_from_nowhere_else(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "font-src" not in policy


def test_a_phone_asks_for_the_typeface_last(client: Client) -> None:
    page = client.get("/t/").content.decode()
    assert not named_fonts(page)
    assert re.findall(r'([\w-]+)="/static/css/fonts\.css"', page) == ["data-typeface"]


def test_buttons_are_go_alt_or_txt() -> None:
    retired = re.compile(r"(?<!-)\b(button|secondary|quiet|ghost|link)\b(?!-)")
    pages = Path(settings.BASE_DIR, "templates").rglob("*.html")
    tags = re.compile(r"<(?:a|button)\s[^>]*?class=\"([^\"]*)\"")
    found = {
        f"{path.name}: {classes}"
        for path in pages
        for classes in tags.findall(path.read_text(encoding="utf-8"))
        if retired.search(classes)
    }
    assert found == set()
