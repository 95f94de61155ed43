"""The admin: operators see every row and no secret, change nothing; nobody else comes in."""

import re
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import Game, Hand, HandVersion
from scoring.models.transfer import Transfer
from tests.unguarded import unguarded
from tournaments.models import Account, AuditEntry, Club, Event, League, Result, Role, RoleKind

AT: Final = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
MODELS: Final = [
    model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()
]
# What a column may hold that a text made up from its name would not be.
VALUES: Final[dict[str, Any]] = {
    "table.adjourn_reason": "",
    "reply": "",
    "directorcall.reason": "other",
    "amount": "",
    "dealt": "",
    "holder": "fund",
    "lifted_by": "",
    "preset": "bicycle",
    "reason": "late",
    "scope": "event",
    "undone_by": "",
    "unit": "EUR",
    "what": "hand entered",
}
SECRETS: Final = {
    "account.password",
    "accountsession.session_data",
    "accountsession.session_key",
    "answeredrequest.answer",
    "answeredrequest.body",
    "answeredrequest.body_digest",
    "answeredrequest.headers",
    "answeredrequest.key",
    "apikey.digest",
    "auditentry.why_salt",
    "board.deal",
    "board.key",
    "dealsecret.secret",
    "doorcode.code",
    "eventreply.digest",
    "handdraft.answers",
    "handversion.sent",
    "handversion.text",
    "invitation.digest",
    "passwordlink.digest",
    "calendaraddress.digest",
    "playerdevice.digest",
    "playerphone.digest",
    "playersignincode.digest",
    "tablecode.digest",
    "tablecode.short_digest",
    "recoverycode.digest",
    "result.dealt",
    "secondfactor.secret",
    "sealedpaper.salt",
    "sealedpaper.seal",
    "sealedpaper.value",
    "seatlink.digest",
    "setupcode.digest",
    "sharedrecord.public_id",
    "sharedrecord.text",
    "slip.crop",
    "slippicture.original",
    "snapshot.data",
    "webhook.secret",
}
NO_SECRETS: Final = {
    "clubpicture.digest",
    "clubpicture.image",
    # Digests of rules, records and published tables, which everybody may know.
    "auditentry.digest",
    "auditentry.why_seal",
    "game.digest",
    "handanalysis.digest",
    "handversion.digest",
    "handversion.erased_digest",
    "import.file_digest",
    "importedobject.digest",
    "importedobject.key",
    "published.digest",
    "seatloss.digest",
    "slippicture.digest",
    "resultmail.asked_digest",
    "ruleset.digest",
    "snapshot.digest",
    "trail.digest",
}


def secret(model: type[models.Model], name: str) -> str:
    """A text that is found wherever this column is shown."""
    return f"unseen-{model._meta.model_name}-{name}"


class Maker:
    """Makes rows of any model, each with rows of its own to refer to."""

    def __init__(self) -> None:
        self.count = 0
        self.made: dict[type[models.Model], models.Model] = {}

    def make(self, model: type[models.Model]) -> models.Model:
        """Make one more row, and before it those that it must refer to."""
        self.count += 1
        values = {
            field.attname: self._value(model, field)
            for field in model._meta.concrete_fields
            if not isinstance(field, models.AutoField)
        }
        row = model(**values)
        row.save(force_insert=True)
        self.made.setdefault(model, row)
        return row

    def _value(self, model: type[models.Model], field: "models.Field[Any, Any]") -> Any:
        if isinstance(field, models.ForeignKey):
            wanted = field.related_model in (Club, Event) or not field.null
            return self.make(field.related_model).pk if wanted else None
        if isinstance(field, models.UUIDField):
            return UUID(int=self.count)
        if isinstance(field, models.DateTimeField | models.DateField):
            now = AT if isinstance(field, models.DateTimeField) else AT.date()
            return None if field.null else now
        if isinstance(field, models.BooleanField):
            return False
        if isinstance(field, models.IntegerField):
            return self._number(model, field)
        if isinstance(field, models.BinaryField):
            return secret(model, field.name).encode()
        if isinstance(field, models.JSONField):
            return {self._text(model, field): 1}
        return self._text(model, field)

    def _number(self, model: type[models.Model], field: "models.Field[Any, Any]") -> Any:
        if field.name in ("players", "size"):
            return 4
        if field.name in ("seat", "hands", "booked"):
            return None if field.null else 0
        return None if field.null else self.count

    def _text(self, model: type[models.Model], field: "models.Field[Any, Any]") -> str:
        label = f"{model._meta.model_name}.{field.name}"
        if label in SECRETS:
            return f"{self.count}-{secret(model, field.name)}"[: field.max_length]
        if label in VALUES or field.name in VALUES:
            return str(VALUES.get(label, VALUES.get(field.name)))
        if field.choices:
            return str(next(value for value, _label in field.choices))
        return f"{field.name[:3]}{self.count}"[: field.max_length]


@pytest.fixture
def operator(client: Client, db: None) -> Client:
    account = Account.objects.create_user(
        "operator@club.example", "correct horse", name="Op", created_at=AT, is_superuser=True
    )
    client.force_login(account)
    return client


def list_of(model: type[models.Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(row: models.Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def test_every_model_is_in_the_admin_and_nothing_else() -> None:
    assert {*admin.site._registry} == {*MODELS}


def test_a_column_that_sounds_secret_is_named_as_one_or_as_none() -> None:
    found = {
        f"{model._meta.model_name}.{field.name}"
        for model in MODELS
        for field in model._meta.concrete_fields
        if isinstance(field, models.BinaryField)
        or re.search(r"secret|digest|salt|\bkey|token|password|seal$|public_id", field.name)
    }
    assert found - SECRETS - NO_SECRETS == set()


def test_nobody_but_an_operator_comes_in(client: Client, db: None) -> None:
    pages = [reverse("admin:index"), *map(list_of, MODELS)]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 302, page
        assert reverse("sign-in") in client.get(answer["Location"])["Location"]
    director = Account.objects.create_user("d@club.example", "x", name="D", created_at=AT)
    Role.objects.create(account=director, kind=RoleKind.FEDERATION, created_at=AT)
    client.force_login(director)
    for page in pages:
        assert client.get(page, follow=True).status_code == 403, page


def test_an_operator_signs_in_at_the_desk_and_comes_back(client: Client, db: None) -> None:
    Account.objects.create_user("o@club.example", "correct horse", name="O", created_at=AT)
    call_command("account", "o@club.example", "--admin", "on")
    answer = client.get(reverse("admin:index"), follow=True)
    page, _status = answer.redirect_chain[-1]
    form = {"email": "o@club.example", "password": "correct horse", "next": reverse("admin:index")}
    assert page.startswith(reverse("sign-in"))
    assert client.post(page, form)["Location"] == reverse("admin:index")
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse("admin:password_change"))["Location"] == reverse("desk-password")
    call_command("account", "o@club.example", "--admin", "off")
    assert client.get(reverse("admin:index"), follow=True).status_code == 403


def test_every_row_has_its_page_without_a_secret_and_lists_cost_the_same(operator: Client) -> None:
    maker, queries = Maker(), dict[type[models.Model], int]()
    with unguarded():
        for model in MODELS:
            maker.make(model)
        for model in MODELS:
            queries[model] = count_queries(operator, list_of(model))
        for model in MODELS:
            maker.make(model)
            maker.make(model)
    for model in MODELS:
        shown = operator.get(list_of(model)).content.decode()
        assert "unseen" not in shown, model
        assert count_queries(operator, list_of(model)) == queries[model], model
        answer = operator.get(page_of(maker.made[model]))
        assert answer.status_code == 200, model
        assert "unseen" not in answer.content.decode(), model
        assert 'name="_save"' not in answer.content.decode(), model


def count_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code == 200, address
    return len(found)


def test_every_search_finds(operator: Client) -> None:
    for model in MODELS:
        if admin.site._registry[model].search_fields:
            assert operator.get(list_of(model), {"q": "x"}).status_code == 200, model


def test_an_operator_changes_nothing(operator: Client) -> None:
    club = Club.objects.create(name="Leiden", created_at=AT)
    place = page_of(club)
    assert operator.get(list_of(Club) + "add/").status_code == 403
    assert operator.post(place, {"name": "Delft"}).status_code == 403
    assert operator.post(place + "delete/", {"post": "yes"}).status_code == 403
    action = {"action": "delete_selected", "_selected_action": club.pk, "post": "yes"}
    operator.post(list_of(Club), action)
    assert Club.objects.get().name == "Leiden"


def test_a_secret_is_not_told_letter_by_letter(operator: Client) -> None:
    page = list_of(Account)
    assert operator.get(page, {"password__startswith": "a"}).status_code == 400
    assert operator.get(page, {"email__startswith": "a"}).status_code == 200
    ordered = operator.get(list_of(Role), {"account__password__startswith": "a"})
    assert ordered.status_code == 400


def test_links_lead_from_a_club_to_its_events_and_from_a_hand_to_its_books(
    operator: Client,
) -> None:
    with unguarded():
        hand = Maker().make(Hand)
    assert isinstance(hand, Hand)
    expected = {
        hand.game.club: [
            f"{list_of(Event)}?club__exact={hand.game.club_id}",
            f"{list_of(League)}?club__exact={hand.game.club_id}",
            f"{list_of(Game)}?club__exact={hand.game.club_id}",
            f"{list_of(AuditEntry)}?club_id__exact={hand.game.club_id}",
        ],
        hand.game: [
            f"{list_of(Hand)}?game__exact={hand.game_id}",
            f"{list_of(Result)}?game__exact={hand.game_id}",
            f"{list_of(AuditEntry)}?chain__exact={hand.game_id}",
        ],
        hand: [
            f"{list_of(HandVersion)}?hand__exact={hand.pk}",
            f"{list_of(Transfer)}?hand__exact={hand.pk}",
            f"{list_of(AuditEntry)}?chain__exact={hand.game_id}&q={hand.pk}",
        ],
    }
    for row, addresses in expected.items():
        shown = operator.get(page_of(row)).content.decode().replace("&amp;", "&")
        assert {*addresses} <= {*re.findall('<a href="([^"]*)"', shown)}
        for address in addresses:
            assert operator.get(address).status_code == 200, address
