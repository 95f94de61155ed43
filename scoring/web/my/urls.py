"""The addresses of My season, under /my/; the cookie of a device is sent to these alone."""

from django.urls import path

from scoring.web.my import views
from scoring.web.my.records import OwnRecords

urlpatterns = [
    path("", views.SeasonPage.as_view(), name="my-season"),
    path("phone", views.PhoneSignIn.as_view(), name="my-phone"),
    path("sign-in", views.SignIn.as_view(), name="my-sign-in"),
    path("sign-in/email", views.AskForLink.as_view(), name="my-ask-for-link"),
    path("link/<str:token>", views.OpenLink.as_view(), name="my-link"),
    path("results/<str:token>", views.ConfirmResults.as_view(), name="my-results"),
    path("no-results/<str:token>", views.StopResults.as_view(), name="my-no-results"),
    path("settings", views.SeasonSettings.as_view(), name="my-settings"),
    path("hands.phn", OwnRecords.as_view(), name="my-hands"),
    path("sign-out", views.SignOut.as_view(), name="my-sign-out"),
]
