"""The second step of signing in, in a real browser: an app, a passkey, recovery codes."""

import base64
import re
import time
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.core.mail import EmailMessage
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.jobs.kinds import WORK
from tests.scoring.club import make_club, make_players
from tests.web.conftest import Open
from tests.web.desk import make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.people.result_consent import stop_token

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def code_of(page: Page) -> str:
    """The code that an app shows for the secret on the page."""
    page.get_by_text("It cannot be scanned").click()
    secret = page.locator("pre").inner_text().replace(" ", "")
    return TOTP(base64.b32decode(secret), 6, SHA1(), 30).generate(int(time.time())).decode()  # noqa: S303


def by_name(page: Page) -> None:
    """Go on under the name localhost, as passkeys are for names alone."""
    page.goto(page.url.replace("127.0.0.1", "localhost"))


def add_authenticator(page: Page) -> None:
    """Give the browser a device that makes passkeys."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_somebody_sets_an_app_up_and_signs_in_with_a_recovery_code(visit: Open) -> None:
    make_account(password=PASSWORD)
    page = sign_in(visit)
    page.get_by_role("link", name="Nora Adams").click()
    look(page, "account")
    page.get_by_role("link", name="A code from an app").click()
    look(page, "second-step-app")
    page.get_by_label("The code that the app shows").fill(code_of(page))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    look(page, "recovery-codes")
    recovery = page.locator(".recovery-codes li").first.inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert recovery in download.value.path().read_text()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.get_by_role("link", name="I have saved them").click()
    look(page, "account-with-second-step")
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.goto("/desk/")
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    look(page, "sign-in-code")
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="My clubs")).to_be_visible()
    page.goto("/desk/account/codes/")
    look(page, "second-step-codes")
    page.goto("/desk/account/")
    page.get_by_role("link", name="Remove").click()
    look(page, "second-step-off")


def test_somebody_sets_a_passkey_up_and_signs_in_with_it(visit: Open) -> None:
    make_account(password=PASSWORD)
    page = visit("/desk/")
    by_name(page)
    add_authenticator(page)
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Nora Adams").click()
    page.get_by_role("link", name="A passkey").click()
    look(page, "second-step-passkey")
    page.get_by_label("Name of this device").fill("My laptop")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Make a passkey").click()
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_text("Passkey: My laptop")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_role("link", name="Desk").first.click()
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="My clubs")).to_be_visible()


def test_a_browser_without_passkeys_says_so(visit: Open) -> None:
    make_account(password=PASSWORD)
    page = visit("/desk/")
    by_name(page)
    page.add_init_script("delete window.PublicKeyCredential")
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Nora Adams").click()
    page.get_by_role("link", name="A passkey").click()
    expect(page.get_by_text("This browser does not support passkeys.")).to_be_visible()
    expect(page.get_by_role("button", name="Make a passkey")).to_be_hidden()


def test_somebody_who_forgot_their_password_is_sent_a_link(
    visit: Open, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    make_account(password=PASSWORD)
    page = visit("/desk/")
    page.get_by_role("link", name="Forgotten your password?").click()
    look(page, "forgotten")
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_text("a link is on its way")).to_be_visible()
    ((name, _since),) = WORK["password link"].due(timezone.now(), 10)
    WORK["password link"].run(name, timezone.now)
    path = re.search(r"/desk/forgotten/\w+/", str(mailoutbox[0].body))
    assert path is not None
    page.goto(path[0])
    look(page, "choose-password")
    page.get_by_label("New password").fill("a new pack of cards")
    page.get_by_role("button", name="Change it").click()
    expect(page.get_by_text("Sign in with the new one.")).to_be_visible()
    page.goto(f"/my/no-results/{stop_token(make_players(make_club(), 1)[0].pk)}")
    look(page, "no-results")
