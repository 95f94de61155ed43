"""The office of a club: members, house rules, roles, keys, the trail."""

import html
import re
from typing import Any
from uuid import uuid4

import pytest

from tests.scoring.club import (
    chip_hand,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    state_of,
)
from tests.tournaments.night import make_night
from tests.web.desk import Director, director_of, make_account
from tests.web.window import make_window
from tournaments.models import (
    ApiKey,
    AuditEntry,
    Club,
    Invitation,
    Person,
    Player,
    PlayerBar,
    Role,
    RuleSet,
)

pytestmark = pytest.mark.django_db
PASSWORD = "a shuffled pack of cards"  # nobody's


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.fixture
def office() -> tuple[Director, Club, str]:
    club = make_club()
    return director_of(club, "admin"), club, f"/desk/clubs/{club.pk}/"


def test_members_are_added_found_and_changed(office: Any) -> None:
    admin, _, path = office
    form = admin.form(path + "members/")
    for _ in range(2):
        admin.send(form, name="Zoë Grün", kind="member", email="zoe@example.org")
    player = Player.objects.get()
    assert "Zoë Grün" in words(admin.get(path + "members/?q=grun"))
    assert "Nobody was found." in words(admin.get(path + "members/?q=nobody"))
    assert admin.get(path + "members/?q=%00&kind=%00&from=9999999").status_code == 200
    assert admin.get(path + "trail/?what=%00&chain=%00&from=x").status_code == 200
    page = f"{path}members/{player.pk}/"
    stale = admin.form(page)
    admin.fill(page, name="Zoë Grün-Boom", phone="+31 71 000")
    late = admin.send(stale, name="Zoe")
    assert late.status_code == 422
    assert "Zoë Grün-Boom" in words(late)
    assert Person.objects.get().name == "Zoë Grün-Boom"
    admin.fill(page, left="on")
    assert "Zoë Grün-Boom" not in words(admin.get(path + "members/"))
    assert "Zoë Grün-Boom" in words(admin.get(path + "members/?left=1"))


def test_two_are_made_one_and_a_person_is_erased(office: Any) -> None:
    admin, club, path = office
    one, other = make_players(club, 2)
    admin.fill(f"{path}members/{other.pk}/", merge="1", into=str(one.pk))
    other.refresh_from_db()
    assert other.merged_into == one
    page = f"{path}members/{one.pk}/"
    assert admin.fill(page, erase="1").status_code == 422
    assert Person.objects.filter(player=one).exists()
    admin.fill(page, erase="1", sure="yes")
    assert not Person.objects.filter(player=one).exists()
    assert admin.get(page).status_code == 404


def bar(admin: Director, page: str, **typed: str) -> Any:
    """Send the form that bars a member; it is the last one of the page."""
    return admin.send(admin.forms(page)[-1], bar="1", **typed)


def test_a_member_is_barred_with_a_reason_that_directors_see(office: Any) -> None:
    admin, club, path = office
    (player,) = make_players(club, 1)
    page = f"{path}members/{player.pk}/"
    refused = bar(admin, page, reason="")
    assert refused.status_code == 422
    assert 'id="bar_reason_error"' in refused.content.decode()
    bar(admin, page, reason="Threw the cards", until="2099-12-31")
    shown = words(admin.get(page))
    assert "Player 1 is barred." in shown
    assert "Threw the cards" in shown
    assert "lift that bar first" in words(bar(admin, page, reason="Again"))
    assert PlayerBar.objects.count() == 1
    trail = words(admin.get(f"{path}trail/"))
    assert "Threw the cards" in trail
    assert "31 Dec 2099" in trail
    director = director_of(club, name="Dora Quist")
    assert "Threw the cards" in words(director.get(page))
    assert director_of(club, "player", name="Mia Blom").get(page).status_code == 403


def test_who_is_barred_is_not_checked_in_until_the_bar_is_lifted(office: Any) -> None:
    admin, club, path = office
    event = make_night(4, club=club)
    (player,) = make_players(club, 1)
    page, tonight = f"{path}members/{player.pk}/", f"/desk/events/{event.pk}/"
    bar(admin, page, reason="Threw the cards", until="2099-12-31")
    assert "Player 5 barred" in words(admin.get(tonight))
    for answer in (
        admin.fill(tonight, "check-in", player=[str(player.pk)]),
        admin.fill(tonight, "walk-in", name="Player 5"),
    ):
        assert answer.status_code == 422
        assert '"Player 5" is barred from this club until 2099-12-31.' in words(answer)
        assert "Threw the cards" not in words(answer)
    assert not event.entries.filter(player=player).exists()
    (made,) = PlayerBar.objects.all()
    admin.send(admin.forms(page)[1], lift=str(made.pk))
    assert "Player 5 may play again." in words(admin.get(page))
    admin.fill(tonight, "check-in", player=[str(player.pk)])
    assert event.entries.filter(player=player).exists()


def test_a_director_adds_members_and_erases_none(office: Any) -> None:
    _, club, path = office
    (player,) = make_players(club, 1)
    director = director_of(club, name="Ivo Boom")
    page = f"{path}members/{player.pk}/"
    assert "erase" not in director.get(page).content.decode()
    assert director.fill(page, erase="1", sure="yes").status_code == 403
    assert Person.objects.filter(player=player).exists()


def test_house_rules_differ_from_a_preset_and_say_so(office: Any) -> None:
    admin, _, path = office
    form = path + "rules/new/?preset=bicycle"
    assert "in the book: One chip" in words(admin.get(form))
    answer = admin.fill(form, "rules/new/", name="Friday", overrides_min_bid="2")
    row = RuleSet.objects.get()
    assert answer.headers["Location"] == f"{path}rules/{row.pk}/"
    assert (row.preset, row.overrides) == ("bicycle", {"min_bid": "2"})
    sheet = words(admin.get(answer.headers["Location"]))
    assert "What we play otherwise What is the lowest bid? 2 chips in the book: One chip" in sheet
    assert sheet.count("What is the lowest bid?") == 1, "what differs is said once, in front"
    assert sheet.index("2 chips") < sheet.index("Everything else, as in the book")
    change = f"{path}rules/{row.pk}/change/"
    assert admin.form(change).values["overrides_min_bid"] == ["2"]
    stale = admin.form(change)
    admin.fill(change, overrides_min_bid="3", keeps_jackpot="on")
    assert RuleSet.objects.get(version=2).overrides == {"min_bid": "3"}
    assert admin.send(stale, overrides_min_bid="4").status_code == 422
    newest = RuleSet.objects.get(version=2)
    admin.fill(f"{path}rules/{newest.pk}/")
    newest.refresh_from_db()
    assert newest.retired_at is not None


def test_one_press_on_a_preset_gives_the_club_its_rules(office: Any) -> None:
    admin, club, path = office

    def use(preset: str) -> str:
        forms = admin.forms(f"{path}rules/")
        card = next(form for form in forms if form.values.get("preset") == [preset])
        shown: str = admin.get(admin.send(card).headers["Location"]).content.decode()
        return shown

    assert "“Insurance Hearts” is there" in use("insurance")
    row = RuleSet.objects.get(club=club)
    assert (row.name, row.preset, row.overrides) == ("Insurance Hearts", "insurance", {})
    assert "You have it: Insurance Hearts" in words(admin.get(f"{path}rules/"))
    use("insurance")
    assert RuleSet.objects.filter(club=club, name="Insurance Hearts 2").exists()


def test_only_what_differs_from_the_book_stands_open(office: Any) -> None:
    admin, club, path = office
    row = make_rules(club, overrides={"bid_order": "ascending"})
    page = admin.get(f"{path}rules/{row.pk}/change/")
    _first, own = page.context["form"].open_groups
    assert [field.name for field in own.fields] == ["overrides_bid_order"]
    listed = words(admin.get(f"{path}rules/"))
    assert "with 1 difference" in listed
    assert "In which order are bids made? Each bid must be higher than the one before" in listed
    book = admin.form(f"{path}rules/{row.pk}/change/")
    admin.send(book, overrides_bid_order="open_first_wins")
    assert RuleSet.objects.get(version=2).overrides == {}


def test_cards_that_are_left_out_are_typed_and_shown_as_cards(office: Any) -> None:
    admin, _, path = office
    new = f"{path}rules/new/?preset=hoyle_auction"
    form = admin.form(new, "rules/new/")
    shown = [form.values[f"overrides_strip_{place}"] for place in range(4)]
    assert shown == [["2♣"], [""], ["2♦ 2♣"], ["2♠ 2♦ 3♣ 2♣"]]
    refused = admin.send(form, overrides_strip_0="2♣ joker")
    assert "is not a card" in words(refused)
    admin.send(form, name="Five", overrides_strip_2="2♦, 3♦")
    row = RuleSet.objects.get()
    assert row.overrides == {"strip": "3:C2,5:D32,6:S2D2C32"}
    page = words(admin.get(f"{path}rules/{row.pk}/"))
    assert "Which cards are left out of the pack? 3 players 2♣ 5 players 3♦ 2♦ 6" in page
    assert "in the book: 3 players 2♣ 5 players 2♣ 2♦ 6 players 2♠ 3♣ 2♣ 2♦" in page
    empty = {f"overrides_strip_{place}": "" for place in range(4)}
    admin.fill(f"{path}rules/{row.pk}/change/", **empty, overrides_players="4")
    assert RuleSet.objects.get(version=2).overrides == {"players": "4", "strip": "none"}


def test_a_pot_that_waits_is_one_of_the_things_that_differ(office: Any) -> None:
    admin, club, path = office
    row = make_rules(club)
    admin.fill(f"{path}rules/{row.pk}/change/", keeps_jackpot="on")
    newest = RuleSet.objects.get(version=2)
    page = words(admin.get(f"{path}rules/{newest.pk}/"))
    assert "with 1 difference" in page
    assert "It waits for the next game in the book: It is shared as the rules say" in page
    (own,) = admin.get(f"{path}rules/{newest.pk}/change/").context["form"].open_groups[1].fields
    assert own.name == "keeps_jackpot"


def test_a_number_is_asked_for_where_a_choice_has_one(office: Any) -> None:
    admin, _, path = office
    form = admin.form(f"{path}rules/new/?preset=bicycle", "rules/new/")
    refused = admin.send(form, overrides_length_0="hands:n")
    assert "How many?" in words(refused)
    assert "What we play otherwise" in words(refused)
    admin.send(form, name="Six hands", overrides_length_0="hands:n", overrides_length_1="6")
    row = RuleSet.objects.get()
    assert row.overrides == {"length": "hands:6"}
    shown = admin.form(f"{path}rules/{row.pk}/change/").values
    assert (shown["overrides_length_0"], shown["overrides_length_1"]) == (["hands:n"], ["6"])


def test_money_of_house_rules_is_typed_and_shown_as_money(office: Any) -> None:
    admin, _, path = office
    own = {"overrides_buy_in": "7,50", "overrides_currency": "EUR"}
    admin.fill(f"{path}rules/new/?preset=bicycle", "rules/new/", name="Ours", **own)
    row = RuleSet.objects.get()
    assert row.overrides == {"buy_in": "750", "currency": "EUR"}
    assert "What do the chips cost? 7.50 EUR" in words(admin.get(f"{path}rules/{row.pk}/"))
    change = f"{path}rules/{row.pk}/change/"
    assert admin.form(change).values["overrides_buy_in"] == ["7.50"]
    admin.fill(change)
    assert RuleSet.objects.get(version=2).overrides == row.overrides, "nothing was changed"


def test_house_rules_are_copied_under_another_name(office: Any) -> None:
    admin, club, path = office
    row = make_rules(club, overrides={"min_bid": "3"})
    form = admin.form(f"{path}rules/new/?copy={row.pk}", "rules/new/")
    assert form.values["name"] == [f"{row.name} 2"]
    admin.send(form)
    copy = RuleSet.objects.exclude(pk=row.pk).get()
    assert (copy.preset, copy.overrides) == (row.preset, row.overrides)


def test_a_switch_that_cannot_be_is_refused_at_its_field(office: Any) -> None:
    admin, _, path = office
    form = path + "rules/new/?preset=bicycle"
    answer = admin.fill(form, "rules/new/", name="Friday", overrides_min_bid="many")
    assert answer.status_code == 422
    assert 'id="id_overrides_min_bid_error"' in answer.content.decode()


def test_every_preset_has_a_form_that_says_all_its_switches(office: Any) -> None:
    admin, _, path = office
    for preset in ("bicycle", "hoyle", "hoyle-auction", "insurance", "sahara"):
        page = admin.get(f"{path}rules/new/?preset={preset}")
        assert page.status_code == 200
        answer = admin.fill(f"{path}rules/new/?preset={preset}", "rules/new/", name=preset)
        assert answer.status_code == 302, words(answer)
    assert all(row.overrides == {} for row in RuleSet.objects.all())


def test_roles_are_given_and_the_last_admin_stays(office: Any) -> None:
    admin, club, path = office
    make_account("Ivo Boom")
    form = admin.form(path + "roles/")
    given = admin.fill(path + "roles/", email="ivo.boom@example.org", kind="director", revoke=[])
    assert given.status_code == 302
    assert Role.objects.filter(club=club).count() == 2
    wrong = admin.fill(path + "roles/", email="nobody@example.org", kind="director", revoke=[])
    assert 'id="id_email_error"' in wrong.content.decode()
    own = Role.objects.get(club=club, kind="admin")
    kept = admin.send(form, revoke=str(own.pk))
    assert "A club needs an admin" in words(kept)
    director = director_of(club, name="Ivo Boom")
    assert director.get(path + "roles/").status_code == 403
    admin.fill(path + "roles/", revoke=str(Role.objects.get(kind="director").pk))
    assert Role.objects.filter(club=club).count() == 1


def test_a_key_is_shown_once_and_revoked(office: Any) -> None:
    admin, _, path = office
    page = path + "keys/"
    form = next(one for one in [admin.form(page)] if one)
    values = {"name": "Results", "kind": "player", "scopes": ["club.read"], "expires_at": ""}
    made = admin.send(form, **values)
    assert "psk_" in words(made)
    again = admin.send(form, **values)
    assert again.status_code == 302
    key = ApiKey.objects.get()
    assert "psk_" not in words(admin.get(page))
    wrong = admin.send(admin.form(page), **values | {"scopes": ["money.edit"]})
    assert "cannot have the scope" in words(wrong)
    admin.fill(page, revoke=str(key.pk))
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert admin.fill(page, revoke=str(uuid4())).status_code == 404


def test_the_trail_says_what_was_done_by_whom_and_that_it_is_whole(office: Any) -> None:
    admin, club, path = office
    game = make_game(club)
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    admin.fill(path + "members/", name="Zoë Grün", kind="member")
    assert "Zoë Grün is added." in words(admin.get(path + "members/"))
    trail = words(admin.get(path + "trail/"))
    assert "player added" in trail
    assert "Nora Adams" in trail
    assert "Zoë" not in AuditEntry.objects.get(what="player added").details
    only = words(admin.get(path + "trail/?what=player+added"))
    assert only.count("Details") == 1
    chain = words(admin.get(f"{path}trail/?chain={game.pk}"))
    assert "This chain is whole" in chain
    other = make_night(4)
    foreign = words(admin.get(f"{path}trail/?chain={other.pk}"))
    assert "There are no such entries." in foreign


def test_the_office_asks_for_its_rights(office: Any) -> None:
    _, club, path = office
    player = director_of(club, "player", "A Player")
    stranger = Director(make_account("Stranger"))
    for page in ("members/", "roles/", "keys/", "trail/", "rules/new/"):
        assert player.get(path + page).status_code == 403
        assert stranger.get(path + page).status_code == 404
    assert player.get(path + "rules/").status_code == 200
    assert stranger.get(path + "rules/").status_code == 404


def made_invitation(admin: Director, path: str, **values: str) -> str:
    """The path of a new invitation, as it stands on the page that shows it."""
    page = admin.fill(path + "invitations/", **{"kind": "director", "email": "", **values})
    found = re.search(r"/desk/invitation/[\w-]+/", page.content.decode())
    assert found, words(page)
    return found[0]


def test_an_invitation_is_shown_once_and_makes_an_account_with_its_role(office: Any) -> None:
    admin, _, path = office
    link = made_invitation(admin, path, email="Ivo@club.example")
    listed = words(admin.get(path + "invitations/"))
    assert "ivo@club.example" in listed
    assert link.rsplit("/", 2)[1] not in listed
    guest = Director()
    assert "Nora Adams invites you" in words(guest.get(link))
    poor = guest.fill(link, name="Ivo Boom", password=PASSWORD[:5])
    assert 'id="id_password_error"' in poor.content.decode()
    answer = guest.fill(link, name="Ivo Boom", password=PASSWORD, email="other@club.example")
    assert answer.headers["Location"] == path
    assert "Welcome" in words(guest.get(path))
    assert Role.objects.get(kind="director").account.email == "ivo@club.example"
    used = Director().get(link)
    assert (used.status_code, "has been used" in words(used)) == (410, True)
    assert "Nobody is invited." in words(admin.get(path + "invitations/"))


def test_whoever_comes_first_accepts_with_an_account_too(office: Any) -> None:
    admin, _, path = office
    link = made_invitation(admin, path)
    friend = make_account("Ivo Boom")
    answer = Director(friend).fill(link, link)
    assert answer.status_code == 302
    assert Role.objects.get(account=friend).kind == "director"
    assert Director(friend).client.post(link).status_code == 410
    addressed = made_invitation(admin, path, email="somebody@club.example")
    refused = Director(friend).client.post(addressed)
    assert (refused.status_code, "for another address" in words(refused)) == (422, True)
    assert "Sign out, and open it again" in words(Director(friend).get(addressed))


def test_a_player_who_accepts_comes_to_the_page_of_the_club(office: Any) -> None:
    admin, club, path = office
    link = made_invitation(admin, path, kind="player")
    answer = Director().fill(link, name="Ivo Boom", email="ivo@club.example", password=PASSWORD)
    assert answer.headers["Location"] == f"/c/{club.pk}/"


def test_an_invitation_is_withdrawn_and_opens_nothing(office: Any) -> None:
    admin, _, path = office
    link = made_invitation(admin, path)
    row = Invitation.objects.get()
    admin.fill(path + "invitations/", withdraw=str(row.pk))
    closed = Director().get(link)
    assert (closed.status_code, "no longer valid" in words(closed)) == (410, True)
    assert Director().client.post(link, {"name": "X"}).status_code == 410
    assert Director().get("/desk/invitation/nonsense/").status_code == 404
    assert Director().get("/desk/invitation/\u2660/").status_code == 404
    assert admin.fill(path + "invitations/", withdraw=str(uuid4())).status_code == 404
    other = director_of(make_club("Elsewhere"), "admin", "Another Admin")
    theirs = f"/desk/clubs/{Role.objects.get(account__name='Another Admin').club_id}/invitations/"
    assert other.fill(theirs, withdraw=str(row.pk)).status_code == 404


def test_an_admin_is_invited_by_his_address_and_only_by_admins(office: Any) -> None:
    admin, club, path = office
    refused = admin.fill(path + "invitations/", kind="admin", email="")
    assert 'id="id_email_error"' in refused.content.decode()
    known = admin.fill(path + "invitations/", kind="player", email="nora.adams@example.org")
    assert "give them the role" in words(known)
    director = director_of(club, "director", "A Director")
    assert director.get(path + "invitations/").status_code == 403
    assert not Invitation.objects.exists()


def test_house_rules_are_said_as_people_say_them(office: Any) -> None:
    admin, club, path = office
    overrides = {"overrides_starting_chips": "1", "overrides_correction_period": "48"}
    form = words(admin.get(f"{path}rules/new/?preset=bicycle"))
    assert "in the book: No card is left out" in form
    assert "in the book: 24 hours" in form
    admin.fill(f"{path}rules/new/?preset=bicycle", "rules/new/", name="Ours", **overrides)
    row = RuleSet.objects.get(club=club)
    assert row.overrides == {"starting_chips": "1", "correction_period": "PT48H"}
    sheet = words(admin.get(f"{path}rules/{row.pk}/"))
    assert "One chip" in sheet
    assert "48 hours" in sheet
    assert "no money is played for" in sheet


def test_the_desk_of_a_club_finds_people_nights_and_leagues() -> None:
    window = make_window()
    director = director_of(window.club)
    path = f"/desk/clubs/{window.club.pk}/"
    found = director.client.get(path, {"q": "zoe"}).content.decode()
    player = Player.objects.get(person__name="Zoë Grün")
    assert f'href="{path}members/{player.pk}/"' in found
    league = director.client.get(path, {"q": "WINTER"}).content.decode()
    assert f'href="/desk/leagues/{window.league.pk}/"' in league
    event = director.client.get(path, {"q": window.event.name}).content.decode()
    assert f'<a href="/desk/events/{window.event.pk}/">' in event[event.index('id="search"') :]
    nothing = director.client.get(path, {"q": "nobody at all"}).content.decode()
    assert "Nothing with that name was found." in nothing
