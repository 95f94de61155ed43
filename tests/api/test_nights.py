"""A night through the API alone: set up, checked in, seated, played by a phone, printed, closed."""

import io
from typing import Any

import pypdfium2
import pytest

from scoring.models import Game
from tests.api.asking import NOW, Asking, account_of, check_problem, role_of, signed_in
from tests.scoring.club import chip_hand, make_club, make_players, make_rules, state_of
from tests.tournaments.night import make_event
from tournaments.core.ids import new_id
from tournaments.models import Club, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def desk(club: Club) -> Asking:
    account = account_of("director@club.example")
    role_of(account, club, RoleKind.DIRECTOR)
    return signed_in(account)


def post(desk: Asking, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    answer = desk.post(path, {} if body is None else body, **headers)
    assert answer.status_code < 300, answer.content
    return answer.json()


def test_a_night_is_run_through_the_api(club: Club, desk: Asking) -> None:
    rules = make_rules(club)
    event = post(
        desk,
        f"/api/v1/clubs/{club.pk}/events",
        {
            "name": "Tuesday",
            "starts_at": NOW.isoformat(),
            "rule_set": str(rules.pk),
            "rounds": 1,
            "hands": 1,
        },
    )
    base = f"/api/v1/events/{event['id']}"
    for player in make_players(club, 8):
        post(desk, f"{base}/entries", {"player": str(player.pk)})
    proposal = desk.get(f"{base}/seatings").json()["items"]
    assert "0 repeat meetings (fewest possible: 0)." in proposal[0]["says"]
    drawn = post(desk, f"{base}/rounds")["items"]
    assert [len(table["seats"]) for table in drawn[0]["tables"]] == [4, 4]
    assert drawn[0]["tables"] == [
        {**table, "id": kept["id"]}
        for table, kept in zip(proposal[0]["tables"], drawn[0]["tables"], strict=True)
    ]
    post(desk, f"{base}/rounds/1/start")
    assert post(desk, f"{base}/rounds/1/take-back", {})["stage"] == "drawn"
    started = post(desk, f"{base}/rounds/1/start")
    for table, token in zip(started["tables"], started["tokens"].split("\n"), strict=True):
        phone = Asking(headers={"Authorization": f"Seat {token} N"})
        game = Game.objects.get(pk=table["game"])
        record = chip_hand(state_of(game), (13, 0, 0, 0)).decode()
        answer = phone.post(
            f"/api/v1/games/{game.pk}/hands", {"id": str(new_id()), "number": 1, "text": record}
        )
        assert answer.status_code == 201, answer.content
    cards = desk.get(f"{base}/handouts?kind=cards")
    assert cards.status_code == 200
    assert len(pypdfium2.PdfDocument(io.BytesIO(b"".join(cards.streaming_content)))) == 2
    for kind in ("seating", "movement", "slips"):
        paper = desk.get(f"{base}/handouts?kind={kind}&paper=letter")
        assert b"".join(paper.streaming_content).startswith(b"%PDF-")
    closed = post(desk, f"{base}/rounds/1/close", {})
    assert closed["stage"] == "closed"
    version = desk.get(base).json()["version"]
    done = desk.post(f"{base}/finish", None, If_Match=f'"{version}"')
    assert done.json()["status"] == "finished"


def test_what_is_asked_of_a_night_that_is_called_off_has_a_code_of_its_own(
    club: Club, desk: Asking
) -> None:
    event = make_event(club)
    base = f"/api/v1/events/{event.pk}"
    post(desk, f"{base}/cancel", {"why": "Snow."}, If_Match=f'"{event.version}"')
    player = make_players(club, 1)[0]
    for path, body in (
        ("entries", {"player": str(player.pk)}),
        ("rounds", {}),
        ("rounds/1/start", {}),
        ("door", None),
    ):
        found = check_problem(desk.post(f"{base}/{path}", body), "EVENT_CANCELLED")
        words = "This night is called off (“Snow.”). Let it take place again first."
        assert found["detail"] == words


def test_a_night_that_was_removed_is_not_there_for_whoever_removes_it_again(
    club: Club, desk: Asking
) -> None:
    event = make_event(club)
    path, headers = f"/api/v1/events/{event.pk}", {"If_Match": f'"{event.version}"'}
    removed = desk.delete(path, Idempotency_Key=str(new_id()), **headers)
    assert removed.status_code == 204, removed.content
    check_problem(desk.delete(path, **headers), "NOT_FOUND")
    check_problem(desk.get(path), "NOT_FOUND")


def test_rounds_without_a_repeat_are_told_where_rounds_are_chosen(club: Club, desk: Asking) -> None:
    body = {"name": "Tuesday", "starts_at": NOW.isoformat(), "rule_set": str(make_rules(club).pk)}
    event = post(desk, f"/api/v1/clubs/{club.pk}/events", body)
    path = f"/api/v1/events/{event['id']}/repeat-free-rounds"
    found = desk.get(f"{path}?players=20").json()
    assert (found["players"], found["rounds"], found["at_most"]) == (20, 5, 6)
    assert found["sentence"].startswith("You can play up to 5 rounds")
    nobody = desk.get(path)
    assert nobody.status_code == 422
