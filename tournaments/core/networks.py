"""Addresses of the network, as far as they tell who somebody is."""

from ipaddress import IPv6Address, ip_address, ip_interface, ip_network
from typing import Final

_LONGEST: Final = 64


def network_of(address: str) -> str:
    """Return what is counted for an address: an IPv4 address, or the /64 of an IPv6 address.

    One machine picks any of the 2**64 addresses of its network as it likes.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address[:_LONGEST]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), 64), strict=False))


def blur(network: str) -> str:
    """Return about where a network is: enough to know one's own again, not to find anybody.

    >>> blur("192.0.2.7"), blur("2001:db8:1:2::/64"), blur("unix socket")
    ('192.0.2.*', '2001:db8:1:*', '')
    """
    try:
        found = ip_interface(network).ip
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        return ":".join(format(int(part, 16), "x") for part in found.exploded.split(":")[:3]) + ":*"
    return ".".join([*str(found).split(".")[:3], "*"])
