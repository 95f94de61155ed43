"""Build the document of a hand record, ready to be written (notation.md 3.3)."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

from ..core.cards import NAMES, Card, CardSet, Suit, suit_ranks
from ..core.seats import Seat, clockwise
from ..record.record import PASS_CALL, HandRecord, Paper
from ..rules.presets import variant_of
from ..rules.rules import Rules
from .canonical import is_canonical_tag
from .detail_level import level_with
from .document import Document, Row, Tag, is_table_name, quote
from .memo import Memo
from .names import PLAYERS, ROSTER, SECTIONS, is_name
from .tags import scoring_of
from .values import show_money

_KEPT_MAX: Final = 256
_variants: dict[str, dict[str, str]] = {}


def to_document(record: HandRecord, tags: Mapping[str, str] | None = None) -> Document:
    """The canonical document of a hand record.

    ``tags`` are further tags by name, such as Event, Site and Date; they win over the record's.
    The level of detail is the one that the record has.
    """
    values = dict(_BLANK)
    values.update(_names(record))
    values.update(_tags(record))
    own = set(values)
    values.update(tags or {})
    tables = [table for build in _BUILD if (table := build(record)) is not None]
    written = {table.name for table in tables if table.rows}
    deal = values["Deal"]
    values["Detail"] = level_with(written, values).value
    order = _ORDERS[tuple(values)]
    plain = [_PAIRS[name, values[name]] if name != "Deal" else Tag(name, deal) for name in order]
    everything = (*plain, *tables)
    if tags and not _are_settled(tags, own):
        return Document((), everything)
    return Document.settle(everything)


_BLANK: Final = {**dict.fromkeys(ROSTER, ""), "Event": "?", "Site": "?", "Date": "?"}
_FREE: Final = frozenset(("Event", "Site", "Date", "Scoring"))


def _order(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*ROSTER, *sorted({*names} - {*ROSTER}))


def _made_pair(pair: tuple[str, str]) -> Tag:
    return Tag(*pair)


_ORDERS: Final = Memo(_order, 256)
_PAIRS: Final = Memo(_made_pair)


def _are_settled(tags: Mapping[str, str], own: Set[str]) -> bool:
    """Whether further tags are canonical as they are, and do not touch the record's own."""
    for name, value in tags.items():
        if (name in own and name not in _FREE) or not _SETTLED[name, value]:
            return False
    return True


def _is_settled(pair: tuple[str, str]) -> bool:
    name, value = pair
    plain = is_name(name) and name[0].isupper() and not is_table_name(name)
    if not plain or name in (*SECTIONS, "Note", "Detail") or (value == "?" and name == "Scoring"):
        return False
    return is_canonical_tag(Tag(name, value))


_SETTLED: Final = Memo(_is_settled)


def _names(record: HandRecord) -> dict[str, str]:
    names = record.names or ("",) * record.players
    return {PLAYERS[seat]: name or "?" for seat, name in zip(record.seats, names, strict=True)}


def _tags(record: HandRecord) -> dict[str, str]:
    """The tags of the record itself, those that say something."""
    values = {
        "Board": _number(record.number),
        "Dealer": _seat(record, record.dealer),
        "Deal": format_deal(record),
        "Declarer": _seat(record, record.namer),
        "Seats": " ".join(record.seats),
    }
    optional = {
        "PainSuit": record.pain.letter if record.pain is not None else "",
        "Jackpot": _number(record.jackpot),
        "Pass": record.direction or "",
        "Stripped": _optional_cards(record.stripped),
        "Centre": _cards(record.centre) if record.centre else "",
        "Claim": _claim(record),
        "Termination": record.ending.value if record.ending else "",
        "Ante": _money(record, record.ante),
        "Stake": _money(record, record.stake),
        "Currency": record.currency or "",
        "Hands": _number(record.hands),
    }
    values.update({name: value for name, value in optional.items() if value})
    if record.rules is not None:
        values.update(rules_tags(record.rules))
    return values


def rules_tags(rules: Rules) -> dict[str, str]:
    """The tags Variant and Scoring, and Rules where they are not those of the variant."""
    kept = _variants.get(rules.digest)
    if kept is None:
        variant, overrides = variant_of(rules)
        kept = {"Variant": variant, "Scoring": scoring_of(rules)}
        if overrides:
            pairs = (f"{name.replace('_', '-')}={text}" for name, text in sorted(overrides.items()))
            kept["Rules"] = ";".join((f"{variant}/1", *pairs))
        if len(_variants) >= _KEPT_MAX:
            _variants.clear()
        _variants[rules.digest] = kept
    return kept


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _cell(number: int | None) -> str:
    return "-" if number is None else str(number)


def _seat(record: HandRecord, seat: Seat | None) -> str:
    return "" if seat is None else record.seats[seat]


def _optional_cards(cards: CardSet | None) -> str:
    return "" if cards is None else _cards(cards)


def _cards(cards: CardSet) -> str:
    """A set as `core.cards.show` writes it, from ranks that were met before."""
    ranks = _RANKS
    spades, hearts = ranks[cards >> 39], ranks[cards >> 26 & _SUIT]
    diamonds, clubs = ranks[cards >> 13 & _SUIT], ranks[cards & _SUIT]
    text = "S" + spades if spades else ""
    if hearts:
        text += "H" + hearts
    if diamonds:
        text += "D" + diamonds
    if clubs:
        text += "C" + clubs
    return text or "-"


def _card(card: Card | None) -> str:
    return "-" if card is None else NAMES[card]


def _money(record: HandRecord, minor: int | None) -> str:
    return "" if minor is None else show_money(minor, record.currency)


def _claim(record: HandRecord) -> str:
    claim = record.claim
    return "" if claim is None else f"{record.seats[claim.seat]} {claim.tricks}"


def format_deal(record: HandRecord) -> str:
    """The value of PBN's Deal tag, from the dealer on; nothing where four hands are not known."""
    if record.deal is None or record.players != 4:
        return ""
    first = record.dealer or Seat(0)
    hands = (_hand(record.deal[seat]) for seat in clockwise(first, 4))
    return f"{record.seats[first]}:{' '.join(hands)}"


def _hand(held: CardSet) -> str:
    if not held:
        return "-"
    ranks = _RANKS
    return (
        f"{ranks[held >> 39]}.{ranks[held >> 26 & _SUIT]}"
        f".{ranks[held >> 13 & _SUIT]}.{ranks[held & _SUIT]}"
    )


def _ranks_text(held: int) -> str:
    return suit_ranks(CardSet(held), Suit.CLUBS)


_RANKS: Final = Memo(_ranks_text, 8192)
_SUIT: Final = 0x1FFF


# Tables


def _make_table_tag(name: str, columns: Iterable[str], rows: Iterable[Row]) -> Tag:
    return Tag(name, ";".join(columns), rows=tuple(rows))


def _deal_table(record: HandRecord) -> Tag | None:
    if record.deal is None or record.players == 4:
        return None
    seats = clockwise(record.dealer or Seat(0), record.players)
    deal = record.deal
    rows = [
        (
            record.seats[seat],
            _RANKS[deal[seat] >> 39] or "-",
            _RANKS[deal[seat] >> 26 & _SUIT] or "-",
            _RANKS[deal[seat] >> 13 & _SUIT] or "-",
            _RANKS[deal[seat] & _SUIT] or "-",
        )
        for seat in seats
    ]
    return _make_table_tag("DealTable", ("Seat", "S", "H", "D", "C"), rows)


def _insurance_table(record: HandRecord) -> Tag | None:
    if record.papers is None:
        return None
    return _make_table_tag("InsuranceTable", record.seats, [tuple(map(_paper, record.papers))])


def _paper(paper: Paper) -> str:
    number = _number(paper.number)
    return ("F" if paper.foot else "") + number or "-"


def _pass_table(record: HandRecord) -> Tag | None:
    if record.exchange is None:
        return None
    rows = (
        (record.seats[passed.seat], record.seats[passed.to], _cards(passed.cards))
        for passed in record.exchange
    )
    return _make_table_tag("PassTable", ("From", "To", "Cards"), rows)


def _centre_table(record: HandRecord) -> Tag | None:
    if record.bids is None:
        return None
    rows = (
        (
            record.seats[bid.seat],
            _card(bid.card),
            str(bid.bid),
            _card(bid.shown),
            _card(bid.got),
            _cell(bid.pays),
        )
        for bid in record.bids
    )
    return _make_table_tag("CentreTable", ("Seat", "Card", "Bid", "Shown", "Got", "Pays"), rows)


def _auction_table(record: HandRecord) -> Tag | None:
    if record.auction is None:
        return None
    first = record.first_caller
    columns = [str(place + 1) for place in range(record.players)]
    if first is not None:
        columns = [record.seats[seat] for seat in clockwise(first, record.players)]
    calls = [_call(call) for call in record.auction]
    return _make_table_tag("AuctionTable", columns, _rows_of(calls, record.players))


def _call(call: int | None) -> str:
    return "Pass" if call == PASS_CALL else _cell(call)


def _rows_of(cells: Sequence[str], wide: int) -> list[Row]:
    return [tuple(cells[at : at + wide]) for at in range(0, len(cells), wide)]


def _play_table(record: HandRecord) -> Tag | None:
    if record.play is None:
        return None
    columns: Iterable[str]
    if record.columns is None:
        columns = (str(place + 1) for place in range(record.players))
    else:
        columns = (record.seats[seat] for seat in record.columns)
    if record.marks or None in record.play:
        marks = {place: f"^{mark}" for place, mark in record.marks.items()}
        cells = [
            marks.get(at, "") + _format_play(card, marked=at in marks)
            for at, card in enumerate(record.play)
        ]
    else:
        cells = [NAMES[card] for card in record.play if card is not None]
    return _make_table_tag("PlayTable", columns, _rows_of(cells, record.players))


def _format_play(card: Card | None, *, marked: bool) -> str:
    return NAMES[card] if card is not None else "" if marked else "-"


def _capture_table(record: HandRecord) -> Tag | None:
    captures = record.captures
    if captures is None:
        return None
    if all(taken.tricks is None for taken in captures):
        rows = ((record.seats[taken.seat], _cards(taken.cards)) for taken in captures)
        return _make_table_tag("CaptureTable", ("Seat", "Cards"), rows)
    counted = (
        (record.seats[taken.seat], _cell(taken.tricks), _cards(taken.cards)) for taken in captures
    )
    return _make_table_tag("CaptureTable", ("Seat", "Tricks", "Cards"), counted)


def _ruling_table(record: HandRecord) -> Tag | None:
    if not record.rulings:
        return None
    rows = (
        (
            _cell(ruling.trick),
            _seat(record, ruling.seat) or "-",
            _word(ruling.code),
            str(ruling.points),
            quote(ruling.text),
        )
        for ruling in record.rulings
    )
    return _make_table_tag("RulingTable", ("Trick", "Seat", "Code", "Points", "Text"), rows)


def _word(text: str) -> str:
    return text if _TOKEN.issuperset(text) and text else quote(text)


_TOKEN: Final = frozenset(chr(code) for code in range(33, 127)) - frozenset('[]{};"%')


def _rebuy_table(record: HandRecord) -> Tag | None:
    if not record.rebuys:
        return None
    rows = (
        (record.seats[rebuy.seat], rebuy.when.value, str(rebuy.stacks)) for rebuy in record.rebuys
    )
    return _make_table_tag("RebuyTable", ("Seat", "When", "Stacks"), rows)


def _pot_table(record: HandRecord) -> Tag | None:
    pot = record.pot
    if pot is None:
        return None
    row = tuple(map(str, (pot.before, pot.bid, pot.paid, pot.won, pot.after)))
    return _make_table_tag("PotTable", ("Before", "Bid", "Paid", "Won", "After"), [row])


def _score_table(record: HandRecord) -> Tag | None:
    if record.scores is None:
        return None
    seats = record.seats
    columns = list(dict.fromkeys([name for row in record.scores for name in row.values]))
    rows = [
        (seats[row.seat], *map(str, row.values.values()))
        if list(row.values) == columns
        else (seats[row.seat], *[_cell(row.values.get(name)) for name in columns])
        for row in record.scores
    ]
    return _make_table_tag("ScoreTable", ("Seat", *columns), rows)


def _total_table(record: HandRecord) -> Tag | None:
    totals = record.totals
    if totals is None:
        return None
    cash = any(row.cash is not None for row in totals)
    columns = ["-Rank", "Seat", "Names", "TotalScore", "Average", "Settlement"]
    rows = (
        (
            row.rank or "-",
            record.seats[row.seat],
            quote(row.name) if row.name else "-",
            _cell(row.total),
            row.average or "-",
            row.settlement or "-",
            *((row.cash or "-",) if cash else ()),
        )
        for row in totals
    )
    return _make_table_tag("TotalScoreTable", [*columns, "Cash"] if cash else columns, rows)


_BUILD: Final = (
    _deal_table,
    _insurance_table,
    _pass_table,
    _centre_table,
    _auction_table,
    _play_table,
    _capture_table,
    _ruling_table,
    _rebuy_table,
    _pot_table,
    _score_table,
    _total_table,
)
"""What makes the tables, in the order of the game."""
