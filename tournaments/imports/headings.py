"""What people write above the columns of their tables, in English and German."""

from typing import Final

from tournaments.imports.table import ColumnHeading

NAME_HEADINGS: Final = (
    ColumnHeading("name", ("name", "player", "member", "spieler", "spielerin", "mitglied")),
    ColumnHeading("full", ("full name", "whole name", "voller name", "ganzer name")),
    ColumnHeading(
        "first",
        (
            *("first name", "firstname", "given name", "given names", "forename", "forenames"),
            *("christian name", "vorname", "vornamen", "rufname"),
        ),
    ),
    ColumnHeading(
        "surname",
        (
            *("surname", "last name", "lastname", "family name", "nachname", "familienname"),
            *("zuname", "hausname"),
        ),
    ),
    ColumnHeading(
        "number",
        (
            *("number", "no", "nr", "nummer", "member number", "member no", "membership number"),
            *("member id", "mitgliedsnummer", "mitgliedsnr", "mitglieds nr", "mitglied nr"),
            *("mitgliednummer", "spielernummer", "player number"),
        ),
    ),
)
MEMBER_HEADINGS: Final = (
    *NAME_HEADINGS,
    ColumnHeading(
        "email", ("e mail", "email", "mail", "e mail address", "email address", "mailadresse")
    ),
    ColumnHeading(
        "phone",
        (
            *("phone", "telephone", "mobile", "tel", "telefon", "handy", "telefonnummer", "mobil"),
            *("phone number", "telephone number"),
        ),
    ),
    ColumnHeading("kind", ("kind", "type", "status", "art")),
    ColumnHeading(
        "note", ("note", "notes", "remark", "remarks", "notiz", "bemerkung", "bemerkungen")
    ),
    ColumnHeading("since", ("since", "member since", "seit", "mitglied seit", "eintritt")),
    ColumnHeading("left", ("left", "left on", "austritt", "ausgetreten")),
    # Identifiers of another installation say nothing here.
    ColumnHeading("id", ("identifier",)),
)
OPENING_HEADINGS: Final = (
    *NAME_HEADINGS,
    ColumnHeading(
        "opening", ("points", "total", "opening", "balance", "score", "punkte"), required=True
    ),
    ColumnHeading("events", ("events", "nights", "sessions", "played", "attended")),
    ColumnHeading("division", ("division",)),
)
