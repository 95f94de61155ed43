"""Prescribed movements: pasted or imported, and checked before the first round (2.7)."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.messages import Message, PluralMessage, joined_sentences
from tournaments.movements.seating import ENTRANTS_MAX, ROUNDS_MAX, RoundSeating, SeatingError
from tournaments.movements.sizes import ALLOWED

_LONGEST: Final = 400_000
_SAID: Final = 8
_LABEL: Final = re.compile(r"^\s*(?:round|r)\s*\d+\s*[:.)]?\s*", re.IGNORECASE)
_OUT: Final = re.compile(r"^(?:out|sits? out|bye)\s*:?\s*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,\-]+")


def read_prescribed_rounds(
    source: str | Sequence[Any] | Mapping[str, Any],
    n: int,
    *,
    allowed: Collection[int] = ALLOWED,
    rounds: int | None = None,
) -> tuple[RoundSeating, ...]:
    """The rounds of a movement that somebody brings along, once they hold for n entrants.

    A text numbers players from 1. A line is a round and its tables are divided by ``|`` or ``;``;
    or a line is a table and an empty line ends the round. ``out: 5 6`` in the place of a table
    names who sits out. Data are rounds as `RoundSeating.to_data` gives them, or plain lists of
    tables, with entrants from 0. Raises SeatingError, which says all that is wrong.
    """
    if not 0 < n <= ENTRANTS_MAX:
        raise SeatingError(Message("A movement is for 1 to {most} players.", most=ENTRANTS_MAX))
    found = _parse_rounds(source) if isinstance(source, str) else _rounds_from_data(source)
    wrong = []
    if rounds is not None and len(found) != rounds:
        wrong.append(
            Message(
                "The movement has {rounds}, not {wanted}.",
                rounds=PluralMessage("{count} round", "{count} rounds", count=len(found)),
                wanted=rounds,
            )
        )
    for number, seating in enumerate(found, start=1):
        wrong += [
            Message("Round {number}: {fault}", number=number, fault=fault)
            for fault in faults(seating, range(n), allowed)
        ]
    if wrong:
        more = len(wrong) - _SAID
        shown = wrong[:_SAID]
        if more > 0:
            shown.append(Message("And {count} more.", count=more))
        raise SeatingError(joined_sentences(shown))
    return found


def faults(
    seating: RoundSeating, there: Collection[int], allowed: Collection[int] = ALLOWED
) -> Iterator[str]:
    """Yield faults of a round in which these are there; players are numbered from 1."""
    here = set(there)
    for number, table in enumerate(seating.tables, start=1):
        if len(table) not in allowed:
            players = PluralMessage("{count} player", "{count} players", count=len(table))
            yield Message("table {number} has {players}.", number=number, players=players)
    places = Counter([*seating.seated, *seating.sit_outs])
    for one, count in sorted(places.items()):
        if one not in here:
            yield Message("there is no player {number}.", number=one + 1)
        elif count > 1:
            times = Message("twice") if count == 2 else Message("{times} times", times=count)
            yield Message("player {number} is seated {times}.", number=one + 1, times=times)
    for one in sorted(here - set(places)):
        yield Message("player {number} has no seat.", number=one + 1)


def _check_rounds(rounds: int) -> None:
    if not 0 < rounds <= ROUNDS_MAX:
        raise SeatingError(
            Message(
                "A movement has 1 to {most} rounds, not {rounds}.",
                most=ROUNDS_MAX,
                rounds=rounds,
            )
        )


def _parse_rounds(text: str) -> tuple[RoundSeating, ...]:
    if len(text) > _LONGEST:
        raise SeatingError(Message("This text is too long for a movement."))
    lines = [_LABEL.sub("", line) for line in text.strip().splitlines()]
    if any(re.search("[|;]", line) for line in lines):
        parts = [re.split("[|;]", line) for line in lines if line.strip()]
    else:
        blocks = re.split(r"\n\s*\n", "\n".join(line.strip() for line in lines))
        parts = [block.splitlines() for block in blocks if block.strip()]
    _check_rounds(len(parts))
    return tuple(_round(number, tables) for number, tables in enumerate(parts, start=1))


def _round(number: int, parts: Sequence[str]) -> RoundSeating:
    tables: list[tuple[int, ...]] = []
    outs: list[int] = []
    for part in filter(str.strip, parts):
        words = part.strip()
        plain = _OUT.sub("", words)
        entrants = tuple(_entrant(number, word) for word in _BETWEEN.split(plain) if word)
        if plain != words:
            outs += entrants
        elif entrants:
            tables.append(entrants)
    return RoundSeating(tuple(tables), tuple(outs))


def _entrant(number: int, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 6):
        raise SeatingError(
            Message(
                "Round {number}: {word} is not the number of a player.",
                number=number,
                word=repr(word[:20]),
            )
        )
    if int(word) == 0:
        raise SeatingError(Message("Round {number}: players are numbered from 1.", number=number))
    return int(word) - 1


def _rounds_from_data(source: Sequence[Any] | Mapping[str, Any]) -> tuple[RoundSeating, ...]:
    rounds = source.get("rounds") if isinstance(source, Mapping) else source
    if not isinstance(rounds, Sequence) or isinstance(rounds, str):
        raise SeatingError(Message("A movement is a list of rounds."))
    _check_rounds(len(rounds))
    return tuple(_seating(number, each) for number, each in enumerate(rounds, start=1))


def _seating(number: int, found: object) -> RoundSeating:
    if isinstance(found, RoundSeating):
        return found
    if isinstance(found, Sequence) and not isinstance(found, str):
        found = {"tables": list(found)}
    if not isinstance(found, Mapping):
        raise SeatingError(Message("Round {number}: a round is a list of tables.", number=number))
    try:
        return RoundSeating.from_data(found)
    except SeatingError as error:
        raise SeatingError(
            Message("Round {number}: {fault}", number=number, fault=error.message),
            round_number=number - 1,
        ) from None
