"""The address of links in messages, for whoever has one sent from a page."""

from django.http import HttpRequest
from django.utils.translation import get_language

from tournaments.core.public_address import public_site
from tournaments.people.result_consent import Letterhead


def letterhead_of(request: HttpRequest) -> Letterhead:
    """The service as the browser calls it, in the language of the page."""
    return Letterhead(site=public_site(request), language=get_language() or "")
