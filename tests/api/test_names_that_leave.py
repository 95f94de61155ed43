"""A name is a name wherever it goes: never markup, never a second value, never turned around."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import icalendar
import pytest
from defusedxml.ElementTree import fromstring

from tests.api.asking import Asking
from tests.web.window import Window, make_window, member_of, publish_all
from tournaments.models import Club, Event, League, Person, RuleSet
from tournaments.tables.cells import isolate_name, readable

pytestmark = pytest.mark.django_db
HOSTILE = 'Zoë <b>bold</b>, "Cup"; \\n \u202e & 1'
SHOWN = HOSTILE.replace("\u202e", "\N{REPLACEMENT CHARACTER}")
ATOM = "{http://www.w3.org/2005/Atom}"


class Reader(HTMLParser):
    """A feed reader that does not sanitise: its tags, and the text of each line."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def window(module_db: None) -> Window:
    found = make_window()
    Club.objects.update(name=HOSTILE, venue=HOSTILE, about=HOSTILE)
    Event.objects.update(name=HOSTILE)
    League.objects.update(name=HOSTILE)
    RuleSet.objects.update(name=HOSTILE)
    for number, person in enumerate(Person.objects.order_by("pk")):
        Person.objects.filter(pk=person.pk).update(name=f"{HOSTILE} {number}")
    publish_all()
    return found


@pytest.fixture
def member(window: Window) -> Asking:
    return Asking(member_of(window.club))


def got(asking: Asking, window: Window, name: str) -> Any:
    answer = asking.get(f"/api/v1/clubs/{window.club.pk}/{name}")
    assert answer.status_code == 200
    return answer


def test_a_feed_reader_sees_names_as_text_and_lines_as_lines(
    window: Window, member: Asking
) -> None:
    atom = fromstring(got(member, window, "feed.atom").content)
    items = got(member, window, "feed").json()["items"]
    assert atom.findtext(f"{ATOM}title") == SHOWN
    entries = atom.findall(f"{ATOM}entry")
    assert len(entries) == len(items) > 0
    for entry, item in zip(entries, items, strict=True):
        assert entry.findtext(f"{ATOM}title") == item["title"] == SHOWN
        summary = entry.find(f"{ATOM}summary")
        assert summary is not None
        assert summary.get("type") == "html"
        reader = Reader(summary.text or "")
        lines = item["content_text"].split("\n")
        assert set(reader.tags) == {"br"}
        assert len(reader.tags) == len(lines) - 1
        assert reader.text.replace("\n", "") == "".join(lines)
        assert any(f"{SHOWN} " in line for line in lines), "a winner"
        assert "\u202e" not in item["content_text"]


def test_a_calendar_has_one_name_and_one_place(window: Window, member: Asking) -> None:
    whole = got(member, window, "calendar").content
    lines = whole.replace(b"\r\n ", b"").decode().split("\r\n")
    (name,) = [line for line in lines if line.startswith("X-WR-CALNAME")]
    escaped = SHOWN.replace("\\", r"\\").replace(";", r"\;").replace(",", r"\,")
    assert name == f"X-WR-CALNAME:{escaped}"
    (calendar,) = icalendar.Calendar.from_ical(whole, multiple=True)
    for event in calendar.walk("VEVENT"):
        assert str(event["SUMMARY"]) == SHOWN
        assert str(event["LOCATION"]) == SHOWN
        assert SHOWN in str(event["DESCRIPTION"])
    assert "\u202e" not in whole.decode()


def pages(window: Window) -> Iterator[str]:
    yield from window.addresses.values()
    yield "/"


def test_no_page_and_no_file_takes_a_name_for_markup(window: Window, member: Asking) -> None:
    for path in pages(window):
        answer = member.client.get(path)
        if answer.status_code == 200:
            assert b"<b>bold" not in answer.content, path
    where = f"standings-file?event={window.event.pk}&format=html"
    page = got(member, window, where).getvalue().decode()
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    ("name", "isolated"),
    [
        ("Bo L.", "Bo L."),
        ("שלום (כהן) 12", "\u2068שלום (כהן) 12\u2069"),  # noqa: RUF001
        ("نادي \u2069القلوب", "\u2068نادي القلوب\u2069"),  # noqa: RUF001
    ],
)
def test_a_name_from_the_right_leaves_the_line_around_it_alone(name: str, isolated: str) -> None:
    assert isolate_name(name) == isolated
    assert readable(isolated) == isolated
