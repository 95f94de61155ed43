"""What people write above the columns of their tables, in English and German."""

from typing import Final

from tournaments.imports.table import Heading

NAME_HEADINGS: Final = (
    Heading("name", ("name", "player", "member", "spieler", "spielerin", "mitglied")),
    Heading("full", ("full name", "whole name", "voller name", "ganzer name")),
    Heading(
        "first",
        (
            *("first name", "firstname", "given name", "given names", "forename", "forenames"),
            *("christian name", "vorname", "vornamen", "rufname"),
        ),
    ),
    Heading(
        "surname",
        (
            *("surname", "last name", "lastname", "family name", "nachname", "familienname"),
            *("zuname", "hausname"),
        ),
    ),
    Heading(
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
    Heading("email", ("e mail", "email", "mail", "e mail address", "email address", "mailadresse")),
    Heading(
        "phone",
        (
            *("phone", "telephone", "mobile", "tel", "telefon", "handy", "telefonnummer", "mobil"),
            *("phone number", "telephone number"),
        ),
    ),
    Heading("kind", ("kind", "type", "status", "art")),
    Heading("note", ("note", "notes", "remark", "remarks", "notiz", "bemerkung", "bemerkungen")),
    Heading("since", ("since", "member since", "seit", "mitglied seit", "eintritt")),
    Heading("left", ("left", "left on", "austritt", "ausgetreten")),
    # Identifiers of another installation say nothing here.
    Heading("id", ("identifier",)),
)
OPENING_HEADINGS: Final = (
    *NAME_HEADINGS,
    Heading("opening", ("points", "total", "opening", "balance", "score", "punkte"), required=True),
    Heading("events", ("events", "nights", "sessions", "played", "attended")),
    Heading("division", ("division",)),
)
