"""Texts and records to draw from, for the properties of the notation."""

from pathlib import Path

from hypothesis import strategies as st

from engine.core.cards import CARDS, PACK, Card, CardSet, Suit, card_set
from engine.core.seats import DEFAULT_SEATS, Seat, clockwise
from engine.notation import Document, Reader, RecordEntry, Tag
from engine.notation.lexer import cell_spans
from engine.record.record import (
    PASS_CALL,
    CapturedCards,
    CentreBid,
    Ending,
    HandRecord,
    Paper,
    PassedCards,
    PotRow,
    RulingRow,
    ScoreRow,
)
from engine.rules.presets import PRESETS

SAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parent / "samples").glob("*.phn"))]

FRAGMENTS = [
    "\n", "\n\n", "\r\n", "\r", " ", "\t", "[", "]", '"', "{", "}", ";", "%", "\\", "=", "#", "##",
    "$1", "=1=", "^R", "*", "+", "-", "?", "AP", "Pass", "4", "S2", "SA", "hq", "10", "\u2660A",
    '[Event "x"]', '[Event "#"]', '[Event "##y"]', '[Board "7"]', '[Dealer "N"]', '[Seats "E S W"]',
    '[Variant "insurance"]', '[Detail "full"]', '[Detail "play"]', "[Site Leiden]", '[event "z"]',
    '[Deal "N:AK... .AK.. ..AK. -"]', '[PainSuit "h"]', '[Note "1:text"]', '[X_Own "\\"q\\\\"]',
    '[PlayTable "N;E;S;W"]\n', '[PlayTable "1;2;3;4"]\n', '[Play "N"]\n', '[Auction "N"]\n',
    '[AuctionTable "N;E;S;W"]\n', '[ScoreTable "Seat;Points"]\n', '[NoteTable "Id;Text"]\n1 "a"\n',
    '[OwnTable "A;B"]\n', '[Own "section"]\n', '[DealTable "Seat;S;H;D;C"]\n',
    "{comment}", "; to end",
    "%escape\n", "% PHN 1.0\n", "% PBN 2.1\n", "\x00", "\u202e", "\u0422", "\u00e9",
    "e\u0301", "\ufeff",
    "%Content-type: text/x-pbn; charset=ISO-8859-1\n",
]  # fmt: skip


def written_values(text: str) -> list[tuple[int, int]]:
    """Where the values of tags, without their quotes, and the cells of rows stand in a text."""
    spans, start = list[tuple[int, int]](), 0
    for line in text.splitlines(keepends=True):
        if line[0] == "[":
            spans.append((start + line.index('"') + 1, start + line.rindex('"')))
        elif line[0] not in "%{\n":
            spans += [(start + col - 1, start + end - 1) for col, end in cell_spans(line)]
        start += len(line)
    return spans


fragment_texts = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)


@st.composite
def mutated_samples(draw: st.DrawFn) -> bytes:
    """A sample with a few cuts, doublings and strange bytes in it."""
    text = draw(st.sampled_from(SAMPLES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 60)))
        middle = draw(
            st.one_of(
                st.just(b""),
                st.just(text[at:end] * 2),
                st.sampled_from(FRAGMENTS).map(str.encode),
                st.binary(max_size=4),
            )
        )
        text = text[:at] + middle + text[end:]
    return text


class _Slow(Reader):
    def _read_fast(self, chunk: object) -> None:
        del chunk


def read_slowly(source: bytes | str) -> list[RecordEntry]:
    """The entries of a source, each read the complete way."""
    return list(_Slow(source))


# Documents

_values = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")),
    max_size=20,
).filter(lambda text: not text.startswith("#"))
_names = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in ("Note", "Auction", "Play", "Seats", "Deal", "Event", "Board")
)
_tokens = st.text("ABCxyz0123456789.,:=$^*+-?!_", min_size=1, max_size=6)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A document with any tags and tables, not in any order."""
    names = draw(st.lists(_names, max_size=6, unique=True))
    tags = [Tag(name, draw(_values)) for name in names]
    for name in draw(st.lists(_names, max_size=2, unique=True)):
        wide = draw(st.integers(1, 4))
        row = st.lists(_tokens, min_size=wide, max_size=wide).map(tuple)
        columns = ";".join(f"C{place}" for place in range(wide))
        rows = tuple(draw(st.lists(row, max_size=4)))
        tags.append(Tag(f"X_{name}Table", columns, rows=rows))
    return Document((), tuple(tags))


# Hand records

_small = st.integers(0, 60)


@st.composite
def records(draw: st.DrawFn) -> HandRecord:
    """A hand record with any parts filled in, right or wrong."""
    rules = draw(st.sampled_from(list(PRESETS.values())))
    players = draw(st.integers(rules.players.least, rules.players.most))
    seats = DEFAULT_SEATS[players]
    shuffled = draw(st.permutations(CARDS))
    pack = [card for card in shuffled if rules.pack(players) >> card & 1]
    size = len(pack) // players
    dealer = Seat(draw(st.integers(0, players - 1)))
    first = Seat((dealer + 1) % players)
    holdings = tuple(card_set(pack[at * size : (at + 1) * size]) for at in range(players))
    played = pack[: size * players]
    score = st.fixed_dictionaries({"Points": st.integers(-20, 99), "Total": _small})
    amounts = st.builds(PotRow, _small, _small, _small, _small, _small)
    calls = st.tuples(*[st.one_of(st.none(), st.integers(PASS_CALL, 60))] * players)
    papers = st.tuples(*[st.builds(Paper, st.one_of(st.none(), st.integers(0, 7)))] * players)
    everybody = [Seat(place) for place in range(players)]
    sets = st.lists(st.sampled_from(CARDS), max_size=4).map(card_set)
    return HandRecord(
        seats=seats,
        rules=rules,
        number=draw(st.one_of(st.none(), st.integers(1, 999))),
        dealer=dealer,
        names=draw(st.sampled_from([(), tuple(f"Player, {seat}" for seat in seats)])),
        ending=Ending.NORMAL,
        stripped=draw(st.one_of(st.none(), st.just(rules.stripped(players)))),
        deal=holdings,
        papers=draw(st.one_of(st.none(), papers)),
        exchange=draw(
            st.one_of(st.none(), st.just(tuple(_passed(seat, players) for seat in everybody)))
        ),
        bids=draw(st.one_of(st.none(), st.just(tuple(_centre_bid(seat) for seat in everybody)))),
        auction=draw(st.one_of(st.none(), calls)),
        namer=draw(st.sampled_from(everybody)),
        pain=draw(st.sampled_from(Suit)),
        jackpot=draw(st.one_of(st.none(), st.integers(1, 9))),
        columns=tuple(clockwise(first, players)),
        play=tuple(Card(card) for card in played),
        marks=draw(st.sampled_from([{}, {3: "R"}])),
        captures=draw(
            st.one_of(
                st.none(),
                st.tuples(*[st.builds(CapturedCards, st.just(seat), sets) for seat in everybody]),
            )
        ),
        rulings=draw(st.sampled_from([(), (RulingRow(1, first, "revoke", 2, 'a "b" \\'),)])),
        pot=draw(st.one_of(st.none(), amounts)),
        scores=tuple(ScoreRow(seat, draw(score)) for seat in everybody),
        ante=draw(st.one_of(st.none(), _small)),
    )


def _passed(seat: Seat, players: int) -> PassedCards:
    cards = CardSet(0b111 << 3 * seat & PACK)
    return PassedCards(seat, Seat((seat + 1) % players), cards)


def _centre_bid(seat: Seat) -> CentreBid:
    return CentreBid(seat, Card(seat), seat, Card(seat + 8), None, None)
