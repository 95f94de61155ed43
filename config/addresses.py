"""Where a browser on this machine, or a phone on the same Wi-Fi, finds the service."""

import errno
import fcntl
import os
import socket
import struct
import sys

ANYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 (recognised here, bound only when asked for)
SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface


class CannotListenError(Exception):
    """The address is taken, forbidden or not ours; the text says which."""


def listen(host: str, port: int) -> socket.socket:
    """Bind the address now, so that a taken port is known before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListenError(f"Port {port} is taken by another program.") from error
        why = os.strerror(error.errno) if error.errno else str(error)
        raise CannotListenError(f"Cannot listen on {host} port {port}: {why}.") from error
    except OverflowError as error:
        raise CannotListenError(f"{port} is not a port; ports are 1 to 65535.") from error


def local_network() -> list[str]:
    """The IPv4 addresses that others on the network can use, the likeliest first."""
    found = [address for address in (_towards_the_world(), *_interfaces()) if address]
    return [a for a in dict.fromkeys(found) if not a.startswith("127.")]


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
    """Which names a browser may call us by; an address nobody knows of is refused."""
    if host not in ANYWHERE:
        return list(dict.fromkeys([*configured, host]))
    name = socket.gethostname().lower()
    return list(dict.fromkeys([*configured, *local_network(), name, f"{name}.local"]))


def announcement(host: str, port: int) -> str:
    """One line: where to go, here and from a phone."""
    if host not in ANYWHERE:
        return f"Painsuit is ready: {url(host, port)}"
    phones = [url(address, port) for address in local_network()]
    elsewhere = f" (phones on this network: {' or '.join(phones)})" if phones else ""
    return f"Painsuit is ready: {url('127.0.0.1', port)}{elsewhere}"


def url(host: str, port: int) -> str:
    """Write an address as a browser takes it.

    >>> url("::1", 8000)
    'http://[::1]:8000/'
    """
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
