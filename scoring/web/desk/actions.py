"""Actions on an event: draw, swap, start, close, finish, make official, reopen."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.games import nights
from scoring.games.undo_round_start import take_back_round
from scoring.web.desk.night import Deed, number_in
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.events import rounds
from tournaments.events.rounds import ByHand
from tournaments.events.seating import DrawRequest
from tournaments.models import Round
from tournaments.web.desk.base import REFUSED
from tournaments.web.desk.forms import plain
from tournaments.web.desk.sessions import event_of
from tournaments.web.number_format import parse_number


class Draw(Deed):
    """The seating that was looked at is used."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Draw just what was shown: the same attempt, of the event as it was then."""
        wanted = DrawRequest(attempt=min(parse_number(request.POST.get("attempt")), 1000))
        version = self.version_seen()

        def work() -> None:
            rounds.draw(
                event_id=event_id,
                wanted=wanted,
                version=version,
                by=self.visit.by,
                at=self.visit.at,
            )

        return self.done(work, "play", _("The seating stands. Start the round when all sit."))


class Swap(Deed):
    """Two who were drawn change places."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Seat the round anew by hand, with the two in each other's place."""
        chosen = request.POST.getlist("swap")
        if len(chosen) != 2:
            return self.tonight(_("Tick two players, then swap them."), REFUSED)
        version = self.version_seen()

        def work() -> None:
            number = number_in(request.POST.get("round"))
            row = _drawn_row(event_of(self.visit).pk, number)
            wanted = _swapped(row, chosen, version)
            rounds.seat_by_hand(
                event_id=event_id, wanted=wanted, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "play", _("Swapped. The certificate is that of the new seating."))


def _drawn_row(event_id: UUID, number: int) -> Round:
    event = selectors.event(event_id)
    row = None if event is None else selectors.rounds(event).filter(number=number).first()
    if row is None:
        raise RefusedError(_("Round %(n)d is not drawn.") % {"n": number}, "number")
    return row


def _swapped(row: Round, chosen: list[str], version: int) -> ByHand:
    """The round with two entries in each other's place."""
    tables = [[seat.entry_id for seat in table.seats.all()] for table in row.tables.all()]
    outs = [out.entry_id for out in row.sit_outs.all()]
    places = {str(entry): entry for table in [*tables, outs] for entry in table}
    one, other = (places.get(text) for text in chosen)
    if one is None or other is None:
        raise RefusedError(_("These two are not in the round any more."), "swap")
    turned = {one: other, other: one}
    return ByHand(
        number=row.number,
        tables=[[turned.get(entry, entry) for entry in table] for table in tables],
        sit_outs=[turned.get(entry, entry) for entry in outs],
        version=version,
    )


class Start(Deed):
    """A drawn round begins."""

    needs = Right.GAMES_OPEN

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Open a game at every table."""
        number = parse_number(request.POST.get("round"))

        def work() -> None:
            nights.start_round(event_id=event_id, number=number, by=self.visit.by, at=self.visit.at)

        return self.done(work, "play", _("Round %(n)d has begun.") % {"n": number})


class Close(Deed):
    """A round is over."""

    needs = Right.GAMES_OPEN

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Close its games; what is not played to the end needs a reason."""
        number, why = parse_number(request.POST.get("round")), plain(request.POST.get("why"), 300)

        def work() -> None:
            nights.end_round(
                event_id=event_id, number=number, why=why, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "play", _("Round %(n)d is closed.") % {"n": number})


class TakeBackRound(Deed):
    """A round was begun too early."""

    needs = Right.GAMES_OPEN

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Let it be only drawn again, as long as nobody has told anything."""
        number = parse_number(request.POST.get("round"))

        def work() -> None:
            take_back_round(event_id=event_id, number=number, by=self.visit.by, at=self.visit.at)

        said = _("The start of round %(n)d is taken back; it is only drawn.") % {"n": number}
        return self.done(work, "play", said)


class Finish(Deed):
    """The playing is over."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """The correction period begins."""
        version = self.version_seen()

        def work() -> None:
            nights.finish_night(
                event_id=event_id, version=version, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "play", _("The playing is over; results can still be corrected."))


class Official(Deed):
    """The correction period is over."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Let the results be official."""
        version = self.version_seen()

        def work() -> None:
            nights.make_night_official(
                event_id=event_id, version=version, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "play", _("The results are official."))


class Reopen(Deed):
    """It goes on after all."""

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Open an event that is over, for a reason that stays on record."""
        version, why = self.version_seen(), plain(request.POST.get("why"), 300)

        def work() -> None:
            nights.reopen_night(
                event_id=event_id, why=why, version=version, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, "play", _("The event is open again."))
