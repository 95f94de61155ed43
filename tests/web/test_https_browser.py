"""The pages under a name that is not localhost, without TLS and with a certificate of our own.

Browsers keep pages of localhost even without TLS; of a club's address they do not.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.api.desk import Night
from tests.browsers import browser_path
from tests.config.serving import Serve, free_port, read_until, serve
from tests.web.conftest import DESK, PATIENCE
from tests.web.phones import Pockets, tokens
from tests.web.test_phone_offline import FIRST, SECOND, check, told

__all__ = ["serve"]

pytestmark = pytest.mark.browser
HOST = "club.example"
NAMES = "Ada Adler, Ann Archer\nCohen; Carl\nAnn Archer"
Start = Callable[..., Browser]


@pytest.fixture
def browse(chromium: Browser) -> Iterator[Start]:
    """Browsers that find the club's name on this machine."""
    running: list[Browser] = []

    def start(*options: str) -> Browser:
        rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
        browser = chromium.browser_type.launch(
            executable_path=browser_path(),
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", rules, *options],
            timeout=60_000,
        )
        running.append(browser)
        return browser

    yield start
    for browser in running:
        browser.close()


@pytest.mark.django_db(transaction=True)
def test_without_tls_the_page_says_so_and_an_open_one_survives_the_network(
    browse: Start, live_server: LiveServer, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, HOST]
    night = Night()
    pockets = Pockets(browse(), f"http://{HOST}:{urlsplit(live_server.url).port}")
    phone = pockets.phone()
    phone.page.goto("/")
    phone.sees("without https a browser cannot open it again")
    assert phone.page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    (token,) = tokens(night, "S")
    phone.scan(token).sees("Who bid highest?")
    phone.context.set_offline(True)
    told(phone, FIRST, 1).sees("Waiting: 1", "Who bid highest?")
    phone.tap(*SECOND[:2])
    phone.context.set_offline(False)
    phone.sent_all()
    # What was being told is kept as well, and the page can be loaded again with a network.
    phone.page.goto("/t/")
    told(phone, SECOND[2:], 2)
    phone.sent_all().told(2)
    pockets.close()
    check(night, 2)


@pytest.mark.slow
def test_with_a_certificate_of_our_own_the_first_run_ends_in_a_page_that_opens_without_a_network(
    browse: Start, serve: Serve, tmp_path: Path
) -> None:
    port = str(free_port())
    process = serve("--https", "--port", port, hosts=f"{HOST},127.0.0.1")
    said = read_until("manage.py demo", process)
    code = re.findall(r"https://127\.0\.0\.1:\d+/desk/set-up/(#\S+)", said)[0]
    pem = (tmp_path / "data" / "tls" / "authority.pem").read_bytes()
    browser = browse(f"--ignore-certificate-errors-spki-list={spki_digest(pem)}")
    context = browser.new_context(base_url=f"https://{HOST}:{port}", viewport=DESK)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    page.goto("/")
    page.get_by_role("link", name="Set up your club").click()
    expect(page.get_by_label("Code")).to_be_visible()
    page.goto(f"/desk/set-up/{code}")
    expect(page.get_by_label("Code")).to_have_value(code.removeprefix("#"))
    expect(page.get_by_text("12 characters or more")).to_be_visible()
    page.get_by_label("Name of the club").fill("Tuesday Hearts Club")
    page.get_by_label("Your name").fill("Pat Reed")
    page.get_by_label("Email address").fill("pat@example.org")
    page.get_by_label("Password").fill("four queens in the kitty")
    page.get_by_role("button", name="Go on").click()
    expect(page).to_have_url(re.compile("/first-night/$"))

    page.get_by_role("textbox", name="Who is here tonight?").fill(NAMES)
    expect(page.get_by_role("status")).to_contain_text("4 names read")
    expect(page.get_by_text("1 question")).to_be_visible()
    page.get_by_label("Two people").check()
    expect(page.get_by_text("1 question")).to_be_hidden()
    expect(page.locator("#plan")).to_contain_text("1 table of 4")
    page.get_by_role("button", name="Start round 1").click()
    expect(page).to_have_url(re.compile("/codes/$"))
    expect(page.get_by_role("link", name="How it is trusted")).to_be_visible()
    code_of_table = page.locator("a[href*='/t/']").first.get_attribute("href")
    assert code_of_table is not None

    phone = context.new_page()
    phone.goto(code_of_table)
    expect(phone.locator("body")).to_contain_text("Ann Archer")
    assert phone.evaluate("isSecureContext")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    phone.close()
    phone = context.new_page()
    phone.goto("/t/")
    expect(phone.locator("body")).to_contain_text("Ann Archer")


def spki_digest(pem: bytes) -> str:
    """By this a browser takes what the authority signs, as if somebody had trusted it."""
    key = x509.load_pem_x509_certificate(pem).public_key()
    data = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(hashlib.sha256(data).digest()).decode()
