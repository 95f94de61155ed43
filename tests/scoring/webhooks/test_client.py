"""The client: hostile addresses, names that change their mind, and bad listeners."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address

import pytest

from scoring.webhooks.addresses import UrlError, is_public, parse_url
from scoring.webhooks.client import ANSWER_BYTES_MAX, NotSentError, WebhookClient
from tests.scoring.listener import HOST, PEM, Heard, client_to, listening

NEVER = [
    "",
    "hooks.club.example",
    "//hooks.club.example/",
    "http://hooks.club.example/",
    "ftp://hooks.club.example/",
    "file:///etc/passwd",
    "gopher://hooks.club.example:443/_GET",
    "javascript:alert(1)",
    "https:hooks.club.example/",
    "https:/hooks.club.example/",
    "https:///hooks.club.example/",
    "https:\\\\hooks.club.example/",
    "https://",
    "https://:443/",
    "https://.",
    "https://./",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://localhost.localdomain/",
    "https://anything.localhost/",
    "https://intranet/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.lan/",
    "https://hidden.onion/",
    "https://1.0.0.127.in-addr.arpa/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://93.184.215.14/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fd00:ec2::254]/",
    "https://[::",
    "https://hooks.club.example@127.0.0.1/",
    "https://user:password@hooks.club.example/",
    "https://@hooks.club.example/",
    "https://hooks.club.example%40127.0.0.1/",
    "https://hooks.club.example%2e/",
    "https://127.0.0.1#@hooks.club.example/",
    "https://hooks.club.example#part",
    "https://hooks.club.example\\@127.0.0.1/",
    "https://hooks.club.example/\r\nHost: other",
    "https://hooks.club.example/ HTTP/1.1",
    " https://hooks.club.example/",
    "https://hooks.club.example/\t",
    "https://hooks.club\x00.example/",
    "https://hooks..example/",
    "https://.hooks.club.example/",
    "https://-hooks.club.example/",
    "https://h\u00f6\u00f6ks.example/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://\u2460\u2461\u2466.0.0.1/",
    "https://club\u3002example/",
    "https://loc\u0430lhost.example/",
    "https://hooks.club.example:22/",
    "https://hooks.club.example:80/",
    "https://hooks.club.example:6379/",
    "https://hooks.club.example:0/",
    "https://hooks.club.example:65536/",
    "https://hooks.club.example:-1/",
    "https://hooks.club.example:/",
    "https://hooks.club.example:443:443/",
    "https://hooks.club.example:4\u0664\u0663/",
    "https://" + "a" * 64 + ".example/",
    "https://hooks.club.example/" + "a" * 500,
]


def test_an_address_that_could_be_of_our_house_or_mean_two_things_is_refused(
    subtests: pytest.Subtests,
) -> None:
    for url in NEVER:
        with subtests.test(url=url), pytest.raises(UrlError):
            parse_url(url)


@pytest.mark.parametrize(
    ("url", "host", "port", "target"),
    [
        ("https://hooks.club.example", "hooks.club.example", 443, "/"),
        ("HTTPS://Hooks.Club.Example:8443/a?b=c&d=%20", "hooks.club.example", 8443, "/a?b=c&d=%20"),
        ("https://xn--hks-snaa.example/@home:1", "xn--hks-snaa.example", 443, "/@home:1"),
        ("https://10.0.0.1.club.example/", "10.0.0.1.club.example", 443, "/"),
        ("https://club.example?x=https://127.0.0.1", "club.example", 443, "/?x=https://127.0.0.1"),
    ],
)
def test_an_honest_address_is_taken_apart(url: str, host: str, port: int, target: str) -> None:
    found = parse_url(url)
    assert (found.host.decode(), found.port, found.target.decode()) == (host, port, target)


HOUSE = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
127.255.255.254 168.63.129.16 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1
192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9
224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
:: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:93.184.215.14 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:db8::1 2001:10::1
2002:7f00:1:: 2002:c0a8:101:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1
fe80::a9fe:a9fe fec0::1 ff02::1 ff0e::1
"""
WORLD = "1.1.1.1 8.8.8.8 93.184.215.14 172.32.0.1 100.128.0.1 2606:4700::1111 2a00:1450:4001::8a"


@pytest.mark.parametrize("text", HOUSE.split())
def test_what_is_not_of_the_public_internet_is_never_connected_to(text: str) -> None:
    assert not is_public(ip_address(text))
    client = WebhookClient(resolve=lambda _host, _port: [text])
    with pytest.raises(NotSentError, match="no public address"):
        client.post(f"https://{HOST}/", b"{}", {})


@pytest.mark.parametrize("text", WORLD.split())
def test_the_public_internet_may_be_connected_to(text: str) -> None:
    assert is_public(ip_address(text))


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    client = WebhookClient(resolve=lambda _host, _port: ["93.184.215.14", "10.0.0.1"])
    with pytest.raises(NotSentError, match="no public address"):
        client.post(f"https://{HOST}/", b"{}", {})


def test_an_address_with_a_zone_is_refused() -> None:
    client = WebhookClient(resolve=lambda _host, _port: ["fe80::1%lo"])
    with pytest.raises(NotSentError, match="no public address"):
        client.post(f"https://{HOST}/", b"{}", {})


class Rebinding:
    """A name that is public when it is looked at and our own machine the moment after."""

    def __init__(self, first: str) -> None:
        self.first, self.asked = first, 0

    def __call__(self, _host: str, _port: int) -> list[str]:
        self.asked += 1
        return [self.first] if self.asked == 1 else ["127.0.0.1"]


def test_a_name_that_changes_between_look_and_connection_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with listening() as listener:
        connected: list[object] = []

        class Watched(socket.socket):
            def connect(self, address: object) -> None:
                connected.append(address)
                raise ConnectionRefusedError

        monkeypatch.setattr(socket, "socket", Watched)
        find = Rebinding("93.184.215.14")
        # Only the look-up is another one: the check of the address is that of production.
        client = replace(client_to(listener.port), resolve=find, permits=is_public)
        with pytest.raises(NotSentError, match="No connection"):
            client.post(listener.url, b"{}", {})
        assert connected == [("93.184.215.14", listener.port)]
        assert find.asked == 1
        with pytest.raises(NotSentError, match="no public address"):
            client.post(listener.url, b"{}", {})
        assert len(connected) == 1
    assert listener.heard == []


def test_a_message_arrives_with_its_headers_under_the_name_that_was_asked_for() -> None:
    with listening() as listener:
        status = client_to(listener.port).post(
            listener.url + "?club=7", b'{"a":1}', {"Webhook-Id": "7"}
        )
    assert status == 204
    (heard,) = listener.heard
    assert (heard.path, heard.body, heard.id) == ("/hook?club=7", b'{"a":1}', "7")
    assert heard.headers["host"] == f"{HOST}:{listener.port}"
    assert heard.headers["content-type"] == "application/json"


def test_the_next_address_of_a_name_is_tried_when_the_first_does_not_answer() -> None:
    with listening() as listener:
        client = client_to(listener.port, ["::1", "127.0.0.1"])
        assert client.post(listener.url, b"{}", {"Webhook-Id": "7"}) == 204


@pytest.mark.parametrize("status", [200, 301, 302, 307, 308, 404, 500])
def test_an_answer_is_told_and_no_redirect_is_followed(status: int) -> None:
    def answer(_heard: Heard) -> int:
        return status

    with listening() as listener:
        listener.status = answer
        assert client_to(listener.port).post(listener.url, b"{}", {"Webhook-Id": "7"}) == status
    assert len(listener.heard) == 1


@contextmanager
def proxy(status: bytes, *, onward: int = 0) -> Iterator[tuple[int, list[bytes]]]:
    """The house's own way out: takes one CONNECT, and leads to a port of this machine."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def carry(source: socket.socket, to: socket.socket) -> None:
            with suppress(OSError):
                while data := source.recv(4096):
                    to.sendall(data)
                to.shutdown(socket.SHUT_WR)

        def serve() -> None:
            with suppress(OSError):
                line, _ = server.accept()
                with line:
                    asked.append(line.recv(4096))
                    line.sendall(b"HTTP/1.1 " + status + b"\r\n\r\n")
                    if onward:
                        with socket.create_connection(("127.0.0.1", onward)) as far:
                            back = threading.Thread(target=carry, args=(far, line), daemon=True)
                            back.start()
                            carry(line, far)
                            back.join(timeout=5)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], asked
    thread.join(timeout=5)


def test_a_proxy_is_asked_for_the_address_that_was_looked_at() -> None:
    with listening() as listener, proxy(b"200 OK", onward=listener.port) as (port, asked):
        client = replace(
            client_to(listener.port, ["93.184.215.14"]),
            permits=is_public,
            proxy=("127.0.0.1", port),
        )
        assert client.post(listener.url, b"{}", {"Webhook-Id": "7"}) == 204
    where = f"93.184.215.14:{listener.port}"
    assert asked == [f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n\r\n".encode()]


def test_a_proxy_does_not_soften_the_check_and_its_no_is_told() -> None:
    with proxy(b"403 Forbidden") as (port, asked):
        client = WebhookClient(resolve=lambda _host, _port: ["10.0.0.1"], proxy=("127.0.0.1", port))
        with pytest.raises(NotSentError, match="no public address"):
            client.post(f"https://{HOST}/", b"{}", {})
        assert asked == []
        client = replace(client, resolve=lambda _host, _port: ["2606:4700::1111"])
        with pytest.raises(NotSentError, match="status 403"):
            client.post(f"https://{HOST}/", b"{}", {})
        assert asked[0].startswith(b"CONNECT [2606:4700::1111]:443 HTTP/1.1\r\n")


def test_a_certificate_of_another_name_is_not_trusted() -> None:
    with listening() as listener:
        url = f"https://other.club.example:{listener.port}/"
        with pytest.raises(NotSentError, match="No trusted connection"):
            client_to(listener.port).post(url, b"{}", {})
        stranger = replace(client_to(listener.port), context=ssl.create_default_context())
        with pytest.raises(NotSentError, match="No trusted connection"):
            stranger.post(listener.url, b"{}", {})
    assert listener.heard == []


def test_a_name_that_nobody_knows_or_that_takes_for_ever_is_no_answer() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise socket.gaierror

    def slow(_host: str, _port: int) -> list[str]:
        time.sleep(2)
        return ["93.184.215.14"]

    with pytest.raises(NotSentError, match="not known"):
        WebhookClient(resolve=unknown).post(f"https://{HOST}/", b"{}", {})
    with pytest.raises(NotSentError, match="nowhere"):
        WebhookClient(resolve=lambda _host, _port: []).post(f"https://{HOST}/", b"{}", {})
    begun = time.monotonic()
    with pytest.raises(NotSentError, match="in time"):
        WebhookClient(resolve=slow, seconds=0.3).post(f"https://{HOST}/", b"{}", {})
    assert time.monotonic() - begun < 1


@contextmanager
def rude(say: Callable[[ssl.SSLSocket], None]) -> Iterator[int]:
    """A server that takes one connection and then does as it likes."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                raw, _ = server.accept()
                with context.wrap_socket(raw, server_side=True) as line:
                    line.recv(4096)
                    say(line)
            except OSError:
                pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
    thread.join(timeout=5)


def drip(line: ssl.SSLSocket) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _ in range(200):
        line.sendall(b"a")
        time.sleep(0.05)


def flood(line: ssl.SSLSocket) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(1000):
        line.sendall(b"a" * 1024)


def early(line: ssl.SSLSocket) -> None:
    line.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n")


def hints_only(line: ssl.SSLSocket) -> None:
    for _ in range(20_000):
        line.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def nonsense(line: ssl.SSLSocket) -> None:
    line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")


def hangs_up(line: ssl.SSLSocket) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (drip, "No answer within"),
        (lambda _line: time.sleep(2), "No answer within"),
        (flood, "too long"),
        (hints_only, "too long"),
        (nonsense, "no answer of a web server"),
        (hangs_up, "ended before"),
    ],
)
def test_a_bad_listener_costs_no_more_than_the_deadline(
    say: Callable[[ssl.SSLSocket], None], words: str
) -> None:
    with rude(say) as port:
        begun = time.monotonic()
        with pytest.raises(NotSentError, match=words):
            client_to(port, seconds=0.7).post(f"https://{HOST}:{port}/", b"{}", {})
        assert time.monotonic() - begun < 1.5


def test_what_comes_before_the_answer_is_passed_over() -> None:
    with rude(early) as port:
        assert client_to(port).post(f"https://{HOST}:{port}/", b"{}", {}) == 202


def test_a_port_that_does_not_speak_tls_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        begun = time.monotonic()
        with pytest.raises(NotSentError, match="No answer within"):
            client_to(port, seconds=0.4).post(f"https://{HOST}:{port}/", b"{}", {})
        assert time.monotonic() - begun < 1.2


def test_the_limits_are_those_that_the_documents_name() -> None:
    assert WebhookClient().seconds == 5.0
    assert ANSWER_BYTES_MAX == 64 * 1024
    assert len(NEVER) >= 40
