"""The address that opens the page of the first account, for consoles."""

from urllib.parse import urljoin

from django.urls import reverse


def setup_address(site: str, code: str) -> str:
    """Return the address with the code behind its ``#``, which browsers send to no server.

    >>> setup_address("https://hearts.example", "K7QM-2FXD-WPRT-9ABC")
    'https://hearts.example/desk/set-up/#K7QM-2FXD-WPRT-9ABC'
    """
    return f"{urljoin(site, reverse('set-up'))}#{code}"
