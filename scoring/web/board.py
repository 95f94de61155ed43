"""The table as it lies after any number of cards: hands, the trick on the table, what was taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.presentation.cards import CardFace, faces, one, suit_name, suit_symbol
from scoring.presentation.checks import Judged
from scoring.presentation.checks import Trick as TrickLine
from scoring.presentation.hand_view import HandView, SeatView
from scoring.web.engine_wording import sentence, with_cards


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand; ``play`` is when it leaves, counted from 0, ``loss`` what it cost then."""

    loss: str
    face: CardFace
    play: int | None
    gone: bool
    new_suit: bool


@dataclass(frozen=True, slots=True)
class Fan:
    """One seat with its cards, and what stands beside them.

    ``count`` is the chips or points in front of it, ``counts`` those after 0, 1, 2 ... tricks with
    blanks between them, as the script of the page reads them.
    """

    seat: str
    player: str
    cards: list[HeldCard]
    roles: list[str]
    taken: int
    taken_by_trick: str
    count: str
    counts: str


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card on the table; ``said`` is the state after it in a sentence, ``loss`` what it cost."""

    seat: str
    face: CardFace
    play: int
    trick: int
    lead: bool
    wins: bool
    fault: bool
    legal: list[CardFace]
    legal_codes: str
    notes: list[dict[str, Any]]
    last: bool
    shown: bool
    said: str
    loss: str


@dataclass(frozen=True, slots=True)
class PlayPosition:
    """A place to go to; ``value`` is record, trick and card for a form's button.

    ``keys`` are those of a keyboard that go there too.
    """

    key: str
    label: str
    keys: str
    play: int
    trick: int
    card: int
    value: str


@dataclass(frozen=True, slots=True)
class TimelineTrick:
    """A trick on the line of all tricks: its cards by seat, who took it, and how many points fell.

    ``height`` of its bar is of 24; ``colour`` is the place of the taker among the seats;
    ``has_fault``: a card of it was irregular.
    """

    number: int
    cards: list[TableCard | None]
    end: int
    pain: int
    height: int
    colour: int
    label: str
    has_fault: bool
    current: bool
    done: bool


@dataclass(frozen=True, slots=True)
class LeadUpStep:
    """A bid, a paper or a pass before the first card; ``group`` is what they all are."""

    group: str
    who: str
    what: str
    cards: list[CardFace]
    said: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A record as the viewer draws it; ``cursor`` is how many cards have been played."""

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
    pot: str
    pots: str
    timeline: list[TimelineTrick]
    lead_up: list[LeadUpStep]


def board(view: HandView, cursor: int) -> TableView | None:
    """Return the table of a hand after ``cursor`` cards; None if no card is known."""
    record, names = view.record, view.names
    if not record["tricks"] and not record["held"] and not record["deal"]:
        return None
    cursor = min(max(cursor, 0), len(flat(record)))
    played = _played_cards(view, cursor)
    opening = _opening(record, names)
    done = played[cursor - 1].trick - (not played[cursor - 1].last) if cursor else 0
    pots = _pots(record)
    return TableView(
        fans=[_fan(record, seat, played, cursor, done) for seat in view.seats],
        played=played,
        cursor=cursor,
        tricks=len(record["tricks"]),
        trick=played[cursor - 1].trick if cursor else 0,
        said=played[cursor - 1].said if cursor else opening,
        opening=opening,
        steps=_steps(played, cursor, view.number),
        seats=len(record["seats"]),
        has_cards=bool(record["held"] or record["deal"]),
        pain=f"{suit_symbol(record['pain'])} {suit_name(record['pain'])}".strip(),
        pot=pots[done] if pots else "",
        pots=" ".join(pots),
        timeline=_timeline(record, played, cursor, names),
        lead_up=_lead_up(view),
    )


def flat(record: Judged) -> list[tuple[TrickLine, int]]:
    """Every play in order, as its trick and its place in the trick."""
    return [(trick, place) for trick in record["tricks"] for place in range(len(trick["plays"]))]


def cursor_at(record: Judged, trick: int, card: int) -> int:
    """Return how many cards have been played at the end of a trick, or at its ``card``-th card.

    Numbers that are too small or too large are brought back to those that exist.
    """
    before = 0
    for line in record["tricks"]:
        size = len(line["plays"])
        if line["number"] == trick:
            return before + (min(card, size) if card > 0 else size)
        before += size
    return before if trick > len(record["tricks"]) else 0


def _played_cards(view: HandView, cursor: int) -> list[TableCard]:
    record, names = view.record, view.names
    places = flat(record)
    now = places[cursor - 1][0]["number"] if cursor else 0
    cards = []
    for index, (trick, place) in enumerate(places):
        play, last = trick["plays"][place], place + 1 == len(trick["plays"])
        face = one(play["card"])
        if face is None:
            continue
        loss = view.losses.get(index, "")
        said = _card_label(trick, place, face, len(record["tricks"]), names)
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
                said=f"{said} {loss}".rstrip(),
                loss=loss,
            )
        )
    return cards


def _notes(record: Judged, trick: int, seat: str) -> list[dict[str, Any]]:
    return [
        {**diagnostic, "message": with_cards(sentence(diagnostic["message"]))}
        for diagnostic in record["diagnostics"]
        if diagnostic["trick"] == trick
        and diagnostic["seat"] == seat
        and diagnostic["card"] is not None
    ]


def _card_label(
    trick: TrickLine, place: int, face: CardFace, tricks: int, names: Mapping[str, str]
) -> str:
    play = trick["plays"][place]
    words = _("leads the %(card)s") if place == 0 else _("plays the %(card)s")
    where = _("Trick %(number)d of %(tricks)d") % {"number": trick["number"], "tricks": tricks}
    said = f"{where}: {names[play['seat']]} {words % {'card': face.name}}."
    if place + 1 == len(trick["plays"]) and trick["winner"]:
        said += " " + _("%(seat)s takes the trick.") % {"seat": names[trick["winner"]]}
    return said


def _opening(record: Judged, names: Mapping[str, str]) -> str:
    if not record["tricks"]:
        return _("No card was played.")
    leader = names[record["tricks"][0]["leader"]]
    return _("Before the first lead: %(seat)s leads.") % {"seat": leader}


def _fan(record: Judged, sitting: SeatView, played: list[TableCard], cursor: int, done: int) -> Fan:
    seat = sitting.seat
    leaves = {(card.seat, card.face.code): card for card in reversed(played)}
    hands = record["held"] or record["deal"] or {}
    cards: list[HeldCard] = []
    for face in faces(hands.get(seat)):
        left = leaves.get((seat, face.code))
        play = None if left is None else left.play
        gone = play is not None and play < cursor
        new_suit = bool(cards) and cards[-1].face.suit != face.suit
        cards.append(HeldCard(left.loss if left else "", face, play, gone, new_suit))
    sums = _taken_sums(record, seat)
    counts = _counts(record, seat)
    return Fan(
        seat=seat,
        player=sitting.player,
        cards=cards,
        roles=_roles(record, seat),
        taken=sums[done],
        taken_by_trick=" ".join(map(str, sums)),
        count=counts[done] if counts else "",
        counts=" ".join(counts),
    )


def _counts(record: Judged, seat: str) -> list[str]:
    """Return the chips or points of a seat after 0, 1, 2 ... tricks; empty if they are not known.

    Where every card taken costs the same, chips change with each trick. Otherwise, and always in
    games for points, the value stays as before the hand until the last trick settles it.
    """
    rows = {row["seat"]: row["values"] for row in record["scores"] or ()}
    values = rows.get(seat, {})
    after = values.get("After", values.get("Total"))
    if after is None:
        return []
    before = values["Before"] if "Before" in values else after - values.get("Points", 0)
    taken = _taken_sums(record, seat)
    price = _price_of_card(record)
    if price is None:
        running = [before] * len(taken)
    else:
        start = before - values.get("Bid", 0)
        running = [start - number * price for number in taken]
    return [*map(str, running[:-1]), str(after)]


def _taken_sums(record: Judged, seat: str) -> list[int]:
    """Return how many points a seat has taken after 0, 1, 2 ... tricks."""
    fallen = (trick["pain"] if trick["winner"] == seat else 0 for trick in record["tricks"])
    return list(accumulate(fallen, initial=0))


def _price_of_card(record: Judged) -> int | None:
    """Return the chips that each card taken costs; None if that is not all that was paid."""
    paid: list[tuple[int, int]] = []
    for row in record["scores"] or ():
        values = row["values"]
        if "Paid" not in values:
            return None
        paid.append((abs(values["Paid"]), _taken_sums(record, row["seat"])[-1]))
    prices = {chips // taken for chips, taken in paid if taken}
    if len(prices) != 1 or any(chips != taken * min(prices) for chips, taken in paid):
        return None
    return min(prices)


def _pots(record: Judged) -> list[str]:
    """Return the pot after 0, 1, 2 ... tricks; empty if no pot is known."""
    pot = record["pot"]
    if pot is None:
        return []
    price = _price_of_card(record)
    if price is None:
        running = [pot["before"]] * (len(record["tricks"]) + 1)
    else:
        fallen = accumulate((trick["pain"] for trick in record["tricks"]), initial=0)
        running = [pot["before"] + pot["bid"] + price * number for number in fallen]
    return [*map(str, running[:-1]), str(pot["after"])]


def _timeline(
    record: Judged, played: list[TableCard], cursor: int, names: Mapping[str, str]
) -> list[TimelineTrick]:
    """The tricks in a line, with bars as high as the points that fell."""
    seats = record["seats"]
    most = max((trick["pain"] for trick in record["tricks"]), default=0) or 1
    now = played[cursor - 1].trick if cursor else 0
    cards: dict[int, dict[str, TableCard]] = {}
    for card in played:
        cards.setdefault(card.trick, {})[card.seat] = card
    line = []
    for trick in record["tricks"]:
        taker = names[trick["winner"]] if trick["winner"] else ""
        said = {"number": trick["number"], "taker": taker, "points": trick["pain"]}
        label = (
            _("Trick %(number)d: %(taker)s takes %(points)d") if taker else _("Trick %(number)d")
        ) % said
        fallen = cards.get(trick["number"], {})
        has_fault = any(card.fault for card in fallen.values())
        if has_fault:
            label = _("%(trick)s; a card was irregular") % {"trick": label}
        line.append(
            TimelineTrick(
                number=trick["number"],
                cards=[fallen.get(seat) for seat in seats],
                end=max((card.play + 1 for card in fallen.values()), default=0),
                pain=trick["pain"],
                height=max(4, 24 * trick["pain"] // most) if trick["pain"] else 0,
                colour=seats.index(trick["winner"]) if trick["winner"] else 0,
                label=label,
                has_fault=has_fault,
                current=trick["number"] == now,
                done=trick["number"] < now,
            )
        )
    return line


def _lead_up(view: HandView) -> list[LeadUpStep]:
    """Papers, passes, the auction for the centre and that for the suit, in their order."""
    record, names = view.record, view.names
    papers = [
        _step(_("Insurance papers"), names[seat], fact.value)
        for seat, fact in zip(record["papers"] or (), view.papers, strict=True)
    ]
    passes = [
        _step(
            _("Passed"),
            f"{names[row['from']]} → {names[row['to']]}",
            "",
            faces(row["cards"]),
        )
        for row in record["exchange"] or ()
    ]
    centre = [
        _step(_("Auction for the centre"), names[row["seat"]], str(row["bid"]), faces(row["card"]))
        for row in record["centre_bids"] or ()
        if row.get("card")
    ]
    calls = [
        _step(_("Auction"), names[row["seat"]], fact.value)
        for row, fact in zip(record["auction"] or (), view.calls, strict=True)
    ]
    return [*papers, *passes, *centre, *calls]


def _step(group: str, who: str, what: str, cards: list[CardFace] | None = None) -> LeadUpStep:
    words = " ".join([what, ", ".join(card.name for card in cards or ())]).strip()
    return LeadUpStep(group, who, what, cards or [], f"{group}. {who}: {words}")


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
        ("first", _("To the start"), pgettext("key", "Home"), 0),
        ("trick-back", _("One trick back"), "⇧ ←", max([e for e in ends if e < cursor] or [0])),
        ("back", _("One card back"), "←", max(cursor - 1, 0)),
        ("on", _("One card on"), "→", min(cursor + 1, end)),
        ("trick-on", _("One trick on"), "⇧ →", min([e for e in ends if e > cursor] or [end])),
        ("last", _("To the end"), pgettext("key", "End"), end),
    ]
    steps = []
    for key, label, keys, play in targets:
        trick = played[play - 1].trick if play else 0
        card = sum(1 for other in played[:play] if other.trick == trick)
        steps.append(PlayPosition(key, label, keys, play, trick, card, f"{number}.{trick}.{card}"))
    return steps
