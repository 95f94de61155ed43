"""The addresses of the public page."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from scoring.web import check_views

urlpatterns = [
    path("desk/", include("scoring.web.desk.urls")),
    path("t/", include("scoring.web.phone.urls")),
    path("t", RedirectView.as_view(pattern_name="phone")),
    path("", check_views.landing, name="landing"),
    path("check/", check_views.check, name="check"),
    path("check", RedirectView.as_view(pattern_name="check", query_string=True)),
    path("check/share/", check_views.share, name="share"),
    re_path(r"^check/(?P<public_id>[A-Za-z0-9_-]{24})/$", check_views.shared_record, name="shared"),
    re_path(
        r"^check/(?P<public_id>[A-Za-z0-9_-]{24})/record\.phn$",
        check_views.original,
        name="original",
    ),
]
