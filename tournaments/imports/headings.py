"""The fields of tables of people, and what is written above them in English and German."""

import re
from typing import Final

from engine.core.messages import Message
from tournaments.imports.fields import FieldKind, ImportField, fold_heading
from tournaments.imports.night_days import is_night, is_place_of_night
from tournaments.tables.input_model import Cell

_TOTAL: Final = re.compile(r"(?:total|sum|gesamt|summe)(?!\w)(?!.*(?:place|rank|platz|rang))")


def is_total(cell: Cell) -> bool:
    """Whether a heading is that of totals, with more words in it, such as "Total (best 8)".

    >>> is_total("Gesamt (8 beste)"), is_total("Gesamt Platz"), is_total("Summit")
    (True, False, False)
    """
    return _TOTAL.match(fold_heading(cell)) is not None


NAME_FIELDS: Final = (
    ImportField(
        key="name",
        label=Message("Name"),
        headings=("name", "names", "player", "member", "spieler", "spielerin", "mitglied"),
    ),
    ImportField(
        key="full",
        label=Message("Whole name"),
        headings=("full name", "whole name", "voller name", "ganzer name"),
    ),
    ImportField(
        key="surname_first",
        label=Message("Whole name, surname first"),
        headings=(
            *("surname first name", "surname and first name", "last name first name"),
            *("nachname vorname", "name vorname", "name und vorname", "familienname vorname"),
        ),
    ),
    ImportField(
        key="first",
        label=Message("First name"),
        headings=(
            *("first name", "firstname", "given name", "given names", "forename", "forenames"),
            *("christian name", "first", "vorname", "vornamen", "rufname"),
        ),
    ),
    ImportField(
        key="surname",
        label=Message("Surname"),
        headings=(
            *("surname", "last name", "lastname", "family name", "last", "nachname"),
            *("familienname", "zuname", "hausname"),
        ),
    ),
    ImportField(
        key="number",
        label=Message("Member number"),
        headings=(
            *("number", "no", "nr", "nummer", "member number", "member no", "membership number"),
            *("member id", "mitgliedsnummer", "mitgliedsnr", "mitglieds nr", "mitglied nr"),
            *("mitgliednummer", "spielernummer", "player number"),
        ),
    ),
)
MEMBER_FIELDS: Final = (
    *NAME_FIELDS,
    ImportField(
        key="email",
        label=Message("E-mail"),
        headings=(
            *("e mail", "email", "mail", "e mail address", "email address", "mailadresse"),
            *("e mail adresse", "email adresse"),
        ),
    ),
    ImportField(
        key="phone",
        label=Message("Telephone"),
        headings=(
            *("phone", "telephone", "mobile", "tel", "telefon", "handy", "telefonnummer", "mobil"),
            *("phone number", "telephone number", "handynummer", "rufnummer"),
        ),
    ),
    ImportField(
        key="kind",
        label=Message("Member, guest or visitor"),
        headings=("kind", "type", "status", "art", "mitgliedsart"),
    ),
    ImportField(
        key="note",
        label=Message("Remark"),
        headings=("note", "notes", "remark", "remarks", "notiz", "bemerkung", "bemerkungen"),
    ),
    ImportField(
        key="since",
        label=Message("Member since"),
        headings=(
            *("since", "member since", "joined", "joined on", "seit", "mitglied seit"),
            *("eintritt", "eintrittsdatum", "beitritt"),
        ),
        kind=FieldKind.DAY,
    ),
    ImportField(
        key="left",
        label=Message("Left on"),
        headings=("left", "left on", "austritt", "ausgetreten", "austrittsdatum", "gegangen"),
        kind=FieldKind.DAY,
    ),
)
OPENING_FIELDS: Final = (
    *NAME_FIELDS,
    ImportField(
        key="opening",
        label=Message("Points from before"),
        headings=(
            *("points", "total", "opening", "balance", "score", "punkte", "ubertrag"),
            *("gesamt", "summe", "punktestand", "stand"),
        ),
        kind=FieldKind.NUMBER,
    ),
    ImportField(
        key="events",
        label=Message("Nights they were made in"),
        headings=(
            *("events", "nights", "sessions", "played", "attended", "abende", "gespielt"),
            *("teilnahmen", "spielabende"),
        ),
    ),
    ImportField(
        key="division",
        label=Message("Division"),
        headings=("division", "gruppe", "staffel", "klasse"),
    ),
)
NIGHT_FIELDS: Final = (
    *NAME_FIELDS,
    ImportField(
        key="night_place",
        label=Message("A night: the places beside its points"),
        short=Message("places"),
        is_repeated=True,
        matches=is_place_of_night,
    ),
    ImportField(
        key="night",
        label=Message("A night: its points or places"),
        short=Message("night"),
        kind=FieldKind.NUMBER,
        is_repeated=True,
        matches=is_night,
    ),
    ImportField(
        key="day",
        label=Message("Day of the night"),
        headings=("date", "day", "datum", "tag", "played on", "gespielt am"),
        kind=FieldKind.DAY,
        fills_down=True,
    ),
    ImportField(
        key="event",
        label=Message("Name of the night"),
        headings=(
            *("night", "club night", "event", "evening", "session", "tournament", "abend"),
            *("clubabend", "spielabend", "turnier", "spieltag", "veranstaltung", "runde", "woche"),
            *("round", "week", "kw", "termin"),
        ),
        fills_down=True,
    ),
    ImportField(
        key="points",
        label=Message("Points"),
        headings=("points", "pts", "score", "result", "chips", "punkte", "pkt", "ergebnis"),
        kind=FieldKind.NUMBER,
    ),
    ImportField(
        key="place",
        label=Message("Place"),
        headings=("place", "rank", "position", "pos", "platz", "rang", "platzierung", "pl", "rg"),
    ),
    ImportField(
        key="games",
        label=Message("Games played"),
        headings=("games", "games played", "spiele", "partien", "anzahl spiele"),
        kind=FieldKind.NUMBER,
    ),
    ImportField(
        key="penalty",
        label=Message("Penalty, taken off the points"),
        short=Message("penalty"),
        headings=(
            *("penalty", "penalties", "penalty points", "deduction", "deductions", "malus"),
            *("strafe", "strafen", "strafpunkte", "abzug", "abzuge", "punktabzug", "abzuge punkte"),
        ),
        kind=FieldKind.NUMBER,
        is_repeated=True,
    ),
    ImportField(
        key="bonus",
        label=Message("Bonus, added to the points"),
        short=Message("bonus"),
        headings=(
            *("bonus", "bonuses", "bonus points", "bonuspunkte", "boni", "extra points"),
            *("zusatzpunkte", "gutschrift", "zuschlag", "adjustment", "adjustments", "correction"),
            *("korrektur", "korrekturen", "carried over", "mitgenommen", "attendance", "teilnahme"),
        ),
        kind=FieldKind.NUMBER,
        is_repeated=True,
    ),
    ImportField(
        key="division",
        label=Message("Division"),
        headings=("division", "gruppe", "group", "staffel", "klasse"),
    ),
    ImportField(
        key="counted",
        label=Message("How many nights count"),
        headings=("nights counted", "counted", "gewertete abende", "gewertet", "wertungen"),
        kind=FieldKind.NUMBER,
        is_check=True,
    ),
    ImportField(
        key="total",
        label=Message("Total, to check"),
        short=Message("to check"),
        headings=(
            *("total", "total points", "sum", "overall", "gesamt", "summe", "gesamtpunkte"),
            *(
                "insgesamt",
                "gesamtsumme",
                "gesamtpunktzahl",
                "punkte gesamt",
                "ges",
                "tot",
                "totaal",
            ),
            *("endstand", "stand", "punktestand", "final score", "season total", "gesamtergebnis"),
        ),
        kind=FieldKind.NUMBER,
        is_check=True,
        matches=is_total,
    ),
)
