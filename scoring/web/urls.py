"""The addresses of the public page."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from scoring.web import check_views, door, help_pages
from scoring.web.phone import views as phone_views

urlpatterns = [
    path("desk/", include("scoring.web.desk.urls")),
    path("in/", door.DoorEntrance.as_view(), name="door"),
    path("in", RedirectView.as_view(pattern_name="door")),
    path("in/<str:code>/", door.DoorPage.as_view(), name="door-page"),
    path("t/", include("scoring.web.phone.urls")),
    path("table", phone_views.type_code, name="type-code"),
    path("table/", RedirectView.as_view(pattern_name="type-code")),
    path("t", RedirectView.as_view(pattern_name="phone")),
    path("my/", include("scoring.web.my.urls")),
    path("my", RedirectView.as_view(pattern_name="my-season")),
    path("", check_views.LandingPage.as_view(), name="landing"),
    path("help/", help_pages.HelpPage.as_view(), name="help"),
    path("help", RedirectView.as_view(pattern_name="help")),
    path("help/pictures/<str:name>", help_pages.HelpPicture.as_view(), name="help-picture"),
    path("help/rules/<slug:name>/", help_pages.HelpPage.as_view(folder="rules"), name="help-rules"),
    path("help/<slug:name>/", help_pages.HelpPage.as_view(), name="help-page"),
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
