"""Every address, top down."""

from django.urls import URLPattern, URLResolver, path

from config.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
]
