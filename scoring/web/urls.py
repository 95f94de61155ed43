"""The addresses of the public page."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from scoring.web import check_views

urlpatterns = [
    path("desk/", include("scoring.web.desk.urls")),
    path("t/", include("scoring.web.phone.urls")),
    path("t", RedirectView.as_view(pattern_name="phone")),
    path("", check_views.LandingPage.as_view(), name="landing"),
    path("check/", check_views.CheckPage.as_view(), name="check"),
    path("check", RedirectView.as_view(pattern_name="check", query_string=True)),
    path("check/share/", check_views.ShareRecord.as_view(), name="share"),
    re_path(
        r"^check/(?P<public_id>[A-Za-z0-9_-]{24})/$",
        check_views.SharedRecordPage.as_view(),
        name="shared",
    ),
    re_path(
        r"^check/(?P<public_id>[A-Za-z0-9_-]{24})/record\.phn$",
        check_views.OriginalRecord.as_view(),
        name="original",
    ),
]
