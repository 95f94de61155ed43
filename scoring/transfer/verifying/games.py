"""One game, folded anew from its records and rulings alone, beside what is kept of it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias
from uuid import UUID

from django.db import DatabaseError

from engine.analysis.worth import worth_version
from engine.rules.rules import plays_for_chips
from engine.settlement.settlement import POT
from scoring.games import closing_postings
from scoring.hands.papers import seal_of
from scoring.ledger.transfers import Due
from scoring.models import NOT_COUNTED, EntryKind, Game, Hand, Phase, State
from scoring.models.states import digest, read_state, write_state
from scoring.settlement.plan import (
    board_of,
    boards_alike,
    certainty,
    is_in_force,
    must_confirm,
    next_state,
    read_carried_state,
    read_papers_by_hand,
    rules_of,
    summarize_words,
    words_about,
)
from scoring.settlement.replay import HandInput, JudgedHand, fold
from scoring.settlement.reporting import build_result_values
from scoring.submissions.reading import read_hand
from scoring.transfer.verifying import results
from scoring.transfer.verifying.difference import Discrepancy, states_differ
from scoring.transfer.verifying.stored_games import Kept, TransferRow, list_unreversed, name_of
from tournaments.invalidation import mark_players_of_game
from tournaments.models import Result, TableGame

Closings: TypeAlias = Mapping[UUID, list[tuple[str, str]]]
"""Where books and closings of games differ, what is kept and what is right, by game."""


def find_differences(kept: Kept, closings: Closings) -> Iterator[Discrepancy]:
    """Everything about a game that is not what its records and rulings come to.

    ``closings`` are where its books differ from its closing, if it is played for money
    (`compare_closings`).
    """
    game = kept.game
    yield from _records(kept)
    in_game = [hand for hand in kept.hands if hand.number <= game.hands]
    numbers = [hand.number for hand in kept.hands]
    if numbers[: game.hands] != list(range(1, game.hands + 1)):
        yield _of(game, None, "hand numbers", _runs(numbers), f"1-{game.hands}")
        return
    if game.hands + 1 in numbers and read_state(game.state).over is None:
        yield _of(game, game.hands + 1, "hands", str(game.hands), "the next one is there")
    yield from _outside(kept)
    for paper in kept.papers:
        right = seal_of(paper.value, paper.salt)
        if paper.value and paper.seal != right:
            what = f"seal of the {paper.kind} paper of seat {paper.seat + 1}"
            yield _of(kept.game, paper.hand, what, paper.seal, right)
    try:
        played = tuple(
            fold(rules_of(game), read_state(game.start), _recorded_inputs(kept, in_game))
        )
    except Exception as error:  # whatever damage does is told, not raised
        yield _of(game, None, "records", f"{type(error).__name__} ({error})", "a game")
        return
    for hand, one in zip(in_game, played, strict=True):
        yield from _hand(game, hand, one)
    yield from _game(game, played)
    if game.removed_at is not None:
        yield from _removed(kept)
        return
    yield from _books(kept, in_game, played)
    yield from _end(kept, closings)
    yield from results.find_differences(kept, played, _sure(played))


def value_cards(kept: Kept, *, at: datetime) -> None:
    """Write what the cards of a game's booked hands were worth, by the coefficients of today.

    Its lock is held. Raises whatever damage raises.
    """
    game = kept.game
    inputs = _recorded_inputs(kept, kept.hands[: game.booked])
    played = tuple(fold(rules_of(game), read_state(game.start), inputs))
    worths = {
        (values["number"], values["seat"]): values["worth"]
        for values in build_result_values(game, played, kept.sat)
    }
    rows = list(Result.objects.filter(game=game.pk))
    for row in rows:
        row.worth = worths.get((row.number, row.seat))
    Result.objects.bulk_update(rows, ["worth"])
    TableGame.objects.filter(pk=game.pk).update(worth_version=worth_version())
    mark_players_of_game(game.pk, at)


def _removed(kept: Kept) -> Iterator[Discrepancy]:
    """A game whose import was undone: all that it posted is taken back, and nothing counts it."""
    if rows := list_unreversed(kept):
        yield _of(kept.game, None, "transfers of a removed game", len(rows), 0)
    if kept.table_game is not None or kept.results:
        yield _of(kept.game, None, "results of a removed game", "some", "none")
    if kept.game.table_id is not None:
        yield _of(kept.game, None, "table of a removed game", kept.game.table_id, None)


def _of(game: Game, hand: int | None, what: str, kept: object, right: object) -> Discrepancy:
    return Discrepancy(
        club=game.club_id, game=game.pk, hand=hand, what=what, kept=str(kept), right=str(right)
    )


def _runs(numbers: list[int]) -> str:
    """Numbers in short.

    >>> _runs([1, 2, 3, 5, 6, 9])
    '1-3, 5-6, 9'
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1] = [found[-1][0], number]
        else:
            found.append([number])
    return ", ".join("-".join(map(str, run)) for run in found) or "none"


def _records(kept: Kept) -> Iterator[Discrepancy]:
    """Versions are numbered without gaps, the last one stands, and each is what was sent."""
    for hand in (*kept.hands, *kept.rivals):
        differs = partial(_of, kept.game, hand.number)
        versions = kept.versions.get(hand.pk, [])
        numbers = [version.number for version in versions]
        if not numbers or numbers != list(range(1, len(numbers) + 1)):
            yield differs("versions", _runs(numbers), f"1-{max(numbers, default=1)}")
        if hand.current != max(numbers, default=0):
            yield differs("current version", hand.current, max(numbers, default=0))
        for version in versions:
            made = digest(bytes(version.text))
            right = version.erased_digest or version.digest
            if right != made:
                yield differs(f"digest of version {version.number}", right, made)


_OF_RIVALS: Final = (State.DISPUTED, State.DRAFT, State.VOID, State.TAKEN_BACK)
"""What a second record can be; a draft came after the game was closed."""


def _outside(kept: Kept) -> Iterator[Discrepancy]:
    """Hands that wait for an earlier one, and second records, are part of nothing."""
    over = read_state(kept.game.state).over is not None
    for hand in kept.hands[kept.game.hands :]:
        # A hand that came before its turn is void where the game ended too early for it.
        right = (State.DRAFT, State.TAKEN_BACK, *([State.VOID] if over else []))
        if hand.state not in right or hand.after:
            yield _of(kept.game, hand.number, "waiting hand", hand.state, State.DRAFT)
    for rival in kept.rivals:
        if rival.state not in _OF_RIVALS or rival.after:
            yield _of(kept.game, rival.number, "second record", rival.state, State.VOID)


def _recorded_inputs(kept: Kept, hands: list[Hand]) -> Iterator[HandInput]:
    contested = {rival.rival_id for rival in kept.rivals if rival.state == State.DISPUTED}
    opened = read_papers_by_hand(kept.game, kept.papers)
    for hand in hands:
        versions = kept.versions.get(hand.pk, [])
        version = next(version for version in reversed(versions) if version.number == hand.current)
        made = [one for one in kept.rulings.get(hand.pk, ()) if is_in_force(one, version.digest)]
        objection, confirmed = summarize_words(
            words_about(version, kept.words.get(hand.pk, ())), made
        )
        yield HandInput(
            number=hand.number,
            record=read_hand(bytes(version.text)),
            rulings=tuple(one.decision() for one in made),
            objection=objection,
            contested=hand.pk in contested,
            confirmed=confirmed,
            must_confirm=must_confirm(kept.game, version),
            opened=opened.get(hand.number),
            board=board_of(kept.game, hand.number),
            boards=boards_alike(kept.game),
            slot=hand.board,
            old_law=bool(kept.game.old_law),
        )


def _hand(game: Game, hand: Hand, played: JudgedHand) -> Iterator[Discrepancy]:
    differs = partial(_of, game, hand.number)
    if hand.state != played.state:
        yield differs("state", hand.state, played.state)
    if hand.reason != played.reason:
        yield differs("reason", repr(hand.reason), repr(played.reason))
    sure = certainty(game, played)
    if hand.certainty != sure:
        yield differs("certainty", hand.certainty, sure)
    for name, mine, right in states_differ(hand.after, write_state(played.carried)):
        yield differs(f"{name} after it", mine, right)


def _game(game: Game, played: tuple[JudgedHand, ...]) -> Iterator[Discrepancy]:
    differs = partial(_of, game, None)
    state = played[-1].carried if played else read_state(game.start)
    following = write_state(next_state(game, state))
    for name, mine, right in states_differ(game.state, following):
        yield differs(f"{name} for the next hand", mine, right)
    counted = sum(one.state not in NOT_COUNTED for one in played)
    if game.counted != counted:
        yield differs("hands of the round", game.counted, counted)
    if game.booked != _sure(played):
        yield differs("hands in the books", game.booked, _sure(played))
    phase = Phase.OPEN if state.over is None else Phase.OVER
    if game.phase in (Phase.OPEN, Phase.OVER) and game.phase != phase:
        yield differs("phase", game.phase, phase)


def _sure(played: tuple[JudgedHand, ...]) -> int:
    return next((place for place, one in enumerate(played) if not one.is_sure), len(played))


def _books(kept: Kept, hands: list[Hand], played: tuple[JudgedHand, ...]) -> Iterator[Discrepancy]:
    """Compare the books with what was settled, hand by hand and account by account."""
    posted: dict[UUID | None, list[TransferRow]] = defaultdict(list)
    for row in list_unreversed(kept):
        posted[row.hand].append(row)
    sure = _sure(played)
    for hand, one in zip(hands, played, strict=True):
        right = (
            [(str(p.kind), p.payer, p.payee, p.amount) for p in one.postings]
            if hand.number <= sure
            else []
        )
        mine = [
            (row.kind, kept.names.get(row.payer), kept.names.get(row.payee), row.amount)
            for row in posted.pop(hand.pk, ())
        ]
        if mine != right:
            yield _of(kept.game, hand.number, "transfers", _format_rows(mine), _format_rows(right))
    others = posted.pop(None, [])
    if posted:
        strays = sum(map(len, posted.values()))
        yield _of(kept.game, None, "transfers of other hands", strays, 0)
    yield from _balances(kept, played[:sure], others)


def compare_closings(kept: Sequence[Kept]) -> Closings:
    """Compare the closings of games that are played for money with what was put down, by game.

    Raises whatever damage in one of several games raises; of one alone it is told.
    """
    games = [one.game for one in kept if _is_for_money(one)]
    try:
        return closing_postings.find_differences(games)
    except DatabaseError:
        raise
    except Exception as error:  # as with the records
        if len(kept) > 1:
            raise
        return {games[0].pk: [(f"{type(error).__name__} ({error})", "a closing")]}


def _is_for_money(kept: Kept) -> bool:
    rows = [row for row in list_unreversed(kept) if row.hand is None]
    return any(isinstance(kept.names.get(row.payee), tuple) for row in rows)


def _end(kept: Kept, closings: Closings) -> Iterator[Discrepancy]:
    """Compare the closing with what was put down: in chips at hand, in money as it is cleared."""
    game = kept.game
    found = closings.get(game.pk)
    if found is None:
        rows = [row for row in list_unreversed(kept) if row.hand is None]
        found = []
        mine = Counter(_plain(kept, row) for row in rows if _closes(kept, row))
        right = Counter(map(_due, _chips_back(game)))
        if mine != right:
            found = [(_format_rows([*mine.elements()]), _format_rows([*right.elements()]))]
    for kept_words, right_words in found:
        yield _of(game, None, "stakes and closing", kept_words or "none", right_words or "none")


def _chips_back(game: Game) -> list[Due]:
    if game.closed_at is None or not plays_for_chips(rules_of(game)):
        return []
    return closing_postings.build_chip_returns(game, read_carried_state(game))


def _due(due: Due) -> tuple[object, ...]:
    payer, payee = (name_of(one.holder, one.seat, one.unit) for one in (due.payer, due.payee))
    return str(due.kind), payer, _in_game(payee), due.amount


def _plain(kept: Kept, row: TransferRow) -> tuple[object, ...]:
    payer, payee = kept.names.get(row.payer), kept.names.get(row.payee)
    return row.kind, payer, _in_game(payee), row.amount


def _in_game(account: object) -> object:
    # The club's jackpot is the one account outside that chips go to.
    return "jackpot" if account is None or isinstance(account, tuple) else account


def _closes(kept: Kept, row: TransferRow) -> bool:
    jackpot = row.kind == EntryKind.JACKPOT and kept.names.get(row.payer) == POT
    return row.kind == EntryKind.RETURN or jackpot


def _format_rows(rows: Sequence[tuple[object, ...]]) -> str:
    parts = (
        f"{kind} {amount} from {_name(payer)} to {_name(payee)}"
        for kind, payer, payee, amount in rows
    )
    return "; ".join(parts) or "none"


def _name(account: object) -> str:
    return f"seat {account + 1}" if isinstance(account, int) else f"the {account}"


def _balances(
    kept: Kept, booked: tuple[JudgedHand, ...], others: list[TransferRow]
) -> Iterator[Discrepancy]:
    """Every account holds what the start and the booked hands gave it, and what came after."""
    start = read_state(kept.game.start)
    right: Counter[object] = Counter(dict(enumerate(start.chips)))
    right[POT] += start.pot
    for one in booked:
        for posting in one.postings:
            right[posting.payer] -= posting.amount
            right[posting.payee] += posting.amount
    _add(right, kept, [row for row in others if not _opens(kept, row)])
    held: Counter[object] = Counter()
    _add(held, kept, kept.transfers)
    is_closed = kept.game.phase in (Phase.CLOSED, Phase.OFFICIAL)
    for place in (*range(kept.game.players), POT):
        name = _name(place)
        if held[place] != right[place]:
            yield _of(kept.game, None, f"books of {name}", held[place], right[place])
        elif is_closed and held[place]:
            yield _of(kept.game, None, f"books of {name} after the end", held[place], 0)


def _add(to: Counter[object], kept: Kept, rows: list[TransferRow]) -> None:
    for row in rows:
        to[kept.names.get(row.payer)] -= row.amount
        to[kept.names.get(row.payee)] += row.amount


def _opens(kept: Kept, row: TransferRow) -> bool:
    """Whether a transfer only brings what the first hand finds: stacks, a jackpot of the club."""
    payee = kept.names.get(row.payee)
    return (row.kind == EntryKind.BUYIN and isinstance(payee, int)) or (
        row.kind == EntryKind.JACKPOT and payee == POT
    )
