"""Every address, top down."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from config.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path(
        "api/v1/docs",
        SpectacularSwaggerSplitView.as_view(url_name="openapi", template_name="api_docs.html"),
        name="api-docs",
    ),
    path("healthz", healthz, name="healthz"),
    path("", include("scoring.web.urls")),
]
