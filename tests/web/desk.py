"""Somebody at the desk, for tests: fills in forms as they stand on the page, and sends them."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from tests.scoring.club import START
from tournaments.models import Account, Club, Role


class Form:
    """A form of a page: where it goes, and what stands in its fields."""

    def __init__(self, action: str, method: str) -> None:
        self.action = action
        self.method = method
        self.values: dict[str, list[str]] = {}


class _Forms(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.forms: list[Form] = []
        self._select = ""
        self._chosen: str | None = None
        self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form":
            self.forms.append(Form(found.get("action") or self.path, found.get("method") or "get"))
        elif self.forms:
            self._field(tag, found, self.forms[-1].values)

    def _field(self, tag: str, found: dict[str, str | None], values: dict[str, list[str]]) -> None:
        name, value = found.get("name") or "", found.get("value") or ""
        is_box = found.get("type") in ("checkbox", "radio")
        if tag == "input" and name and (not is_box or "checked" in found):
            values.setdefault(name, []).append(value if "value" in found or not is_box else "on")
        elif tag == "select":
            self._select, self._chosen = name, None
        elif tag == "textarea":
            self._area = name
            values[name] = [""]
        elif tag == "option" and ("selected" in found or self._chosen is None):
            self._chosen = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            if self._chosen is not None:
                self.forms[-1].values.setdefault(self._select, []).append(self._chosen)
            self._select = ""
        elif tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].values[self._area][0] += data.removeprefix("\n")


def forms_in(response: Any, path: str) -> list[Form]:
    found = _Forms(path)
    found.feed(response.content.decode())
    return found.forms


class Director:
    """A browser without scripts: what a page has in its forms is what it sends."""

    def __init__(self, account: Account | None = None) -> None:
        self.client = Client(raise_request_exception=True)
        if account is not None:
            self.client.force_login(account)

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def forms(self, path: str) -> list[Form]:
        """The forms of a page that change something, in their order."""
        response = self.client.get(path)
        assert response.status_code == 200, (response.status_code, path)
        return [one for one in forms_in(response, path) if one.method == "post"]

    def form(self, path: str, action: str = "") -> Form:
        """The form of a page that goes to an address with these words in it."""
        forms = [one for one in self.forms(path) if (action or path) in one.action]
        assert forms, f"no form to {action} at {path}"
        return forms[0]

    def send(self, form: Form, **values: Any) -> Any:
        data: dict[str, Any] = {**form.values, **values}
        return self.client.post(form.action.split("#")[0], data)

    def fill(self, path: str, action: str = "", **values: Any) -> Any:
        """Open a page, change some fields of a form of it, send it."""
        return self.send(self.form(path, action), **values)


def make_account(name: str = "Nora Adams", password: str | None = None) -> Account:
    email = f"{name.lower().replace(' ', '.')}@example.org"
    return Account.objects.create_user(email=email, password=password, name=name, created_at=START)


def give_role(account: Account, club: Club, kind: str) -> Account:
    Role.objects.get_or_create(
        account=account, club=club, kind=kind, defaults={"created_at": START}
    )
    return account


def director_of(club: Club, kind: str = "director", name: str = "Nora Adams") -> Director:
    account = Account.objects.filter(name=name).first() or make_account(name)
    return Director(give_role(account, club, kind))
