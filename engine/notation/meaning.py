"""Turn a document into the hand record that it describes.

A record of a Hearts game has a Variant or Rules tag, or a tag that only Hearts records have. Any
other document is kept and written back, but means nothing here.
"""

from typing import Final

from ..core.cards import EMPTY
from ..core.faults import Severity
from ..core.messages import Message
from ..record.record import HandRecord
from .detail_level import check_level
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .document import Document
from .names import HEARTS_MARKS
from .sections import as_tables
from .sheet import DocumentReader
from .tables import (
    read_auction,
    read_bids,
    read_captures,
    read_deal_table,
    read_exchange,
    read_papers,
    read_play,
    read_pot,
    read_rebuys,
    read_rulings,
    read_scores,
    read_totals,
)
from .tags import (
    check_other_tags,
    check_scoring,
    read_claim,
    read_count,
    read_deal,
    read_declarer,
    read_detail,
    read_direction,
    read_ending,
    read_names,
    read_number,
    read_rules,
    read_seats,
)
from .values import read_money, read_suit

_TABLES_CHECKED: Final = frozenset(
    (
        "DealTable",
        "InsuranceTable",
        "PassTable",
        "CentreTable",
        "AuctionTable",
        "PlayTable",
        "CaptureTable",
        "RulingTable",
        "RebuyTable",
        "PotTable",
        "ScoreTable",
        "TotalScoreTable",
    )
)


def is_hearts(document: Document) -> bool:
    """Whether a document is the record of a Hearts game."""
    return any(tag.name in HEARTS_MARKS for tag in document.tags)


def record_of(
    document: Document, lines: list[str], first_line: int, report: DiagnosticCollector
) -> HandRecord | None:
    """The hand record that a document writes down; None when it is no Hearts record."""
    if not is_hearts(document):
        return None
    sheet = DocumentReader(as_tables(document, report), lines, first_line, report)
    sheet.sit(read_seats(sheet))
    record = _record(sheet)
    _check(sheet)
    check_scoring(sheet, record.rules)
    check_level(sheet, record, read_detail(sheet))
    return record


def _record(sheet: DocumentReader) -> HandRecord:
    dealt = read_deal(sheet)
    dealt_table = read_deal_table(sheet)
    deal = dealt if dealt is not None else dealt_table
    play, auction = read_play(sheet, deal), read_auction(sheet)
    currency = sheet.value("Currency") or None
    return HandRecord(
        seats=sheet.seats,
        rules=read_rules(sheet),
        number=read_number(sheet),
        dealer=sheet.read("Dealer", sheet.seat),
        names=read_names(sheet),
        ending=read_ending(sheet),
        stripped=sheet.cards_tag("Stripped"),
        deal=deal,
        centre=sheet.cards_tag("Centre") or EMPTY,
        papers=read_papers(sheet),
        direction=read_direction(sheet),
        exchange=read_exchange(sheet),
        bids=read_bids(sheet),
        auction=auction.calls,
        first_caller=auction.first,
        namer=read_declarer(sheet),
        pain=sheet.read("PainSuit", read_suit),
        jackpot=sheet.read("Jackpot", read_count(1)),
        columns=play.columns,
        play=play.cards,
        marks=play.marks,
        claim=read_claim(sheet),
        captures=read_captures(sheet),
        rulings=read_rulings(sheet),
        rebuys=read_rebuys(sheet),
        pot=read_pot(sheet),
        scores=read_scores(sheet),
        hands=sheet.read("Hands", read_count(0)),
        totals=read_totals(sheet),
        ante=sheet.read("Ante", read_money(currency or ""), strip=False),
        stake=sheet.read("Stake", read_money(currency or ""), strip=False),
        currency=currency,
    )


def _check(sheet: DocumentReader) -> None:
    check_other_tags(sheet)
    for tag in sheet.document.tags:
        if not tag.is_table or tag.name in _TABLES_CHECKED:
            continue
        wide = len(tag.columns)
        for index, row in enumerate(tag.rows):
            if len(row) != wide and not sheet.report.full:
                last = sheet.cell_spot(tag, index, len(row) - 1)
                message = Message(
                    "{table}: this row has {cells} cells for {columns} columns",
                    table=tag.name,
                    cells=len(row),
                    columns=wide,
                )
                spot = Spot(last.line, last.col, last.end, tag.name)
                sheet.report.add(NotationRule.ROW_LENGTH, spot, message, severity=Severity.WARNING)
