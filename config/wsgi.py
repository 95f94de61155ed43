"""The web server's door."""

import os
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

if not settings.SECRET_KEY_IS_KEPT:
    # Each process would invent its own, and what one signs the next would refuse.
    raise ImproperlyConfigured(
        "Set PAINSUIT_SECRET_KEY (or PAINSUIT_SECRET_KEY_FILE), or start with manage.py serve."
    )

application = get_wsgi_application()
# Every page and door is loaded now, and not by the first request.
ADDRESSES: Final = get_resolver().url_patterns
