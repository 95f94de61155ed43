"""The table as it lies after any number of cards: hands, the trick on the table, what was taken."""

from dataclasses import dataclass
from itertools import accumulate

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.presentation.cards import SYMBOLS, CardFace, faces, one, seat_name, suit_name
from scoring.presentation.checks import Judged
from scoring.presentation.checks import Trick as TrickLine
from scoring.web.engine_wording import sentence, with_cards


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand; ``play`` is when it leaves, counted from 0."""

    face: CardFace
    play: int | None
    gone: bool
    new_suit: bool


@dataclass(frozen=True, slots=True)
class Fan:
    """One seat with its cards, and what stands beside them."""

    seat: str
    name: str
    player: str
    cards: list[HeldCard]
    roles: list[str]
    taken: int
    taken_by_trick: str


@dataclass(frozen=True, slots=True)
class Note:
    """Why a card was irregular."""

    rule: str
    law: str
    message: SafeString


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card on the table; ``said`` is the state after it in one sentence."""

    seat: str
    face: CardFace
    play: int
    trick: int
    lead: bool
    wins: bool
    fault: bool
    legal: list[CardFace]
    legal_codes: str
    notes: list[Note]
    last: bool
    shown: bool
    said: str


@dataclass(frozen=True, slots=True)
class PlayPosition:
    """A place to go to; ``value`` is record, trick and card for a form's button."""

    key: str
    label: str
    sign: str
    play: int
    trick: int
    card: int
    value: str


@dataclass(frozen=True, slots=True)
class TableView:
    fans: list[Fan]
    played: list[TableCard]
    cursor: int
    tricks: int
    trick: int
    said: str
    opening: str
    steps: list[PlayPosition]
    seats: int
    has_cards: bool
    pain: str


def board(record: Judged, *, number: int, cursor: int) -> TableView | None:
    """The table of a record after ``cursor`` cards; None where no card is known."""
    if not record["tricks"] and not record["held"] and not record["deal"]:
        return None
    cursor = min(max(cursor, 0), len(flat(record)))
    played = _played_cards(record, cursor)
    opening = _opening(record)
    return TableView(
        fans=[_fan(record, seat, played, cursor) for seat in record["seats"]],
        played=played,
        cursor=cursor,
        tricks=len(record["tricks"]),
        trick=played[cursor - 1].trick if cursor else 0,
        said=played[cursor - 1].said if cursor else opening,
        opening=opening,
        steps=_steps(played, cursor, number),
        seats=len(record["seats"]),
        has_cards=bool(record["held"] or record["deal"]),
        pain=f"{SYMBOLS.get(record['pain'] or '', '')} {suit_name(record['pain'])}".strip(),
    )


def flat(record: Judged) -> list[tuple[TrickLine, int]]:
    """Every play in order, as its trick and its place in the trick."""
    return [(trick, place) for trick in record["tricks"] for place in range(len(trick["plays"]))]


def cursor_at(record: Judged, trick: int, card: int) -> int:
    """How many cards lie when a trick lies complete, or its first ``card`` cards.

    Nonsense is brought back to what there is.
    """
    before = 0
    for line in record["tricks"]:
        size = len(line["plays"])
        if line["number"] == trick:
            return before + (min(card, size) if card > 0 else size)
        before += size
    return before if trick > len(record["tricks"]) else 0


def _played_cards(record: Judged, cursor: int) -> list[TableCard]:
    places = flat(record)
    now = places[cursor - 1][0]["number"] if cursor else 0
    cards = []
    for index, (trick, place) in enumerate(places):
        play, last = trick["plays"][place], place + 1 == len(trick["plays"])
        face = one(play["card"])
        if face is None:
            continue
        cards.append(
            TableCard(
                seat=play["seat"],
                face=face,
                play=index,
                trick=trick["number"],
                lead=place == 0,
                wins=play["seat"] == trick["winner"],
                fault=play["fault"],
                legal=faces(play["legal"]),
                legal_codes=" ".join(card.code for card in faces(play["legal"])),
                notes=_notes(record, trick["number"], play["seat"]),
                last=last,
                shown=trick["number"] == now and index < cursor,
                said=_card_label(trick, place, face, len(record["tricks"])),
            )
        )
    return cards


def _notes(record: Judged, trick: int, seat: str) -> list[Note]:
    return [
        Note(one["rule"], one["law"] or "", with_cards(sentence(one["message"])))
        for one in record["diagnostics"]
        if one["trick"] == trick and one["seat"] == seat and one["card"] is not None
    ]


def _card_label(trick: TrickLine, place: int, face: CardFace, tricks: int) -> str:
    play = trick["plays"][place]
    words = _("leads the %(card)s") if place == 0 else _("plays the %(card)s")
    where = _("Trick %(number)d of %(tricks)d") % {"number": trick["number"], "tricks": tricks}
    said = f"{where}: {seat_name(play['seat'])} {words % {'card': face.name}}."
    if place + 1 == len(trick["plays"]) and trick["winner"]:
        said += " " + _("%(seat)s takes the trick.") % {"seat": seat_name(trick["winner"])}
    return said


def _opening(record: Judged) -> str:
    if not record["tricks"]:
        return _("No card was played.")
    leader = seat_name(record["tricks"][0]["leader"])
    return _("Before the first lead: %(seat)s leads.") % {"seat": leader}


def _fan(record: Judged, seat: str, played: list[TableCard], cursor: int) -> Fan:
    leaves = {(card.seat, card.face.code): card.play for card in reversed(played)}
    hands = record["held"] or record["deal"] or {}
    cards: list[HeldCard] = []
    for face in faces(hands.get(seat)):
        play = leaves.get((seat, face.code))
        gone = play is not None and play < cursor
        new_suit = bool(cards) and cards[-1].face.suit != face.suit
        cards.append(HeldCard(face, play, gone, new_suit))
    sums = list(
        accumulate(
            (trick["pain"] if trick["winner"] == seat else 0 for trick in record["tricks"]),
            initial=0,
        )
    )
    done = played[cursor - 1].trick - (not played[cursor - 1].last) if cursor else 0
    return Fan(
        seat=seat,
        name=seat_name(seat),
        player=record["players"].get(seat, ""),
        cards=cards,
        roles=_roles(record, seat),
        taken=sums[done],
        taken_by_trick=" ".join(map(str, sums)),
    )


def _roles(record: Judged, seat: str) -> list[str]:
    roles = []
    if record["dealer"] == seat:
        roles.append(_("dealer"))
    if record["bidder"] == seat and record["bid"] is not None:
        roles.append(_("bid %(bid)d") % {"bid": record["bid"]})
    elif record["namer"] == seat:
        roles.append(_("named the suit"))
    if record["claim"] and record["claim"]["seat"] == seat:
        roles.append(_("claimed"))
    return roles


def _steps(played: list[TableCard], cursor: int, number: int) -> list[PlayPosition]:
    ends = [0, *(card.play + 1 for card in played if card.last)]
    end = len(played)
    targets = [
        ("first", _("To the start"), "⏮", 0),
        ("trick-back", _("One trick back"), "⏪", max([e for e in ends if e < cursor] or [0])),
        ("back", _("One card back"), "◀", max(cursor - 1, 0)),
        ("on", _("One card on"), "▶", min(cursor + 1, end)),
        ("trick-on", _("One trick on"), "⏩", min([e for e in ends if e > cursor] or [end])),
        ("last", _("To the end"), "⏭", end),
    ]
    steps = []
    for key, label, sign, play in targets:
        trick = played[play - 1].trick if play else 0
        card = sum(1 for other in played[:play] if other.trick == trick)
        steps.append(PlayPosition(key, label, sign, play, trick, card, f"{number}.{trick}.{card}"))
    return steps
