"""The addresses of the API."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from scoring.api.views import Check, problems
from tournaments.api.problems import nothing_here

urlpatterns = [
    path("v1/check", Check.as_view(), name="api-check"),
    path("v1/schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("v1/problems", problems, name="api-problems"),
    re_path(r"", nothing_here),
]
