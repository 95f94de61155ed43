"""The plan of a game's settlement: what to write so that rows and books match its hands.

Everything that changes a game ends here, in the same transaction and under the game's lock:
`plan` looks without touching anything, `carry_out` writes what was planned.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import F

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from engine.games.board_states import start_board, start_next_board
from engine.record.game_state import GameState
from engine.record.rulings import Decision
from engine.rules.rules import Rules
from engine.rules.switches import Insolvency
from scoring.ledger import transfers
from scoring.ledger.transfers import Stamp
from scoring.models import (
    NOT_COUNTED,
    REASON_MAX,
    Certainty,
    Decided,
    Game,
    Hand,
    HandVersion,
    Phase,
    SealedPaper,
    State,
    Word,
)
from scoring.models.states import read_state, write_state
from scoring.selectors.games import lock_game
from scoring.settlement import reporting
from scoring.settlement.replay import HandInput, JudgedHand, fold, judge_entered
from scoring.settlement.sealed_papers import OpenPapers, paper_kinds, read_open_papers
from scoring.submissions.reading import SubmittedRecord, read_hand
from scoring.webhooks import subscriptions
from tournaments.core.actors import Source
from tournaments.core.errors import RefusedError
from tournaments.database.sql import insert_row
from tournaments.events.boards import with_deals
from tournaments.models import Board
from tournaments.models.club import Confirming

UNREADABLE: Final = (ValueError, LookupError, TypeError, AssertionError, ObjectDoesNotExist)
"""The errors that a game or hand raises whose rows are damaged or not all there."""


class GameOverError(RefusedError):
    """The game has ended; there is no next hand."""

    code = "GAME_OVER"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """A game as it would be: its hands from ``first`` on, judged anew; nothing is written.

    ``rows`` are the hands as they are now, by number; ``waiting`` come after a gap; ``withdrawn``
    are the last hands, which leave the game.
    """

    game: Game
    first: int
    hands: tuple[JudgedHand, ...]
    rows: Mapping[int, Hand]
    waiting: tuple[Hand, ...] = ()
    withdrawn: tuple[Hand, ...] = ()
    before: GameState

    @property
    def state(self) -> GameState:
        """The game state after the last planned hand."""
        return self.hands[-1].carried if self.hands else self.before

    @property
    def booked(self) -> int:
        """Count the hands that would be in the books: all before the first that is open."""
        booked = min(self.game.booked, self.first - 1)
        if booked < self.first - 1:
            return booked
        for played in self.hands:
            if not played.is_sure:
                break
            booked += 1
        return booked


NOTHING: Final[Mapping[int, HandInput]] = {}


def lock(game_id: UUID) -> Game:
    """Lock a game's row and return its current version. Raises Game.DoesNotExist."""
    game = lock_game(game_id)
    if game is None:
        raise Game.DoesNotExist
    return game


def lock_all(club_id: UUID, game_ids: Collection[UUID]) -> list[Game]:
    """Lock those of some games that are a club's, with their tables; the caller locked the club."""
    games = Game.objects.filter(club=club_id, pk__in=game_ids).order_by("pk")
    rows = games.select_for_update(no_key=True, of=("self",))
    return list(rows.select_related("club", "table__round__event"))


_RULES: dict[str, Rules] = {}
_RULES_MAX = 256


def rules_of(game: Game) -> Rules:
    """The rules that a game is played by.

    Parsed once: equal texts share one object, so comparing and hashing stay cheap.
    """
    rules = _RULES.get(game.rules)
    if rules is None:
        if len(_RULES) >= _RULES_MAX:
            _RULES.clear()
        rules = _RULES[game.rules] = Rules.from_json(game.rules)
    return rules


def read_carried_state_before(game: Game, number: int) -> GameState:
    """Return the state carried over to hand ``number``. Raises Hand.DoesNotExist."""
    if number == 1:
        return read_state(game.start)
    if number == game.hands + 1 and not game.boards_alike:
        return read_state(game.state)
    return read_state(_find_hand(game, number - 1).after)


def read_carried_state(game: Game) -> GameState:
    """Return the state after the last hand, by which a game that ends now is settled."""
    return read_carried_state_before(game, game.hands + 1)


def read_carried_states(games: Collection[Game]) -> dict[UUID, GameState]:
    """Return the states after the last hands of games, as they are saved. One query, or none."""
    alike = [game.pk for game in games if game.boards_alike]
    last = Hand.objects.filter(game__in=alike, rival=None, number=F("game__hands"))
    afters = dict(last.values_list("game", "after"))
    return {
        game.pk: read_state(
            afters.get(game.pk, game.start) if game.boards_alike or not game.hands else game.state
        )
        for game in games
    }


def state_before(game: Game, number: int) -> GameState:
    """Return the state in which hand ``number`` is played. Raises Hand.DoesNotExist.

    It differs from the carried state only on boards that begin alike at all tables.
    """
    if not game.boards_alike:
        return read_carried_state_before(game, number)
    if number == game.hands + 1:
        return read_state(game.state)
    board = _find_hand(game, number).board
    carried = read_carried_state_before(game, number)
    return start_board(rules_of(game), carried, board or carried.deals + 1)


def next_state(game: Game, carried: GameState) -> GameState:
    """Return the state in which the hand after ``carried`` is played."""
    return start_next_board(rules_of(game), carried) if game.boards_alike else carried


def _find_hand(game: Game, number: int) -> Hand:
    return Hand.objects.get(game=game, number=number, rival=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Rows about to be saved: a version of a hand, rulings, and the ids of withdrawn rulings.

    A plan counts these unsaved rows as if they were on record. ``record`` is the parsed record of
    ``version``, if it has been parsed already.
    """

    version: HandVersion | None = None
    record: SubmittedRecord | None = None
    rulings: tuple[Decided, ...] = ()
    taken_back: frozenset[UUID] = frozenset()


NO_DRAFT: Final = Draft()


def recorded_inputs(
    game: Game,
    rows: Iterable[Hand],
    *,
    changed: Mapping[int, HandInput] = NOTHING,
    draft: Draft = NO_DRAFT,
) -> list[HandInput]:
    """Load the inputs for judging some hands, in order, including ``draft``. Five queries.

    ``changed`` has inputs by hand number that replace what is stored.
    """
    inputs = _inputs_with_changes(game, rows, changed, draft)
    opened = opened_papers(game, [one.number for one in inputs])
    return [replace(one, opened=opened.get(one.number)) for one in inputs] if opened else inputs


def opened_papers(game: Game, numbers: Sequence[int]) -> dict[int, OpenPapers]:
    """Return the opened secret papers of some hands, and whether others are still sealed.

    One query; none if these rules have no secret papers.
    """
    if not paper_kinds(rules_of(game)):
        return {}
    return read_papers_by_hand(game, SealedPaper.objects.filter(game=game, hand__in=numbers))


def read_papers_by_hand(game: Game, sealed: Iterable[SealedPaper]) -> dict[int, OpenPapers]:
    """Return papers by hand number; those of a kind wait until all that were sealed are open.

    A seat that sealed nothing is not waited for (DEC-17); before its hand is told, no paper can be
    opened unless all seats have sealed theirs.
    """
    rows: dict[tuple[int, str], list[SealedPaper]] = {}
    if not paper_kinds(rules_of(game)):
        return {}
    for row in sealed:
        rows.setdefault((row.hand, row.kind), []).append(row)
    known: dict[int, list[SealedPaper]] = {number: [] for number, _ in rows}
    waiting: dict[int, set[int]] = {number: set() for number, _ in rows}
    for (number, _), papers in rows.items():
        closed = {one.seat for one in papers if one.opened_at is None}
        waiting[number] |= closed
        if not closed:
            known[number].extend(papers)
    return {
        number: replace(read_open_papers(papers, game.players), waiting=frozenset(waiting[number]))
        for number, papers in known.items()
    }


def _inputs_with_changes(
    game: Game,
    rows: Iterable[Hand],
    changed: Mapping[int, HandInput],
    draft: Draft,
) -> list[HandInput]:
    wanted = [row for row in rows if row.number not in changed]
    if not wanted:
        return [changed[number] for number in sorted(changed)]
    texts = current_versions(wanted)
    rulings = active_rulings(wanted, draft)
    said = _words_by_hand(wanted)
    open_rivals = Hand.objects.filter(rival__in=wanted, state=State.DISPUTED)
    contested = set(open_rivals.values_list("rival_id", flat=True))
    boards, deals = boards_alike(game), deals_of(game)
    found = dict(changed)
    for row in wanted:
        version, record = texts[row], None
        if draft.version is not None and draft.version.hand_id == row.pk:
            version, record = draft.version, draft.record
        made = [one for one in rulings.get(row, ()) if is_in_force(one, version.digest)]
        objection, confirmed = summarize_words(words_about(version, said.get(row, ())), made)
        found[row.number] = HandInput(
            number=row.number,
            record=record or read_hand(bytes(version.text)),
            rulings=tuple(one.decision() for one in made),
            objection=objection,
            contested=row.pk in contested,
            confirmed=confirmed,
            must_confirm=must_confirm(game, version),
            board=board_of(game, row.number),
            boards=boards,
            slot=row.board,
            deals=deals,
            old_law=bool(game.old_law),
        )
    return [found[number] for number in sorted(found)]


def board_of(game: Game, number: int) -> int | None:
    """The prepared deal of a hand by its number, in games whose boards do not begin alike."""
    boards = [] if game.table is None or game.boards_alike else game.table.boards
    return boards[number - 1] if number <= len(boards) else None


def boards_alike(game: Game) -> tuple[int, ...]:
    """The boards of a game's round, where each begins in the same state at all tables.

    Those that were played, where the game came out of an archive and is part of no event. One query
    then.
    """
    if not game.boards_alike:
        return ()
    if game.table is not None:
        return tuple(game.table.boards)
    rows = Hand.objects.filter(game=game, rival=None)
    played = set(rows.values_list("board", flat=True))
    return tuple(sorted(board for board in played if board is not None))


def deals_of(game: Game) -> dict[int, str]:
    """The prepared deals of a game's event, by board.

    One query where it has such, two more where a table tells a deal.
    """
    if game.table is None or not game.table.boards:
        return {}
    rows = with_deals(Board.objects.filter(event__round_rows__tables=game.table))
    return {row.number: row.deal for row in rows if row.deal}


def board_due(game: Game) -> int | None:
    """The number of the prepared deal that the next hand is played with, if there is one."""
    if not game.boards_alike:
        return board_of(game, game.hands + 1)
    board = read_state(game.state).deals + 1
    return board if board in boards_alike(game) else None


def must_confirm(game: Game, version: HandVersion) -> bool:
    """Whether a second seat has to confirm ``version``; an official's correction needs none."""
    is_official = 1 not in (version.number, version.restores) and version.source != Source.TABLE
    return game.confirming == Confirming.REQUIRED and not is_official


def words_about(version: HandVersion, words: Iterable[Word]) -> list[Word]:
    """Return the words on this version and on other versions with the same text."""
    return [word for word in words if word.version.digest == version.digest]


def current_versions(rows: Sequence[Hand]) -> dict[Hand, HandVersion]:
    """The version of each hand that stands. One query."""
    current = {(row.pk, row.current): row for row in rows}
    return {
        current[version.hand_id, version.number]: version
        for version in HandVersion.objects.filter(hand__in=rows)
        if (version.hand_id, version.number) in current
    }


def active_rulings(rows: Sequence[Hand], draft: Draft = NO_DRAFT) -> dict[Hand, list[Decided]]:
    """The rulings that hold, by hand: neither superseded nor withdrawals. One query."""
    by_id = {row.pk: row for row in rows}
    found: dict[Hand, list[Decided]] = {}
    standing = Decided.objects.filter(hand__in=rows, superseded_by=None, withdrawn=False)
    for one in (*standing.order_by("hand_id", "number"), *draft.rulings):
        if one.pk not in draft.taken_back and not one.withdrawn and one.hand_id in by_id:
            found.setdefault(by_id[one.hand_id], []).append(one)
    return found


_OF_ONE_RECORD: Final = (Decision.RESULT_STANDS, Decision.CARD_CORRECTED)


def is_in_force(ruling: Decided, record: str) -> bool:
    """Whether a ruling applies to ``record`` (a digest); some decisions are tied to one record."""
    decision = ruling.decision().decision
    return decision not in _OF_ONE_RECORD or ruling.record == record


def _words_by_hand(rows: Sequence[Hand]) -> dict[Hand, list[Word]]:
    by_id = {row.pk: row for row in rows}
    found: dict[Hand, list[Word]] = {}
    words = Word.objects.select_related("version").filter(version__hand__in=rows)
    for word in words.order_by("id"):
        found.setdefault(by_id[word.version.hand_id], []).append(word)
    return found


def summarize_words(words: Sequence[Word], rulings: Sequence[Decided]) -> tuple[str, bool]:
    """Return the open objection, or an empty text, and whether a second seat agreed.

    Only the last word of each seat counts, and none that came after the game was closed; who told
    the record is no second seat. A later ruling settles an objection, unless it is a warning or
    only lets later play stand.
    """
    last: dict[object, Word] = {}
    for word in words:
        if not word.is_late:
            last[word.by if word.seat is None else word.seat] = word
    ruled_at = find_ruled_at(rulings)
    objections = [
        word.why[:REASON_MAX] or Message("A seat objects.")
        for word in last.values()
        if not word.agrees and (ruled_at is None or word.at > ruled_at)
    ]
    agreed = any(word.agrees and not is_own_word(word) for word in last.values())
    return (objections[0] if objections else ""), agreed


def is_own_word(word: Word) -> bool:
    """Whether a seat speaks of what it told itself; a word that is not stored has no version."""
    return hasattr(word, "version") and word.seat is not None and word.seat == word.version.seat


def words_that_count(words: Sequence[Word]) -> list[Word]:
    """The words that say something of a hand, in order.

    None that came after the end; of what a seat told itself only that it is wrong, if it still is.
    """
    stood = {word.seat: word.agrees for word in words if not word.is_late and is_own_word(word)}
    return [
        word
        for word in words
        if not word.is_late and not (is_own_word(word) and (word.agrees or stood[word.seat]))
    ]


def find_ruled_at(rulings: Sequence[Decided]) -> datetime | None:
    """Return when the last ruling was made that settles objections; None if there is none."""
    return max((ruling.at for ruling in rulings if _decides(ruling)), default=None)


def _decides(ruling: Decided) -> bool:
    is_warning = ruling.decision().decision is Decision.WARNING
    return ruling.lets_stand_id is None and not is_warning


def plan(game: Game, first: int, *, changed: Mapping[int, HandInput] = NOTHING) -> GamePlan:
    """Judge a game again from hand ``first`` on; ``changed`` inputs replace those on record.

    Raises RulingError for an impossible ruling.
    """
    kept = Hand.objects.filter(game=game, rival=None, number__gte=first)
    rows = kept.exclude(state=State.TAKEN_BACK).order_by("number")
    return plan_of(game, list(rows), changed=changed)


def plan_without(game: Game, hand: Hand) -> GamePlan:
    """Plan a game without its last hand, which is taken back."""
    before = read_carried_state_before(game, hand.number)
    return GamePlan(
        game=game, first=hand.number, hands=(), rows={}, withdrawn=(hand,), before=before
    )


def plan_of(
    game: Game, hands: Sequence[Hand], *, changed: Mapping[int, HandInput] = NOTHING
) -> GamePlan:
    """Do the same for loaded rows: the first hand to be judged and all hands after it.

    There may be none that is part of the game: a game may end without a hand, or with one that
    waits for another before it.
    """
    due = game.hands + 1
    first = min(due, hands[0].number) if hands else due
    folded = [
        row
        for place, row in enumerate(hands)
        if row.number == first + place and row.state != State.TAKEN_BACK
    ]
    before = read_carried_state_before(game, first)
    known = {row.number: changed[row.number] for row in folded if row.number in changed}
    played = tuple(_judge_to_end(game, before, recorded_inputs(game, folded, changed=known)))
    return GamePlan(
        game=game,
        first=first,
        hands=played,
        rows={row.number: row for row in folded[: len(played)]},
        waiting=tuple(hands[len(played) :]),
        before=before,
    )


def _judge_to_end(
    game: Game, before: GameState, hands: Sequence[HandInput]
) -> Iterator[JudgedHand]:
    """Judge hands in order; if the game is over, stop before hands not yet part of it."""
    state = before
    for hand in hands:
        if state.over is not None and hand.number > game.hands:
            return
        played = judge_entered(rules_of(game), state, hand)
        yield played
        state = played.carried


def carry_out(plan: GamePlan, *, stamp: Stamp, fresh: Hand | None = None) -> None:
    """Write a plan: the hands' states, the game's, the books. The caller holds the lock.

    ``fresh`` is a hand that is not yet in the database.
    """
    touched = []
    changed: set[int] = set()
    stood = reporting.ReportedProgress.of(plan.game)
    for played in plan.hands:
        row = plan.rows[played.entered.number]
        if _update_hand(row, played, plan.game) and row is not fresh:
            touched.append(row)
            changed.add(row.number)
    if fresh is not None:
        insert_row(fresh)
    touched += _find_early_hands(plan)
    if touched:
        for row in touched:
            row.revision += 1
        columns = ["state", "certainty", "reason", "after", "board", "revision"]
        Hand.objects.bulk_update(touched, columns)
    changed |= _update_books(plan, stamp, fresh)
    _advance_game(plan)
    reporting.report(plan.game, plan.hands, first=plan.first, before=stood, at=stamp.at)
    later = sorted(changed - {plan.first})
    subscriptions.enqueue_resettled_hands(
        plan.game, [plan.rows[number] for number in later], at=stamp.at
    )


def _find_early_hands(plan: GamePlan) -> list[Hand]:
    """Void waiting hands if the game is over; return those that changed."""
    if plan.state.over is None:
        return []
    words = Message("The game ended with hand {number}.", number=plan.first - 1 + len(plan.hands))
    found = [row for row in plan.waiting if (row.state, row.reason) != (State.VOID, words)]
    for row in found:
        row.state, row.reason, row.after = State.VOID, words, ""
    return found


def refuse_debts(plan: GamePlan) -> None:
    """Raises RefusedError for a pot below nothing, and for chips where there is no debt (Q22)."""
    for played in plan.hands:
        if played.after.pot < 0 <= played.before.pot:
            words = Message(
                "Hand {number} would leave the pot with {pot} chips.",
                number=played.entered.number,
                pot=played.after.pot,
            )
            raise RefusedError(words, "pot")
    if rules_of(plan.game).insolvency is Insolvency.DEBT:
        return
    for played in plan.hands:
        for seat, chips in enumerate(played.after.chips):
            if chips < 0 <= played.before.chips[seat]:
                name = DEFAULT_SEATS[plan.game.players][seat]
                words = Message(
                    "Hand {number} would leave seat {seat} with {chips} chips, and these rules"
                    " know no debt.",
                    number=played.entered.number,
                    seat=name,
                    chips=chips,
                )
                raise RefusedError(words, "chips")


def _update_hand(row: Hand, played: JudgedHand, game: Game) -> bool:
    """Copy the judgment to its row, unsaved; return whether anything changed."""
    after = write_state(played.carried)
    now = (row.state, row.certainty, row.reason, row.after, row.board)
    then = (played.state, certainty(game, played), played.reason, after, played.slot)
    row.state, row.certainty, row.reason, row.after, row.board = then
    return now != then


def certainty(game: Game, played: JudgedHand) -> Certainty:
    """Return the certainty of a hand's result."""
    if game.phase == Phase.OFFICIAL and played.is_sure:
        return Certainty.OFFICIAL
    return Certainty.CONFIRMED if played.entered.confirmed else Certainty.PROVISIONAL


def _update_books(plan: GamePlan, stamp: Stamp, fresh: Hand | None) -> set[int]:
    """Post settled hands, reverse those that are open again; return the numbers changed."""
    booked = plan.booked
    hands = {played.entered.number: played for played in plan.hands}
    most = max(booked, plan.game.booked)
    wanted = {
        plan.rows[number]: hands[number].postings if number <= booked else ()
        for number in range(plan.first, most + 1)
        if number in hands
    } | dict.fromkeys(plan.withdrawn, ())
    if not wanted:
        return set()
    is_new = fresh is not None and list(wanted) == [fresh]
    return transfers.book(plan.game, wanted, stamp=stamp, is_new=is_new)


def _advance_game(plan: GamePlan) -> None:
    game = plan.game
    game.counted = _count_round_hands(plan)
    game.state = write_state(next_state(game, plan.state))
    game.hands = plan.first - 1 + len(plan.hands)
    game.booked = plan.booked
    if game.phase in (Phase.OPEN, Phase.OVER):
        game.phase = Phase.OVER if plan.state.over is not None else Phase.OPEN
    game.version += 1
    Game.all_objects.filter(pk=game.pk).update(
        state=game.state,
        hands=game.hands,
        booked=game.booked,
        counted=game.counted,
        phase=game.phase,
        version=game.version,
        frozen_at=game.frozen_at,
        closed_at=game.closed_at,
    )


def _count_round_hands(plan: GamePlan) -> int:
    """Count the hands that count towards the round; no query if only new hands are planned."""
    game = plan.game
    before = game.counted
    if plan.first <= game.hands:
        rows = Hand.objects.filter(game=game, rival=None, number__lt=plan.first)
        before = rows.exclude(state__in=NOT_COUNTED).count()
    return before + sum(played.state not in NOT_COUNTED for played in plan.hands)


def judge_recorded_hand(game: Game, hand: Hand) -> JudgedHand:
    """One hand of a game as it stands, in the state that the hand before it left."""
    before = read_carried_state_before(game, hand.number)
    return next(fold(rules_of(game), before, recorded_inputs(game, [hand])))
