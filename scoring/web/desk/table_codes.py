"""Codes of tables and of the door, and the phones that follow players: on screen and printed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.games import phones, table_codes
from scoring.games.links import token_of
from scoring.handouts.seating import open_tables, reaches_phones, typing_page
from scoring.models import TableCode
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.core.public_address import public_url
from tournaments.events import door
from tournaments.models import DoorCode, Stage
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.printing.seating import PrintedSitter
from tournaments.tables.press import squares
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin
from tournaments.web.number_format import parse_number


@dataclass(frozen=True, slots=True)
class ShownCode:
    """A table with its code: the side in squares, the path of the dark ones, and in letters.

    ``code`` is the row, None of a game's own link; ``typed`` is the short code.
    """

    number: int
    sitters: Sequence[PrintedSitter]
    side: int
    path: str
    address: str
    typed: str
    code: TableCode | None


class CodesPage(ButtonsMixin, DeskPage):
    """The base of pages with codes: they are made, and ended one by one."""

    needs = Right.LINKS_EDIT
    buttons: ClassVar[tuple[str, ...]] = ("make", "end")

    @property
    def pages(self) -> str:
        """The addresses of the pages of tables."""
        return public_url(self.request, "/t/")

    def list_codes(self) -> Mapping[int, TableCode]:
        """The codes of this page, by table."""
        raise NotImplementedError

    def end(self, code: str) -> str:
        """End a code; its table has none until another is made."""
        wanted = parse_id(code)
        if wanted not in {row.pk for row in self.list_codes().values()}:
            raise NotThereError
        table_codes.revoke_code(code_id=wanted, by=self.by, at=self.at)
        return _("The code is ended. Make a new one and print it.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            is_reached=reaches_phones(self.pages),
            typing_page=typing_page(self.pages),
            own_certificate=settings.OWN_CERTIFICATE,
            **kwargs,
        )

    def show(self, codes: Mapping[int, TableCode]) -> list[ShownCode]:
        """Codes with nobody at their tables."""
        return [
            ShownCode(
                number,
                (),
                *squares(address := f"{self.pages}{token_of(code)}"),
                address,
                table_codes.short_code_of(code) or "",
                code,
            )
            for number, code in codes.items()
        ]


class Codes(EventMixin, CodesPage):
    """The codes of an event's tables, as big as the screen allows, and phones of its players."""

    template_name = "desk/codes.html"
    buttons = ("make", "end", "end_phone")

    def list_codes(self) -> Mapping[int, TableCode]:
        return table_codes.find_printable_codes(self.club.pk, self.event, [])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event, known = self.event, self.list_codes()
        rows = list(selectors.rounds(event))
        playing = next((row for row in rows if row.stage == Stage.PLAYING), None)
        drawn = next((row for row in rows if row.stage == Stage.DRAWN), None)
        seated = [] if playing is None else list(open_tables(event, [playing], self.pages, self.at))
        shown = [
            ShownCode(
                table.number,
                table.sitters,
                *squares(table.url),
                table.url,
                table.typed,
                known.get(table.number),
            )
            for table in seated
        ]
        others = {n: code for n, code in known.items() if n not in {one.number for one in shown}}
        shown_round = playing or drawn
        coming = [] if drawn is None else [table.number for table in drawn.tables.all()]
        shared = shared_names(event.club)
        return super().get_context_data(
            playing=playing,
            shown_round=shown_round,
            sits_out=[
                distinct_name(sit_out.entry.player, shared)
                for sit_out in shown_round.sit_outs.all()
            ]
            if shown_round is not None
            else [],
            codes=sorted(shown + self.show(others), key=lambda one: one.number),
            # Tables of four that the entries fill, if those that there were do not suffice.
            suggested=max([*known, *coming, max(1, -(-event.entries.count() // 4))]),
            phones=[
                (phone, distinct_name(phone.player, shared))
                for phone in phones.following_phones(event)
            ],
            **kwargs,
        )

    def make(self, tables: str) -> str:
        """Make codes for all tables up to a number."""
        numbers = range(1, parse_number(tables) + 1)
        made = table_codes.make_event_codes(
            event_id=self.event.pk, numbers=_limited(numbers), by=self.by, at=self.at
        )
        return _("New codes: %(count)d") % {"count": len(made)}

    def end_phone(self, phone: str) -> str:
        """End a phone that follows its player."""
        phones.end_phone(event_id=self.event.pk, phone_id=parse_id(phone), by=self.by, at=self.at)
        return _("The phone is ended. It can do nothing more tonight.")


class ClubCodes(CodesPage):
    """Codes that are good for every night of a club: printed once, and laid on the tables."""

    template_name = "desk/club_codes.html"

    def list_codes(self) -> Mapping[int, TableCode]:
        return table_codes.find_printable_codes(self.club.pk, None, [])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        known = self.list_codes()
        return super().get_context_data(
            codes=self.show(known), suggested=max([*known, 8]), **kwargs
        )

    def make(self, tables: str) -> str:
        """Make codes for all tables up to a number."""
        numbers = range(1, parse_number(tables) + 1)
        made = table_codes.make_club_codes(
            club_id=self.club.pk, numbers=_limited(numbers), by=self.by, at=self.at
        )
        return _("New codes: %(count)d") % {"count": len(made)}


def _limited(numbers: range) -> Iterable[int]:
    """Return as many as the service reads to refuse too many of them."""
    return numbers[: table_codes.TABLES_MAX + 1]


class Door(ButtonsMixin, EventMixin, DeskPage):
    """The code of an event to be hung up, and the buttons that make it and withdraw it."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/door.html"
    buttons: ClassVar[tuple[str, ...]] = ("open", "close")

    def open(self, _value: str) -> str:
        """Make a code, or another one."""
        door.open_door(event_id=self.event.pk, by=self.by, at=self.at)
        return _("Players can check themselves in with this code.")

    def close(self, _value: str) -> str:
        """Let nobody check themselves in any more."""
        door.close_door(event_id=self.event.pk, by=self.by, at=self.at)
        return _("Players can no longer check themselves in.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        door_code = DoorCode.objects.filter(event=self.event).first()
        context: dict[str, Any] = {"door": door_code}
        if door_code is not None:
            url = public_url(self.request, reverse("door-page", args=[door_code.code]))
            side, path = squares(url)
            context |= {
                "url": url,
                "entrance": public_url(self.request, reverse("door")).partition("//")[2],
                "side": side,
                "path": path,
                "is_reached": reaches_phones(url),
            }
        return super().get_context_data(**{**context, **kwargs})
