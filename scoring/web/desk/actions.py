"""Actions on an event: draw, swap, start, clock, close, finish, make official, amend, reopen."""

from datetime import timedelta
from typing import Final

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games import nights
from scoring.games.director_calls import take_call
from scoring.games.undo_round_start import undo_round_start
from scoring.web.desk.night import NightAction, read_draw
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.ids import parse_id
from tournaments.events import events, round_clocks, rounds
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.rounds import ByHand
from tournaments.models import Club
from tournaments.models.limits import REASON_MAX
from tournaments.people import clubs
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import parse_number

SENT_BY_ITSELF: Final = timedelta(days=7)
"""Results of older nights, typed in later, are sent to nobody unless the director wants it."""


class Draw(NightAction):
    """Draw just what was shown: the same attempt, of the event as it was then."""

    def act(self) -> str:
        rounds.draw(
            event_id=self.event.pk,
            wanted=read_draw(self.request.POST, "attempt"),
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        return _("This seating is now in use. Start the round when everybody is seated.")


class Swap(NightAction):
    """Seat a drawn round anew by hand, with two entries in each other's place."""

    def act(self) -> str:
        chosen = self.request.POST.getlist("swap")
        if len(chosen) != 2:
            raise RefusedError(_("Tick two players, then swap them."), "swap")
        number = parse_number(self.request.POST.get("round"))
        if not number:
            raise RefusedError(_("Choose a round."), "number")
        row = selectors.rounds(self.event).filter(number=number).first()
        if row is None:
            raise RefusedError(_("Round %(n)d is not drawn.") % {"n": number}, "number")
        tables = [[seat.entry_id for seat in table.seats.all()] for table in row.tables.all()]
        outs = [out.entry_id for out in row.sit_outs.all()]
        places = {str(entry): entry for table in [*tables, outs] for entry in table}
        one, other = (places.get(text) for text in chosen)
        if one is None or other is None:
            raise RefusedError(_("These two are not in the round any more."), "swap")
        turned = {one: other, other: one}
        wanted = ByHand(
            number=number,
            tables=[[turned.get(entry, entry) for entry in table] for table in tables],
            sit_outs=[turned.get(entry, entry) for entry in outs],
            version=self.version_seen(),
        )
        rounds.seat_by_hand(event_id=self.event.pk, wanted=wanted, by=self.by, at=self.at)
        return _("Swapped. The certificate is that of the new seating.")


class Start(NightAction):
    """Begin a drawn round: open a game at every table."""

    needs = Right.GAMES_OPEN

    def act(self) -> str:
        number = parse_number(self.request.POST.get("round"))
        nights.start_round(event_id=self.event.pk, number=number, by=self.by, at=self.at)
        return _("Round %(n)d has begun.") % {"n": number}


class Clock(NightAction):
    """Start, pause, resume or stop the clock, give it a minute or take one.

    Nothing is said of it: the clock itself shows what was done.
    """

    needs = Right.GAMES_OPEN
    anchor = "floor"

    def act(self) -> str:
        event, by, at = self.event.pk, self.by, self.at
        match self.request.POST.get("do"):
            case "start":
                minutes = parse_number(self.request.POST.get("minutes"))
                round_clocks.start_clock(event_id=event, minutes=minutes, by=by, at=at)
            case "pause":
                round_clocks.pause_clock(event_id=event, by=by, at=at)
            case "resume":
                round_clocks.resume_clock(event_id=event, by=by, at=at)
            case "add":
                round_clocks.add_minutes(event_id=event, minutes=1, by=by, at=at)
            case "take":
                round_clocks.add_minutes(event_id=event, minutes=-1, by=by, at=at)
            case "stop":
                round_clocks.stop_clock(event_id=event, by=by, at=at)
            case _:
                raise BadRequest("A clock is started, paused, resumed, stopped or changed.")
        return ""


class TakeCall(NightAction):
    """Say that the director knows of a table's call, which then waits no longer."""

    anchor = "floor"

    def act(self) -> str:
        game = parse_id(self.request.POST.get("call", ""))
        take_call(event_id=self.event.pk, game_id=game, by=self.by, at=self.at)
        return ""


class Close(NightAction):
    """Close the games of a round; what is not played to the end needs a reason."""

    needs = Right.GAMES_OPEN

    def act(self) -> str:
        number = parse_number(self.request.POST.get("round"))
        why = clean_line(self.request.POST.get("why"), 300)
        nights.end_round(event_id=self.event.pk, number=number, why=why, by=self.by, at=self.at)
        return _("Round %(n)d is closed.") % {"n": number}


class TakeBackRound(NightAction):
    """Let a round that was begun too early be only drawn, as long as nobody has told anything."""

    needs = Right.GAMES_OPEN

    def act(self) -> str:
        number = parse_number(self.request.POST.get("round"))
        undo_round_start(event_id=self.event.pk, number=number, by=self.by, at=self.at)
        return _("The start of round %(n)d is taken back; it is only drawn.") % {"n": number}


class Finish(NightAction):
    """End the playing: the correction period begins."""

    def act(self) -> str:
        version = self.version_seen()
        nights.finish_night(event_id=self.event.pk, version=version, by=self.by, at=self.at)
        return _("The playing is over; results can still be corrected.")


class Official(NightAction):
    """Close what is played, end the correction period with its reason, make results official."""

    needs_to_write = Right.GAMES_OPEN
    anchor = ""

    def act(self) -> str:
        nights.close_and_make_official(
            event_id=self.event.pk,
            why=clean_line(self.request.POST.get("why"), REASON_MAX),
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        if self.at - self.event.starts_at < SENT_BY_ITSELF:
            self.send_result()
        return _("The results are official.")


class SendResult(NightAction):
    """Have the result sent to everybody who wants it by e-mail and was not sent it."""

    def act(self) -> str:
        many = self.send_result() if self.result_text() else 0
        if not many:
            raise RefusedError(_("There is nobody to send it to, or nothing to send yet."))
        words = ngettext(
            "It is being sent to %(n)s address.", "It is being sent to %(n)s addresses.", many
        )
        return words % {"n": many}


class ResultsVisibility(NightAction):
    """Say, once for a club, whether strangers may look at its results."""

    needs_to_write = Right.CLUB_EDIT

    def act(self) -> str:
        is_public = "public" in self.request.POST
        clubs.change_club(
            club_id=self.club.pk,
            changes={"is_public": is_public},
            version=Club.objects.get(pk=self.club.pk).version,
            by=self.by,
            at=self.at,
        )
        if is_public:
            return _("Anybody can see the results now.")
        return _("Only those who played can see the results; the club's settings can change that.")


class ConfirmAmendment(NightAction):
    """Let the amended table take the place of the official one."""

    def act(self) -> str:
        events.confirm_amendment(event_id=self.event.pk, choice=self.choice, by=self.by, at=self.at)
        return _("The amended table is official.")

    @property
    def choice(self) -> AmendmentChoice:
        """The version that was seen, and the reason."""
        return AmendmentChoice(
            version=parse_number(self.request.POST.get("standings")),
            reason=clean_line(self.request.POST.get("reason"), REASON_MAX),
        )


class DeclineAmendment(ConfirmAmendment):
    """Leave the official table as it is."""

    def act(self) -> str:
        events.decline_amendment(event_id=self.event.pk, choice=self.choice, by=self.by, at=self.at)
        return _("The official table stays as it is.")


class Reopen(NightAction):
    """Open an event that is over, for a reason that stays on record."""

    def act(self) -> str:
        why, version = clean_line(self.request.POST.get("why"), 300), self.version_seen()
        nights.reopen_night(
            event_id=self.event.pk, why=why, version=version, by=self.by, at=self.at
        )
        return _("The night is open again.")
