"""Hands: entered, looked at, confirmed or objected to, corrected."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import QuerySet

from engine.messages import Message
from scoring.api import forms
from scoring.api.places import GameDoor, HandDoor, game_of, hand_of, in_full
from scoring.hands import corrections, recording
from scoring.hands.corrections import Choosing, Corrected, Correction
from scoring.hands.recording import OtherContentError, Recorded
from scoring.hands.submission import Sent
from scoring.models import Game, Hand, State
from scoring.presentation.answers import (
    ConsequenceAnswer,
    HandAnswer,
    VersionAnswer,
    consequence_answer,
    hand_answer,
    in_words,
    reason_of,
    seats_of,
    version_answer,
    whole_record,
    without_cards,
)
from scoring.presentation.checks import Judged
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.settlement.consequences import Consequence
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import OneOf, form
from tournaments.api.pages import page_of, paged
from tournaments.api.problems import ProblemError
from tournaments.api.versions import etag
from tournaments.core.errors import NotAllowedError


class ListedHand(TypedDict):
    """A hand in a list."""

    id: UUID
    number: int
    version: int
    revision: int
    state: str
    certainty: str
    reason: str | None
    is_objection: bool
    rival_of: UUID | None
    entered_at: datetime


class CorrectedAnswer(TypedDict):
    """A corrected hand, and what that did to it and to the hands after.

    ``phase`` is that of the game: a closed one is open again where a hand of it is open now.
    """

    phase: str
    hand: HandAnswer
    consequences: list[ConsequenceAnswer]


class Preview(TypedDict):
    """What a change would do; nothing has been written."""

    consequences: list[ConsequenceAnswer]


class Said(TypedDict):
    """What a seat said of one version."""

    version: int
    agrees: bool
    why: str | None
    by: str
    seat: str | None
    same_device: bool
    at: datetime


class History(TypedDict):
    """Versions of a hand's record, a page of them, and what seats said of these."""

    versions: list[VersionAnswer]
    words: list[Said]
    next: str | None


STATES = form(state=OneOf(of=tuple(State.values), required=False))


class ClubHand(ListedHand):
    """A hand in a list of a whole club."""

    game: UUID


class ClubHands(Door):
    """The hands of a club, whatever game they are of."""

    @read(Right.HANDS_RULE, gives=ClubHand, query=STATES, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List hands of all games, by their ids: with ``state=disputed``, what waits."""
        rows = queries.club_hands(club_id)
        return ask.page(
            queries.mark_objections(_in_state(rows, ask)),
            lambda hand: {
                **line(hand, in_full=in_full(ask), is_objection=hand.is_objected),
                "game": hand.game_id,
            },
        )


def _in_state(rows: QuerySet[Hand], ask: Ask) -> QuerySet[Hand]:
    return rows.filter(state=ask.query["state"]) if "state" in ask.query else rows


def _sent(ask: Ask) -> Sent:
    values, told = ask.values, forms.told_in(ask.values)
    return Sent(
        id=values["id"],
        number=values["number"],
        text=told.text,
        form=told.form,
        sent=told.sent,
    )


def _sent_before(ask: Ask) -> Answer | None:
    """How a hand stands that came before: of the four phones of a table, three may send it too."""
    recorded = recording.sent_before(game_of(ask), _sent(ask))
    return None if recorded is None else _entered(recorded, ask)


def _entered(recorded: Recorded, ask: Ask) -> Answer:
    answer = _answer(recorded, ask)
    return Answer(
        answer.data,
        version=answer.version,
        location=f"/api/v1/hands/{recorded.hand.pk}",
        status=201 if recorded.is_new else 200,
    )


class Hands(GameDoor):
    """The hands of a game."""

    @read(Right.CLUB_READ, gives=ListedHand, query=STATES, pages=True)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """List the hands of a game by their numbers."""
        rows = queries.mark_objections(_in_state(queries.hands(game_of(ask)), ask))

        def shown_line(hand: Any) -> ListedHand:
            return line(hand, in_full=_is_told(hand, ask), is_objection=hand.is_objected)

        return ask.page(rows, shown_line, "number pk")

    @write(
        Right.HANDS_ENTER, takes=forms.HAND, gives=HandAnswer, status=(201, 200), knows=_sent_before
    )
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Enter a hand: a record, its moves, or only its result.

        What is wrong with a hand is part of the answer: it is then disputed and waits for the
        director. The same id again gives the hand as it stands now.
        """
        sent = _sent(ask)
        try:
            recorded = recording.enter_hand(game_id=game_id, sent=sent, by=ask.by, at=ask.at)
        except OtherContentError as error:
            raise _other(error, sent.sent or sent.text, ask) from error
        return _entered(recorded, ask)


class OneHand(HandDoor):
    """A hand."""

    @read(Right.CLUB_READ, gives=HandAnswer)
    def get(self, ask: Ask, hand_id: UUID) -> Answer:
        """Show a hand: its state, what is wrong with it, and what came of it."""
        return _shown(ask)


class HandRecord(HandDoor):
    """A hand with all its cards."""

    @read(Right.CLUB_READ, gives=Judged)
    def get(self, ask: Ask, hand_id: UUID) -> Answer:
        """Show a hand as the check of a record does: every card, what was legal, who took what."""
        game, hand = game_of(ask), hand_of(ask)
        if hand.rival_id is not None or hand.number > game.hands:
            words = Message("This record is not part of the game (yet); its versions can be read.")
            raise ProblemError("CONFLICT", words)
        if not _may_see_cards(ask, hand):
            words = Message("Other tables have still to play these cards.")
            raise NotAllowedError(words)
        played = plan.judge_recorded_hand(game, hand)
        return Answer(whole_record(played, in_full=in_full(ask)))


def _may_see_cards(ask: Ask, hand: Hand) -> bool:
    """Whether nobody else has still to play them, or he directs, or sits at this very table."""
    game = game_of(ask)
    if Right.EVENTS_EDIT in ask.rights or ask.asker.game == game.pk:
        return True
    return not queries.is_still_played(game, hand.number)


class Versions(HandDoor):
    """Every version of a hand's record."""

    @read(Right.CLUB_READ, gives=History, query=paged(None))
    def get(self, ask: Ask, hand_id: UUID) -> Answer:
        """List the versions of a record, and what seats said of them, a page at a time."""
        hand = hand_of(ask)
        seats, whole = seats_of(game_of(ask)), in_full(ask) and _may_see_cards(ask, hand)
        page = page_of(
            queries.version_rows(hand),
            lambda one: one,
            path=ask.path,
            query=ask.query,
            key="number",
        )
        versions = [version_answer(one, seats, in_full=whole) for one in page["items"]]
        words: list[Said] = [
            {
                "version": word.version.number,
                "agrees": word.agrees,
                "why": in_words(word.why, in_full=whole),
                "by": word.by,
                "seat": None if word.seat is None else seats[word.seat],
                "same_device": word.by == word.version.by,
                "at": word.at,
            }
            for word in queries.words(hand)
            if word.version in page["items"]
        ]
        data = {"versions": versions, "words": words, "next": page["next"]}
        return Answer(data, headers=tag(hand))

    @write(Right.HANDS_CORRECT, takes=forms.CORRECTION, gives=CorrectedAnswer, edits=True)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Correct a hand: a new version, after which the game is settled anew."""
        correction = _correction(ask)
        corrected = corrections.correct_hand(
            hand_id=hand_id, correction=correction, by=ask.by, at=ask.at
        )
        return _corrected(corrected, ask)


class CorrectionPreview(HandDoor):
    """What a correction would do."""

    @write(Right.HANDS_CORRECT, takes=forms.CORRECTION, gives=Preview, edits=True)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Show what a correction would do to the hand and to those after; nothing is written."""
        found = corrections.preview(hand_id=hand_id, correction=_correction(ask))
        return Answer({"consequences": in_names(found, game_of(ask))})


class Undoing(HandDoor):
    """The last correction taken back."""

    @write(Right.HANDS_CORRECT, takes=forms.UNDOING, gives=CorrectedAnswer, edits=True)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Undo the last correction, by one correction more."""
        correction = Correction(
            text=b"",
            why=ask.values["why"],
            revision=ask.version,
            policy=forms.policy_of(ask.values),
        )
        corrected = corrections.undo_correction(
            hand_id=hand_id, correction=correction, by=ask.by, at=ask.at
        )
        return _corrected(corrected, ask)


class Confirmation(HandDoor):
    """The word of a second seat."""

    @write(Right.HANDS_CONFIRM, takes=forms.WORD, gives=HandAnswer)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Confirm the version that was seen."""
        version = ask.values["version"]
        recorded = recording.confirm_hand(hand_id=hand_id, version=version, by=ask.by, at=ask.at)
        return _answer(recorded, ask)


class Objection(HandDoor):
    """The objection of a seat."""

    @write(Right.HANDS_CONFIRM, takes=forms.OBJECTION, gives=HandAnswer)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Object to the version that was seen; the hand is disputed until the director rules."""
        recorded = recording.object_to_hand(hand_id=hand_id, by=ask.by, at=ask.at, **ask.values)
        return _answer(recorded, ask)


class Choice(HandDoor):
    """The choice between two records of one hand."""

    @write(Right.HANDS_CORRECT, takes=forms.CHOICE, gives=CorrectedAnswer, edits=True)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Choose between the record that came first and this second one.

        If-Match names the revision of the hand that came first.
        """
        choice = Choosing(
            keep=ask.values["keep"],
            why=ask.values["why"],
            revision=ask.version,
            policy=forms.policy_of(ask.values),
        )
        corrected = corrections.choose_record(rival_id=hand_id, choice=choice, by=ask.by, at=ask.at)
        return _corrected(corrected, ask)


def _correction(ask: Ask) -> Correction:
    told = forms.told_in(ask.values)
    return Correction(
        text=told.text,
        why=ask.values["why"],
        revision=ask.version,
        policy=forms.policy_of(ask.values),
        form=told.form,
        sent=told.sent,
    )


def _other(error: OtherContentError, sent: bytes, ask: Ask) -> ProblemError:
    found = ProblemError(
        "CONFLICT",
        str(error),
        where={"key": "id"},
        hint="Correct the hand, or send the record under an id of its own.",
    )
    found.more["difference"] = {
        "yours": sent.decode("utf-8", "replace"),
        "ours": in_words(error.stored.decode("utf-8", "replace"), in_full=in_full(ask)),
    }
    return found


def _shown(ask: Ask) -> Answer:
    game, hand = game_of(ask), hand_of(ask)
    played = recording.judged_now(game, hand)
    data = hand_answer(hand, game, played, in_full=in_full(ask))
    return Answer(
        data if _may_see_cards(ask, hand) else without_cards(data),
        headers=tag(hand),
    )


def _is_told(hand: Hand, ask: Ask) -> bool:
    """Whether he may read why a hand is disputed, which may name cards that others still play."""
    return in_full(ask) and (hand.state != State.DISPUTED or _may_see_cards(ask, hand))


def tag(hand: Hand) -> dict[str, str]:
    """The tag to edit a hand by; what else it shows changes with other hands, and is never old."""
    return {"ETag": etag(hand.revision)}


def _answer(recorded: Recorded, ask: Ask) -> Answer:
    data = shown(recorded, ask)
    return Answer(data, version=recorded.hand.revision)


def shown(recorded: Recorded, ask: Ask) -> HandAnswer:
    """A hand that was just written, as far as this one may read it."""
    return hand_answer(recorded.hand, recorded.game, recorded.played, in_full=in_full(ask))


def in_names(found: Sequence[Consequence], game: Game) -> list[ConsequenceAnswer]:
    """Consequences with the names of the seats."""
    return [consequence_answer(one, seats_of(game)) for one in found]


def _corrected(corrected: Corrected, ask: Ask) -> Answer:
    recorded = corrected.recorded
    consequences = in_names(corrected.consequences, recorded.game)
    data = {
        "phase": recorded.game.phase,
        "hand": shown(recorded, ask),
        "consequences": consequences,
    }
    return Answer(data, version=recorded.hand.revision)


def line(hand: Hand, *, in_full: bool, is_objection: bool) -> ListedHand:
    """A hand as a list shows it."""
    return {
        "id": hand.pk,
        "number": hand.number,
        "version": hand.current,
        "revision": hand.revision,
        "state": hand.state,
        "certainty": hand.certainty,
        "reason": reason_of(hand, in_full=in_full),
        "is_objection": is_objection,
        "rival_of": hand.rival_id,
        "entered_at": hand.entered_at,
    }
