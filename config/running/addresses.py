"""Addresses at which a browser on this machine, or a phone on the same Wi-Fi, finds the service."""

import errno
import fcntl
import os
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path

EVERY_ADDRESS = "::"
ANYWHERE = frozenset({"0.0.0.0", EVERY_ADDRESS})  # noqa: S104 (recognised, bound only when asked for)
IPV6_ADDRESSES = Path("/proc/net/if_inet6")
SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface


class CannotListenError(Exception):
    """The address is taken, forbidden or not ours; the text says which."""


def listen(host: str, port: int) -> socket.socket:
    """Bind the address now, so that a taken port is known before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # "::" means every address: the IPv4 ones too, wherever the system can do that.
    both = host == EVERY_ADDRESS and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=512, dualstack_ipv6=both)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListenError(f"Port {port} is taken by another program.") from error
        why = os.strerror(error.errno) if error.errno else str(error)
        raise CannotListenError(f"Cannot listen on {host} port {port}: {why}.") from error
    except OverflowError as error:
        raise CannotListenError(f"{port} is not a port; ports are 1 to 65535.") from error


def local_network(host: str) -> list[str]:
    """The addresses at which others on the network reach a server on ``host``, likeliest first.

    ``host`` is one of ANYWHERE. IPv4 addresses come first: people can type them.
    """
    found: list[str] = []
    if host != EVERY_ADDRESS or socket.has_dualstack_ipv6():
        found += [address for address in (_towards_the_world(), *_interfaces()) if address]
    if host == EVERY_ADDRESS:
        found += _ipv6_interfaces()
    return [a for a in dict.fromkeys(found) if not a.startswith("127.")]


def _ipv6_interfaces() -> list[str]:
    """The IPv6 addresses of this machine that a browser can be sent to (Linux)."""
    with suppress(OSError):
        lines = IPV6_ADDRESSES.read_text(encoding="ascii").splitlines()
        found = [IPv6Address(int(line.split()[0], 16)) for line in lines]
        # An address of one link alone needs a zone, which browsers do not take.
        return [str(a) for a in found if not (a.is_loopback or a.is_link_local)]
    return []


def _towards_the_world() -> str | None:
    # A datagram socket only chooses a route here; 192.0.2.1 is reserved for documentation.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def _interfaces() -> list[str]:
    # A laptop that makes its own hotspot has no route to the world, but has an address.
    if sys.platform != "linux":
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
            except OSError:
                continue  # an interface without an IPv4 address
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def allowed_hosts(configured: list[str], host: str) -> list[str]:
    """Return the names by which a browser may call us; an address nobody knows of is refused."""
    if host not in ANYWHERE:
        return list(dict.fromkeys([*configured, f"[{host}]" if ":" in host else host]))
    name = socket.gethostname().lower()
    near = [f"[{one}]" if ":" in one else one for one in local_network(host)]
    return list(dict.fromkeys([*configured, *near, name, f"{name}.local"]))


def nearest(host: str, port: int, scheme: str = "http") -> str:
    """Return the address for a browser on this machine."""
    if host not in ANYWHERE:
        return url(host, port, scheme)
    only_ipv6 = host == EVERY_ADDRESS and not socket.has_dualstack_ipv6()
    return url("::1" if only_ipv6 else "127.0.0.1", port, scheme)


def public(host: str, port: int, scheme: str, configured: Sequence[str]) -> str:
    """Return the address for links in mails and on paper: one that phones can reach, if there is.

    ``configured`` are the names that the operator gave; ``.club.example`` is a pattern and none.
    """
    names = [name for name in configured if name.strip(".*") == name]
    near = local_network(host) if host in ANYWHERE else []
    for name in (*names, *near):
        return url(name.strip("[]"), port, scheme).removesuffix("/")
    return nearest(host, port, scheme).removesuffix("/")


def announcement(host: str, port: int, scheme: str = "http") -> str:
    """One line: where to go, here and from a phone."""
    near = local_network(host) if host in ANYWHERE else []
    phones = [url(address, port, scheme) for address in near]
    elsewhere = f" (phones on this network: {' or '.join(phones)})" if phones else ""
    return f"Painsuit is ready: {nearest(host, port, scheme)}{elsewhere}"


def url(host: str, port: int, scheme: str = "http") -> str:
    """Write an address as a browser takes it.

    >>> url("::1", 8000), url("127.0.0.1", 443, "https")
    ('http://[::1]:8000/', 'https://127.0.0.1/')
    """
    name = f"[{host}]" if ":" in host else host
    is_usual = port == {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}/" if is_usual else f"{scheme}://{name}:{port}/"
