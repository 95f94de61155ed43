"""What is judged at one look is judged as it would be card by card, right or wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from benchmarks.hands import TABLES, Table, record_of
from benchmarks.hands import played_out as play_out
from engine.core.cards import CardSet
from engine.core.seats import Seat
from engine.games.game import HandResult, judge_hand
from engine.record.game_state import beginning
from engine.record.record import HandRecord
from engine.replay import auctions, before_play, centre, claims, tricks
from engine.rules.rules import Rules, change
from tests.engine.table import seeded
from tests.examples import examples

_HANDS: Final = examples(8, 2)
_MISTAKES: Final = examples(25, 8)
_CHANGES: Final[tuple[dict[str, str], ...]] = (
    {},
    {"first_trick_penalty": "allowed"},
    {"pain_lead": "free"},
    {"hearts_plus_queen": "may_lead_heart"},
    {"first_leader": "low_club"},
)


def nothing(*_: object) -> None:
    """A short cut that leads nowhere."""


def judged_the_long_way(rules: Rules, record: HandRecord) -> HandResult:
    """The result without any short cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tricks, "_in_order", nothing)
        patch.setattr(tricks, "find_legal_course", nothing)
        patch.setattr(before_play, "passed_on", nothing)
        patch.setattr(before_play, "plain_numbers", nothing)
        patch.setattr(centre, "resolve_valid_bids", nothing)
        patch.setattr(auctions, "undisputed_contract", nothing)
        patch.setattr(claims, "_all_right", lambda *_: False)
        return judge_hand(rules, None, record)


def swapped(record: HandRecord, luck: Random) -> HandRecord:
    """Two cards of the play have changed places."""
    play = list(record.play or ())
    one, two = luck.sample(range(len(play)), 2)
    play[one], play[two] = play[two], play[one]
    return replace(record, play=tuple(play))


def swapped_by_one(record: HandRecord, luck: Random) -> HandRecord:
    """One player's cards in two tricks have changed places: all were held, some came too early."""
    play, players = list(record.play or ()), record.players
    column = luck.randrange(players)
    one, two = luck.sample(range(column, len(play), players), 2)
    play[one], play[two] = play[two], play[one]
    return replace(record, play=tuple(play))


def repeated(record: HandRecord, luck: Random) -> HandRecord:
    """A card is written twice, and another one not at all."""
    play = list(record.play or ())
    one, two = luck.sample(range(len(play)), 2)
    play[one] = play[two]
    return replace(record, play=tuple(play))


def moved(record: HandRecord, luck: Random) -> HandRecord:
    """A card of the deal lies in another hand, or is there twice."""
    deal = list(record.deal or ())
    giver, taker = luck.sample(range(len(deal)), 2)
    low = deal[giver] & -deal[giver]
    deal[taker] = CardSet(deal[taker] | low)
    if luck.random() < 0.5:
        deal[giver] = CardSet(deal[giver] & ~low)
    return replace(record, deal=tuple(deal))


def miswritten(record: HandRecord, luck: Random) -> HandRecord:
    """A number of the score table is another one."""
    rows = list(record.scores or ())
    place = luck.randrange(len(rows))
    values = dict(rows[place].values)
    values[luck.choice(list(values))] += luck.choice((-1, 1))
    rows[place] = replace(rows[place], values=values)
    return replace(record, scores=tuple(rows))


def misbid(record: HandRecord, luck: Random) -> HandRecord:
    """A call, a paper, a bid for the centre or a pass is another one, where there are any."""
    if record.auction:
        calls = list(record.auction)
        calls[luck.randrange(len(calls))] = luck.choice((None, -1, 0, 1, 2, 60))
        record = replace(record, auction=tuple(calls))
    if record.papers:
        papers = list(record.papers)
        wrong = replace(papers[0], number=luck.choice((None, -1, 7)), foot=luck.random() < 0.3)
        papers[luck.randrange(len(papers))] = wrong
        record = replace(record, papers=tuple(papers) if luck.random() < 0.3 else record.papers)
    if record.bids:
        bids = list(record.bids)
        place, other = luck.sample(range(len(bids)), 2)
        which = luck.choice(("card", "bid", "shown", "got", "pays", "seat"))
        wrong_bid: dict[str, Any] = {which: getattr(bids[other], which)}
        bids[place] = replace(bids[place], **wrong_bid)
        record = replace(record, bids=tuple(bids) if luck.random() < 0.7 else record.bids)
    if record.exchange:
        passes = list(record.exchange)
        place, other = luck.sample(range(len(passes)), 2)
        which = luck.choice(("cards", "to", "seat"))
        wrong_pass: dict[str, Any] = {which: getattr(passes[other], which)}
        passes[place] = replace(passes[place], **wrong_pass)
        record = replace(record, exchange=tuple(passes) if luck.random() < 0.5 else record.exchange)
    return record


def mistaken(record: HandRecord, luck: Random) -> Iterator[HandRecord]:
    """The record, and the record with mistakes."""
    yield record
    makers: tuple[Callable[[HandRecord, Random], HandRecord], ...]
    makers = (swapped, swapped_by_one, swapped_by_one, repeated, moved, miswritten, misbid)
    for _ in range(_MISTAKES):
        yield luck.choice(makers)(record, luck)


@pytest.mark.property
@pytest.mark.parametrize(("table", "changes"), list(product(TABLES, _CHANGES)), ids=str)
def test_short_cuts_lead_to_the_same_end(table: Table, changes: dict[str, str]) -> None:
    rules = change(table.rules, changes)
    luck, faultless = seeded(f"{table} {changes}"), 0
    for number in range(_HANDS):
        before = beginning(rules, table.players, Seat(number % table.players))
        hand = play_out(rules, before, luck)
        for record in mistaken(record_of(hand, 1), luck):
            result = judge_hand(rules, None, record)
            assert result == judged_the_long_way(rules, record)
            faultless += not result.faults
    assert faultless >= _HANDS
