"""The addresses of the desk."""

from django.urls import path

from scoring.web.desk import clubs, deeds, events, floor, games, hands, night, people, signing

urlpatterns = [
    path("sign-in/", signing.SignIn.as_view(), name="sign-in"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("", clubs.Home.as_view(), name="desk"),
    path("clubs/new/", clubs.FoundClub.as_view(), name="desk-found"),
    path("clubs/<uuid:club_id>/", clubs.ClubPage.as_view(), name="desk-club"),
    path("clubs/<uuid:club_id>/settings/", clubs.ClubSettings.as_view(), name="desk-settings"),
    path("clubs/<uuid:club_id>/events/new/", events.SetUp.as_view(), name="desk-event-new"),
    path("events/<uuid:event_id>/", night.Tonight.as_view(), name="desk-event"),
    path(
        "events/<uuid:event_id>/settings/",
        events.EventSettings.as_view(),
        name="desk-event-settings",
    ),
    path("events/<uuid:event_id>/floor/", floor.Floor.as_view(), name="desk-floor"),
    path("events/<uuid:event_id>/check-in/", people.CheckIn.as_view(), name="desk-check-in"),
    path("events/<uuid:event_id>/walk-in/", people.WalkIn.as_view(), name="desk-walk-in"),
    path("events/<uuid:event_id>/move/", people.Moved.as_view(), name="desk-move"),
    path(
        "events/<uuid:event_id>/entries/<uuid:entry_id>/",
        people.OneEntry.as_view(),
        name="desk-entry",
    ),
    path("events/<uuid:event_id>/draw/", deeds.Draw.as_view(), name="desk-draw"),
    path("events/<uuid:event_id>/swap/", deeds.Swap.as_view(), name="desk-swap"),
    path("events/<uuid:event_id>/start/", deeds.Start.as_view(), name="desk-start"),
    path("events/<uuid:event_id>/close/", deeds.Close.as_view(), name="desk-close"),
    path("events/<uuid:event_id>/finish/", deeds.Finish.as_view(), name="desk-finish"),
    path("events/<uuid:event_id>/official/", deeds.Official.as_view(), name="desk-official"),
    path("events/<uuid:event_id>/reopen/", deeds.Reopen.as_view(), name="desk-reopen"),
    path("games/<uuid:game_id>/", games.GamePage.as_view(), name="desk-game"),
    path("hands/<uuid:hand_id>/", hands.HandPage.as_view(), name="desk-hand"),
]
