"""The addresses of clubs and their people, under /api/v1/."""

from django.urls import path

from tournaments.api.session import Session, WhoAmI

urlpatterns = [
    path("session", Session.as_view(), name="api-session"),
    path("me", WhoAmI.as_view(), name="api-me"),
]
