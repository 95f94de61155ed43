"""Every address, top down."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.operations.health import healthz
from config.operations.metrics import metrics
from config.operations.status_page import StatusPage
from config.views import Authority, Favicon, Robots, SecurityTxt, TrustPage, choose_language
from tournaments.api.document import OpenApiView
from tournaments.api.exceptions import nothing_here

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/openapi.json", OpenApiView.as_view(), name="openapi"),
    path(
        "api/v1/docs",
        SpectacularSwaggerSplitView.as_view(url_name="openapi", template_name="api_docs.html"),
        name="api-docs",
    ),
    path("api", nothing_here),
    path("api/", include("scoring.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    re_path(r"^api/", nothing_here),
    path(f"{settings.ADMIN_PATH}/", admin.site.urls),
    path(settings.ADMIN_PATH, RedirectView.as_view(pattern_name="admin:index")),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("desk/clubs/<uuid:club_id>/status/", StatusPage.as_view(), name="desk-status"),
    path("robots.txt", Robots.as_view(), name="robots"),
    path("favicon.ico", Favicon.as_view(), name="favicon"),
    path(".well-known/security.txt", SecurityTxt.as_view(), name="security-txt"),
    path("trust/", TrustPage.as_view(), name="trust"),
    path("trust/painsuit.crt", Authority.as_view(), name="trust-authority"),
    path("language/", choose_language, name="language"),
    # The same view inside the scopes of the service workers of phones.
    path("t/language/", choose_language, name="phone-language"),
    path("play/language/", choose_language, name="practice-language"),
    path("", include("tournaments.api.feeds")),
    path("", include("tournaments.web.urls")),
    path("", include("scoring.web.public.urls")),
    path("", include("scoring.web.urls")),
]

handler400 = "scoring.web.errors.bad_request"
handler403 = "scoring.web.errors.forbidden"
handler404 = "scoring.web.errors.not_found"
handler500 = "scoring.web.errors.failure"
