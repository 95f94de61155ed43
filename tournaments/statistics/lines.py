"""Input of statistics: a player's line for one hand, and for one table.

Whoever feeds lines chooses them: a season, an event, one rule set, one rival.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.core.cards import Suit
from engine.core.seats import Seat, left_of
from engine.core.values import maker, quickly_made
from engine.record.record import HandRecord
from engine.rules.rules import Rules
from engine.rules.switches import Moon, PainBy, SettledBy, Toggle
from engine.settlement import averages
from engine.settlement.settlement import Kind, Settlement

Exact = int | Fraction


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerHandLine:
    """A player's deeds in one hand; None where the record does not say.

    ``night`` sorts like the calendar and names one session of this player; ``number`` counts the
    hands of it from 0. ``seat`` counts from the eldest, 1, to the dealer; ``after_namer`` from
    the namer, 0, to the left. ``bid`` is their own call, 0 for a pass; ``paid`` what they bid where
    they won the auction, ``second`` the highest call of the others then. ``captured`` counts pain
    cards, of ``whole`` in the pack; ``net`` is what they gained, in chips or as points below the
    average. ``pot`` lay there before the hand, ``played_for`` at its end; ``won`` is their part of
    it, ``sharers`` how many had one (0 if they had none). ``insured`` is the number on their paper.
    ``luck`` and ``skill`` are those of a duplicate deal; ``worth`` is that of the cards, in the
    unit of ``net``. ``is_other_unit``: what was gained is not in the unit in which gains are added
    up.
    """

    player: str
    night: str
    number: int
    players: int
    net: Exact | None = None
    seat: int | None = None
    after_namer: int | None = None
    captured: int | None = None
    whole: int = 13
    bid: int | None = None
    paid: int | None = None
    second: int | None = None
    named: bool | None = None
    suit: Suit | None = None
    jackpot: bool | None = None
    pot: int | None = None
    played_for: int | None = None
    won: int | None = None
    sharers: int | None = None
    queen: bool | None = None
    moon: bool | None = None
    insured: int | None = None
    foot: bool | None = None
    luck: Exact | None = None
    skill: Exact | None = None
    worth: Exact | None = None
    is_other_unit: bool = False


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody else at the table: their place, and what they gained."""

    player: str
    place: int
    net: Exact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A player's result at one table (a game); None where nobody knows.

    ``number`` counts the tables of the night from 0. ``expected`` is the part of the others whom
    ratings expected them to beat, ``met`` the mean rating of the others; ``half_place`` their place
    at half-time.
    """

    player: str
    night: str
    number: int
    place: int
    net: Exact | None
    rivals: tuple[Rival, ...]
    half_place: int | None = None
    expected: float | None = None
    met: float | None = None

    @property
    def players(self) -> int:
        """The number of players there."""
        return len(self.rivals) + 1


def without_gain(line: PlayerHandLine | TableLine) -> PlayerHandLine | TableLine:
    """A line that tells no gain: for games in another unit than those whose gains are added up."""
    if isinstance(line, PlayerHandLine):
        return replace(line, net=None, is_other_unit=line.net is not None)
    rivals = tuple(replace(rival, net=None) for rival in line.rivals)
    return replace(line, net=None, rivals=rivals)


_hand_line = maker(PlayerHandLine)


def hand_lines(
    rules: Rules,
    settled: Settlement,
    players: Sequence[str],
    when: tuple[str, int],
    record: HandRecord | None = None,
) -> list[PlayerHandLine]:
    """The lines of a hand that was settled, by seat.

    ``when`` are the night and the number of the hand in it; ``record`` tells the calls, where
    they were written down.
    """
    facts, before = settled.facts, settled.before
    size = before.players
    eldest = left_of(before.dealer, size)
    played = bool(facts.taken) and facts.status.settles
    pot = played and rules.settlement is SettledBy.POT
    auction = rules.pain is PainBy.AUCTION
    calls = _calls(record, eldest, size)
    nets = _nets(settled)
    shooter = settled.score.shooter if settled.score is not None else None
    night, number = when
    return [
        _hand_line(
            player=player,
            night=night,
            number=number,
            players=size,
            net=nets[seat] if played else None,
            seat=(seat - eldest) % size + 1,
            after_namer=None if facts.namer is None else (seat - facts.namer) % size,
            captured=facts.taken[seat] if played else None,
            whole=facts.whole,
            bid=calls[seat],
            paid=facts.bid if facts.bidder == seat else None,
            second=_second(settled, Seat(seat), calls),
            named=None if facts.namer is None else seat == facts.namer,
            suit=facts.pain if auction else None,
            jackpot=before.jackpot > 0 if auction else None,
            pot=before.pot if auction else None,
            played_for=settled.moved(Kind.AWARD) + settled.after.pot if pot else None,
            won=settled.moved(Kind.AWARD, payee=Seat(seat)) if pot else None,
            sharers=(len(settled.winners) if Seat(seat) in settled.winners else 0) if pot else None,
            queen=None if facts.queen is None else seat == facts.queen,
            moon=seat == shooter if played and rules.moon is not Moon.NONE else None,
            insured=facts.papers[seat] if facts.papers else None,
            foot=seat in facts.feet if rules.foot is Toggle.ON else None,
        )
        for seat, player in enumerate(players)
    ]


def _nets(settled: Settlement) -> list[Exact]:
    """Return everybody's gain: chips but for what they bought, or points below the average."""
    if settled.score is not None:
        return [*averages.net(settled.score.points)]
    nets: list[Exact] = [
        after - before
        for before, after in zip(settled.before.chips, settled.after.chips, strict=True)
    ]
    for posting in settled.postings:
        if posting.kind in (Kind.BUYIN, Kind.REBUY) and isinstance(posting.payee, int):
            nets[posting.payee] -= posting.amount
    return nets


def _calls(record: HandRecord | None, eldest: Seat, players: int) -> list[int | None]:
    """The highest call of each seat, 0 for a pass, None where it is not known."""
    calls: list[int | None] = [None] * players
    if record is None or record.auction is None or None in record.auction:
        return calls
    first = eldest if record.first_caller is None else record.first_caller
    for place, call in enumerate(record.auction):
        seat = (first + place) % players
        calls[seat] = max(call or 0, calls[seat] or 0, 0)
    return calls


def _second(settled: Settlement, seat: Seat, calls: Sequence[int | None]) -> int | None:
    """The highest call of the others, for whoever won the auction."""
    others = [call for other, call in enumerate(calls) if other != seat]
    if settled.facts.bidder != seat or None in others:
        return None
    return max(call or 0 for call in others)
