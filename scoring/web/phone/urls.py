"""The addresses of the phone's page: the code on a table says /t/TOKEN."""

from django.urls import path

from scoring.web.phone import views

urlpatterns = [
    path("", views.table, name="phone"),
    path("seating", views.seating, name="phone-seating"),
    path("news", views.news, name="phone-news"),
    path("between", views.between, name="phone-between"),
    path("follow", views.follow, name="phone-follow"),
    path("leave", views.leave, name="phone-leave"),
    path("own", views.own, name="phone-own"),
    path("open", views.open_typed, name="phone-open"),
    path("failures", views.failure, name="phone-failure"),
    path("worker.js", views.worker, name="phone-worker"),
    path("manifest.webmanifest", views.manifest, name="phone-manifest"),
    path("<str:token>", views.link, name="phone-link"),
]
