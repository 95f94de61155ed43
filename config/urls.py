"""Every address, top down."""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularJSONAPIView

from config.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path("healthz", healthz, name="healthz"),
]
