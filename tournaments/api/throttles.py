"""How often one asker may ask.

A brake against floods; whatever guards a secret is counted in the database
(`tournaments.signing_in`).
"""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from tournaments.api.authentication import asker_of


class AskerThrottle(SimpleRateThrottle):
    """Counts by account, key or link; visitors by their address, which a whole club may share."""

    scope = "asker"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        asker = asker_of(request)
        ident = self.get_ident(request) if asker.is_visitor else asker.actor.label
        return f"throttle_{self.scope}_{ident}"
