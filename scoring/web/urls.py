"""The addresses of the pages: the desk, phones, My season, help and checking records."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from scoring.web import check_views, door, help_pages, reply
from scoring.web.my import views as my_views
from scoring.web.my.lessons import LearnPage
from scoring.web.my.records import OwnRecords
from scoring.web.phone import practice
from scoring.web.phone import views as phone_views

phone = [
    path("", phone_views.table, name="phone"),
    path("seating", phone_views.seating, name="phone-seating"),
    path("news", phone_views.news, name="phone-news"),
    path("between", phone_views.between, name="phone-between"),
    path("follow", phone_views.follow, name="phone-follow"),
    path("leave", phone_views.leave, name="phone-leave"),
    path("own", phone_views.own, name="phone-own"),
    path("call", phone_views.call, name="phone-call"),
    path("open", phone_views.open_typed, name="phone-open"),
    path("failures", phone_views.failure, name="phone-failure"),
    path("worker.js", phone_views.worker, name="phone-worker"),
    path("manifest.webmanifest", phone_views.manifest, name="phone-manifest"),
    path("<str:token>", phone_views.link, name="phone-link"),
]
"""The phone's page, under /t/: the code on a table says /t/TOKEN."""

my_season = [
    path("", my_views.SeasonPage.as_view(), name="my-season"),
    path("phone", my_views.PhoneSignIn.as_view(), name="my-phone"),
    path("sign-in", my_views.SignIn.as_view(), name="my-sign-in"),
    path("sign-in/email", my_views.AskForLink.as_view(), name="my-ask-for-link"),
    path("link/<str:token>", my_views.OpenLink.as_view(), name="my-link"),
    path("results/<str:token>", my_views.ConfirmResults.as_view(), name="my-results"),
    path("no-results/<str:token>", my_views.StopResults.as_view(), name="my-no-results"),
    path("settings", my_views.SeasonSettings.as_view(), name="my-settings"),
    path("learn", LearnPage.as_view(), name="my-learn"),
    path("hands.phn", OwnRecords.as_view(), name="my-hands"),
    path("sign-out", my_views.SignOut.as_view(), name="my-sign-out"),
]
"""My season, under /my/; the cookie of a device is sent to these alone."""

urlpatterns = [
    path("desk/", include("scoring.web.desk.urls")),
    path("in/", door.DoorEntrance.as_view(), name="door"),
    path("in", RedirectView.as_view(pattern_name="door")),
    path("in/<str:code>/", door.DoorPage.as_view(), name="door-page"),
    path("come/<str:token>/", reply.ReplyPage.as_view(), name="reply"),
    path("come/<str:token>/night.ics", reply.ReplyCalendar.as_view(), name="reply-calendar"),
    path("t/", include(phone)),
    path("table", phone_views.type_code, name="type-code"),
    path("table/", RedirectView.as_view(pattern_name="type-code")),
    path("t", RedirectView.as_view(pattern_name="phone")),
    path("play/", practice.practice_page, name="practice"),
    path("play", RedirectView.as_view(pattern_name="practice")),
    path("play/worker.js", practice.practice_worker, name="practice-worker"),
    path("play/<uuid:club_id>/", practice.practice_page, name="club-practice"),
    path("my/", include(my_season)),
    path("my", RedirectView.as_view(pattern_name="my-season")),
    path("", check_views.LandingPage.as_view(), name="landing"),
    path("help/", help_pages.HelpPage.as_view(), name="help"),
    path("help", RedirectView.as_view(pattern_name="help")),
    path("help/pictures/<path:name>", help_pages.HelpPicture.as_view(), name="help-picture"),
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
