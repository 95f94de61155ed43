"""The addresses of the desk."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from scoring.web.desk import (
    actions,
    audit_trail,
    backups,
    check_in,
    corrections,
    fees,
    games,
    imports,
    invitations,
    jobs,
    live_overview,
    money,
    night,
    prepared_boards,
    rulings,
    table_codes,
    table_seats,
)
from tournaments.web.desk import (
    accept_invitation,
    accounts,
    clubs,
    events,
    house_rules,
    import_history,
    leagues,
    members,
    recorded_results,
    score_entries,
    sign_in,
)

urlpatterns = [
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(next_page="landing"), name="sign-out"),
    path("password/", sign_in.Password.as_view(), name="desk-password"),
    path("", clubs.Home.as_view(), name="desk"),
    path("clubs/new/", clubs.FoundClub.as_view(), name="desk-found"),
    path("clubs/<uuid:club_id>/", clubs.ClubPage.as_view(), name="desk-club"),
    path("clubs/<uuid:club_id>/settings/", clubs.ClubSettings.as_view(), name="desk-settings"),
    path("clubs/<uuid:club_id>/members/", members.Members.as_view(), name="desk-members"),
    path(
        "clubs/<uuid:club_id>/members/<uuid:player_id>/",
        members.Member.as_view(),
        name="desk-member",
    ),
    path("clubs/<uuid:club_id>/rules/", house_rules.RuleSets.as_view(), name="desk-rule-sets"),
    path("clubs/<uuid:club_id>/rules/new/", house_rules.NewRules.as_view(), name="desk-rules-new"),
    path(
        "clubs/<uuid:club_id>/rules/<uuid:rule_set_id>/",
        house_rules.OneRuleSet.as_view(),
        name="desk-rules",
    ),
    path(
        "clubs/<uuid:club_id>/rules/<uuid:rule_set_id>/change/",
        house_rules.ChangeRules.as_view(),
        name="desk-rules-change",
    ),
    path("clubs/<uuid:club_id>/roles/", accounts.Roles.as_view(), name="desk-roles"),
    path(
        "clubs/<uuid:club_id>/invitations/", invitations.Invite.as_view(), name="desk-invitations"
    ),
    path("invitation/<str:token>/", accept_invitation.Accept.as_view(), name="invitation"),
    path("clubs/<uuid:club_id>/keys/", accounts.Keys.as_view(), name="desk-keys"),
    path("clubs/<uuid:club_id>/leagues/", leagues.Leagues.as_view(), name="desk-leagues"),
    path("leagues/<uuid:league_id>/", leagues.LeaguePage.as_view(), name="desk-league"),
    path("clubs/<uuid:club_id>/money/", money.ClubMoney.as_view(), name="desk-money"),
    path("events/<uuid:event_id>/money/", money.NightMoney.as_view(), name="desk-event-money"),
    path("clubs/<uuid:club_id>/jobs/", jobs.Jobs.as_view(), name="desk-jobs"),
    path("clubs/<uuid:club_id>/import/", imports.ChooseFile.as_view(), name="desk-import-file"),
    path("imports/<uuid:job_id>/columns/", imports.Columns.as_view(), name="desk-import-columns"),
    path("imports/<uuid:job_id>/archive/", imports.Archive.as_view(), name="desk-import-archive"),
    path("imports/<uuid:job_id>/check/", imports.Check.as_view(), name="desk-import-check"),
    path("imports/<uuid:job_id>/result/", imports.Result.as_view(), name="desk-import-result"),
    path(
        "clubs/<uuid:club_id>/imports/",
        import_history.Imports.as_view(),
        name="desk-import-history",
    ),
    path(
        "clubs/<uuid:club_id>/imports/<uuid:import_id>/",
        import_history.ImportPage.as_view(),
        name="desk-import-undo",
    ),
    path("clubs/<uuid:club_id>/backup/", backups.Backups.as_view(), name="desk-backup"),
    path("clubs/<uuid:club_id>/trail/", audit_trail.Trail.as_view(), name="desk-trail"),
    path("clubs/<uuid:club_id>/events/new/", events.SetUp.as_view(), name="desk-event-new"),
    path(
        "clubs/<uuid:club_id>/results/new/",
        recorded_results.SetUpResults.as_view(),
        name="desk-results-new",
    ),
    path(
        "events/<uuid:event_id>/results/", recorded_results.Results.as_view(), name="desk-results"
    ),
    path("events/<uuid:event_id>/", night.NightPage.as_view(), name="desk-event"),
    path(
        "events/<uuid:event_id>/settings/",
        events.EventSettings.as_view(),
        name="desk-event-settings",
    ),
    path("events/<uuid:event_id>/floor/", live_overview.LiveOverview.as_view(), name="desk-floor"),
    path("events/<uuid:event_id>/codes/", table_codes.Codes.as_view(), name="desk-codes"),
    path("events/<uuid:event_id>/check-in/", check_in.CheckIn.as_view(), name="desk-check-in"),
    path("events/<uuid:event_id>/walk-in/", check_in.WalkIn.as_view(), name="desk-walk-in"),
    path("events/<uuid:event_id>/move/", check_in.MoveEntry.as_view(), name="desk-move"),
    path(
        "events/<uuid:event_id>/entries/<uuid:entry_id>/",
        check_in.OneEntry.as_view(),
        name="desk-entry",
    ),
    path("events/<uuid:event_id>/fees/", fees.Fees.as_view(), name="desk-fees"),
    path("events/<uuid:event_id>/draw/", actions.Draw.as_view(), name="desk-draw"),
    path("events/<uuid:event_id>/swap/", actions.Swap.as_view(), name="desk-swap"),
    path("events/<uuid:event_id>/start/", actions.Start.as_view(), name="desk-start"),
    path("events/<uuid:event_id>/close/", actions.Close.as_view(), name="desk-close"),
    path(
        "events/<uuid:event_id>/take-back/",
        actions.TakeBackRound.as_view(),
        name="desk-take-back-round",
    ),
    path("events/<uuid:event_id>/finish/", actions.Finish.as_view(), name="desk-finish"),
    path(
        "events/<uuid:event_id>/end-corrections/",
        actions.EndCorrections.as_view(),
        name="desk-end-corrections",
    ),
    path(
        "events/<uuid:event_id>/amendment/confirm/",
        actions.ConfirmAmendment.as_view(),
        name="desk-amendment-confirm",
    ),
    path(
        "events/<uuid:event_id>/amendment/decline/",
        actions.DeclineAmendment.as_view(),
        name="desk-amendment-decline",
    ),
    path("events/<uuid:event_id>/official/", actions.Official.as_view(), name="desk-official"),
    path("events/<uuid:event_id>/reopen/", actions.Reopen.as_view(), name="desk-reopen"),
    path("games/<uuid:game_id>/", games.GamePage.as_view(), name="desk-game"),
    path("games/<uuid:game_id>/seat/", table_seats.Substitute.as_view(), name="desk-substitute"),
    path("games/<uuid:game_id>/seats/", table_seats.Permute.as_view(), name="desk-permute"),
    path("games/<uuid:game_id>/link/", table_seats.MakeLink.as_view(), name="desk-link"),
    path("games/<uuid:game_id>/revoke/", table_seats.RevokeLink.as_view(), name="desk-revoke"),
    path("hands/<uuid:hand_id>/", rulings.HandRulings.as_view(), name="desk-hand"),
    path("hands/<uuid:hand_id>/decide/", rulings.Decide.as_view(), name="desk-decide"),
    path(
        "hands/<uuid:hand_id>/take-back/", rulings.TakeBackRuling.as_view(), name="desk-take-back"
    ),
    path("hands/<uuid:hand_id>/confirm/", rulings.Confirm.as_view(), name="desk-confirm"),
    path("hands/<uuid:hand_id>/choose/", rulings.Choose.as_view(), name="desk-choose"),
    path("hands/<uuid:hand_id>/undo/", rulings.Undo.as_view(), name="desk-undo"),
    path("hands/<uuid:hand_id>/correct/", corrections.Correct.as_view(), name="desk-correct"),
    path("events/<uuid:event_id>/boards/", prepared_boards.Boards.as_view(), name="desk-boards"),
    path(
        "events/<uuid:event_id>/forfeits/", score_entries.Forfeits.as_view(), name="desk-forfeits"
    ),
    path(
        "events/<uuid:event_id>/penalties/",
        score_entries.Penalties.as_view(),
        name="desk-penalties",
    ),
]
