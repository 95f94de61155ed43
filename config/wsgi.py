"""The WSGI application."""

import os
from contextlib import suppress

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import Resolver404, resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

if not settings.SECRET_KEY_IS_KEPT:
    # Each process would invent its own, and what one signs the next would refuse.
    raise ImproperlyConfigured(
        "Set PAINSUIT_SECRET_KEY (or PAINSUIT_SECRET_KEY_FILE), or start with manage.py serve."
    )

application = get_wsgi_application()
# All views are imported now, and every address ready to be compared: not by the first
# requests, each for itself.
for nowhere in ("/api/v1/-", "/-"):
    with suppress(Resolver404):
        resolve(nowhere)
