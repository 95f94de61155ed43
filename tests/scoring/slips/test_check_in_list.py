"""The check-in list on paper: whoever is marked on a picture of it is known again."""

import re
from collections.abc import Collection
from io import BytesIO

import pypdfium2
import pytest
from PIL import ImageDraw

from scoring.handouts.lists import print_check_in_list
from scoring.handouts.properties import SheetOrder
from scoring.slips import check_in as check_in_pictures
from scoring.slips.check_in import list_pages, read_list
from scoring.slips.layout import LIST_MAX, lay_out_list
from tests.scoring.club import at, make_club, make_players
from tests.tournaments.night import check_in, make_event
from tests.tournaments.printing.paper import badly_placed, keep_pictures
from tests.web.desk import director_of
from tournaments.core.errors import RefusedError
from tournaments.models import Event
from tournaments.tables.press import PaperSize

pytestmark = pytest.mark.django_db
DPI = 150


def photograph(event: Event, marked: Collection[str], paper: PaperSize = PaperSize.A4) -> bytes:
    """The scanned list, with a cross before each of some names."""
    data = print_check_in_list(event, SheetOrder(at=at(), paper=paper))
    result, scans = BytesIO(), []
    with pypdfium2.PdfDocument(data) as document:
        for page, listed in zip(document, list_pages(event), strict=True):
            scan = page.render(scale=DPI / 72).to_pil().convert("L")
            pencil, layout = ImageDraw.Draw(scan), lay_out_list(len(listed.arrivals))
            millimetre = DPI / 25.4
            left = scan.width / 2 - layout.width / 2 * millimetre
            top = scan.height / 2 - layout.height / 2 * millimetre
            for row, arrival in zip(layout.rows, listed.arrivals, strict=True):
                if arrival.name in marked:
                    x = left + row.circles[0].x * millimetre
                    y = top + row.circles[0].y * millimetre
                    pencil.line((x - 9, y - 9, x + 9, y + 9), fill=70, width=3)
                    pencil.line((x - 9, y + 9, x + 9, y - 9), fill=70, width=3)
            scans.append(scan)
    scans[0].save(result, "TIFF", save_all=True, append_images=scans[1:])
    return result.getvalue()


@pytest.mark.parametrize("paper", PaperSize)
def test_who_is_marked_is_here(paper: PaperSize) -> None:
    event = make_event()
    players = make_players(event.club, 40)
    found = read_list(event, photograph(event, {"Player 3", "Player 17", "Player 40"}, paper))
    assert found.marked == {players[2].pk, players[16].pk, players[39].pk}
    assert found.unsure == ()


def test_a_list_of_several_pages_is_read_whole() -> None:
    event = make_event()
    players = check_in(event, make_players(event.club, LIST_MAX + 5))
    names = {f"Player {number}" for number in range(1, LIST_MAX + 6, 2)}
    found = read_list(event, photograph(event, names))
    assert found.marked == {row.player_id for row in players[::2]}


def test_who_enters_later_changes_nothing_for_a_list_that_is_printed() -> None:
    event = make_event()
    players = make_players(event.club, 13)
    check_in(event, players[:12])
    scan = photograph(event, {"Player 5"})
    check_in(event, players[12:])
    assert len(list_pages(event)[0].arrivals) == 13
    assert read_list(event, scan).marked == {players[4].pk}


def test_a_list_whose_names_have_changed_is_refused() -> None:
    event = make_event()
    players = make_players(event.club, 5)
    scan = photograph(event, {"Player 1"})
    players[0].person.name = "Zoe"
    players[0].person.save()
    with pytest.raises(RefusedError, match="Names have changed since this list was printed"):
        read_list(event, scan)


def test_the_list_of_another_night_is_refused() -> None:
    club = make_club()
    make_players(club, 5)
    scan = photograph(make_event(club), {"Player 1"})
    with pytest.raises(RefusedError, match="another night"):
        read_list(make_event(club), scan)


def test_more_pages_than_one_waits_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event()
    make_players(event.club, LIST_MAX + 5)
    scan = photograph(event, ())
    monkeypatch.setattr(check_in_pictures, "LIST_PAGES_MAX", 1)
    with pytest.raises(RefusedError, match="more than 1 pages"):
        read_list(event, scan)
    monkeypatch.setattr(check_in_pictures, "LIST_BYTES_MAX", 1000)
    with pytest.raises(RefusedError, match="A picture may have"):
        read_list(event, scan)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(RefusedError):
        read_list(make_event(), b"no picture")


@pytest.mark.parametrize("paper", PaperSize)
def test_a_full_page_has_room_for_long_names_and_fees(paper: PaperSize) -> None:
    event = make_event(entry_fee=123456)
    players = make_players(event.club, LIST_MAX)
    for player in players:
        player.person.name = f"Bartholomew Featherstonehaugh-Cholmondeley {player.number}"
        player.person.save()
    data = print_check_in_list(event, SheetOrder(at=at(), paper=paper))
    assert badly_placed(data, margin=12) == []
    keep_pictures(data, f"check-in-full-{paper}")


def test_a_list_on_which_everybody_or_nobody_is_marked_is_read() -> None:
    event = make_event()
    players = make_players(event.club, 30)
    everybody = {f"Player {number}" for number in range(1, 31)}
    assert read_list(event, photograph(event, everybody)).marked == {one.pk for one in players}
    nobody = read_list(event, photograph(event, ()))
    assert (nobody.marked, nobody.unsure) == (frozenset(), ())


def test_the_desk_ticks_those_who_are_marked_and_writes_nothing() -> None:
    event = make_event()
    players = make_players(event.club, 8)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    picture = BytesIO(photograph(event, {"Player 2", "Player 7"}))
    form = director.form(path, "picture")
    answer = director.client.post(form.action, {"key": form.values["key"][0], "picture": picture})
    page = answer.content.decode()
    assert "2 names are marked." in page
    ticked = re.findall(r'value="([^"]+)"\s+checked', page)
    assert set(ticked) >= {str(players[1].pk), str(players[6].pk)}
    assert str(players[0].pk) not in ticked
    assert not event.entries.exists()


def test_the_desk_says_why_a_picture_is_not_read() -> None:
    event = make_event()
    make_players(event.club, 4)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    form = director.form(path, "picture")
    answer = director.client.post(form.action, {"key": form.values["key"][0]})
    assert answer.status_code == 422
    assert "Choose a picture of the list." in answer.content.decode()
