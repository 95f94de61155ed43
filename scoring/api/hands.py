"""API views of hands: enter, list, show, confirm and object."""

import json
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response
from rest_framework.serializers import SerializerMethodField

from engine.core.messages import Message
from scoring.api.places import GameViewSetBase, HandViewSetBase
from scoring.hands import agreements, analyses, recording
from scoring.hands.recording import OtherContentError, RecordedHand
from scoring.hands.submission import TEXT_BYTES_MAX, HandSubmission
from scoring.models import Form, Hand, State, Word
from scoring.presentation.answers import (
    HandAnswer,
    hand_answer,
    in_words,
    reason_of,
    seats_of,
    whole_record,
    without_cards,
)
from scoring.presentation.checks import Judged
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.submissions.writing.moves import MoveFields
from scoring.submissions.writing.results import ResultFields
from tournaments.access.rights import Right
from tournaments.api.exceptions import ProblemError
from tournaments.api.filters import ChoiceFilter, FilterSet
from tournaments.api.idempotency import etag, idempotent
from tournaments.api.openapi import example, serializer_of
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    IntegerField,
    JSONObjectField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.errors import ConflictError, NotAllowedError, RefusedError
from tournaments.core.ids import new_id
from tournaments.models import Analysis
from tournaments.models.limits import max_length

HAND_NUMBER_MAX = 100_000
RECORD_FORMS = {"text": Form.RECORD, "actions": Form.ACTIONS, "result": Form.RESULT}


class ListedHandSerializer(StrictModelSerializer):
    """A hand in a list."""

    version = IntegerField(source="current")
    reason = SerializerMethodField()
    is_objection = BooleanField(source="is_objected")
    rival_of = UUIDField(source="rival_id", allow_null=True)

    class Meta:
        model = Hand
        fields = [
            "id",
            "number",
            "version",
            "revision",
            "state",
            "certainty",
            "reason",
            "is_objection",
            "rival_of",
            "entered_at",
            "director_called_at",
        ]

    def get_reason(self, hand: Hand) -> str | None:
        """Return the reason; of a dispute it may name cards that other tables still play."""
        view = self.context["view"]
        in_full = view.sees_names and (hand.state != State.DISPUTED or view.sees_cards(hand))
        return reason_of(hand, in_full=in_full)


class ClubHandSerializer(ListedHandSerializer):
    """A hand in a list of a whole club."""

    game = UUIDField(source="game_id")

    class Meta(ListedHandSerializer.Meta):
        fields = [*ListedHandSerializer.Meta.fields, "game"]

    def get_reason(self, hand: Hand) -> str | None:
        return reason_of(hand, in_full=Right.NAMES_READ in self.context["request"].rights)


@extend_schema_field(serializer_of(MoveFields))
class MovesField(JSONObjectField):
    """The moves of a hand."""


@extend_schema_field(serializer_of(ResultFields))
class ResultField(JSONObjectField):
    """The result of a hand."""


class RecordSerializer(StrictSerializer):
    """What was played: a record as a text, the moves, or only the result."""

    text = CharField(required=False, max_length=TEXT_BYTES_MAX, raw=True, help_text="PHN or PBN.")
    actions = MovesField(
        required=False, max_length=TEXT_BYTES_MAX, help_text="The moves as they were made."
    )
    result = ResultField(required=False, max_length=TEXT_BYTES_MAX, help_text="Only what came out.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a `HandSubmission`: the form, and the text or JSON in that form."""
        given = [name for name in RECORD_FORMS if name in attrs]
        if len(given) != 1:
            words = Message("One of text, actions and result is needed.")
            raise RefusedError(words, given[1] if given else "text")
        (name,) = given
        value = attrs.pop(name)
        if name == "text":
            return {**attrs, "form": Form.RECORD, "text": value.encode()}
        sent = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        return {**attrs, "form": RECORD_FORMS[name], "sent": sent}


@example(
    {
        "id": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "number": 1,
        "result": {"bidder": "W", "bid": 5, "pain": "S", "taken": {"N": 5, "E": 4, "S": 4}},
    }
)
class HandSerializer(RecordSerializer):
    """A hand that is entered, under an id of the client's."""

    id = UUIDField()
    number = IntegerField(min_value=1, max_value=HAND_NUMBER_MAX)


@example({"version": 1})
class ConfirmationSerializer(StrictSerializer):
    """The version that a seat confirms."""

    version = IntegerField(
        min_value=1, max_value=HAND_NUMBER_MAX, help_text="The version that was seen."
    )


class SecondRecordSerializer(ConfirmationSerializer, RecordSerializer):
    """The version that was seen, and perhaps a record of the hand in its place."""

    why = CharField(
        required=False,
        allow_blank=True,
        max_length=max_length(Word, "why"),
        multiline=True,
        help_text="In somebody's own words.",
    )
    id = UUIDField(required=False, help_text="The id of the second record, if one is sent.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the version, why, and ``submission``: a `HandSubmission`, or None."""
        seen = {name: attrs[name] for name in ("version", "why") if name in attrs}
        if not attrs.keys() & RECORD_FORMS.keys():
            return seen | {"submission": None}
        record = super().validate({name: attrs[name] for name in RECORD_FORMS if name in attrs})
        submission = HandSubmission(id=attrs.get("id") or new_id(), number=0, **record)
        return seen | {"submission": submission}


@example({"version": 1, "why": "North took three.", "result": {"taken": {"N": 3, "E": 6}}})
class ObjectionSerializer(SecondRecordSerializer):
    """What a seat says is wrong with a version: in words, or as it was; or both.

    Of a result only what was different is needed, such as what two seats took.
    """


@example(
    {
        "version": 1,
        "result": {"bidder": "W", "bid": 5, "pain": "S", "taken": {"N": 5, "E": 4, "S": 4}},
    }
)
class TakingBackSerializer(SecondRecordSerializer):
    """The version that is taken back, and perhaps what holds instead."""


class AnalysedGift(TypedDict):
    """The cost that a card of another seat spared a seat."""

    to: str
    amount: int


class AnalysedCardOut(TypedDict):
    """A card of the exact part; ``kept`` are the cards that would have lost nothing.

    ``sure`` is the least cost of the hand that its seat was sure of before it. Where a seat may see
    only what concerns it, of others' cards their gifts alone are told: ``sure`` and ``slip`` are
    None, ``legal`` and ``kept`` empty.
    """

    trick: int
    place: int
    seat: str
    card: str
    legal: list[str]
    sure: int | None
    slip: int | None
    kept: list[str]
    gifts: list[AnalysedGift]


class AnalysedSeat(TypedDict):
    """The account of a seat: ``result`` is ``sure + slips - gifts``, exactly."""

    seat: str
    sure: int
    slips: int
    gifts: int
    result: int


class AnalysisOut(TypedDict):
    """The exact part of a hand, from trick ``exact_from`` to trick ``until``.

    Costs are whole numbers of ``unit``: points of the hand, or chips lost after the first lead
    (negative: won). ``caveats`` name what is left out, ``nodes`` counts positions. Where not one
    trick is known, ``exact_from`` is None, and there are no seats and cards.
    """

    exact_from: int | None
    until: int
    unit: str
    seats: list[AnalysedSeat]
    cards: list[AnalysedCardOut]
    caveats: list[str]
    nodes: int


class HandAnalysisOut(TypedDict):
    """The analysis of a hand; None while it is being made."""

    hand: UUID
    analysis: AnalysisOut | None


class HandFilter(FilterSet):
    """Filters of lists of hands."""

    state = ChoiceFilter(choices=State.choices)


class ClubHandViewSet(ListModelMixin, ApiViewSet):
    """List hands of all games, by their ids: with ``state=disputed``, what waits."""

    queryset = Hand.objects.all()
    serializer_class = ClubHandSerializer
    filterset_class = HandFilter
    rights = {"list": Right.HANDS_RULE}

    def get_queryset(self) -> QuerySet[Hand]:
        return queries.mark_objections(queries.club_hands(self.request.club.pk))


def answer_known_hand(view: "GameHandViewSet", _request: ApiRequest) -> Response | None:
    """Answer a repeated hand without the lock: several phones of a table may send the same one."""
    recorded = recording.find_repeated_hand(view.game, HandSubmission(**view.validated_data))
    return None if recorded is None else view.answer_entered_hand(recorded)


class GameHandViewSet(ListModelMixin, GameViewSetBase):
    """List the hands of a game by their numbers."""

    queryset = Hand.objects.all()
    serializer_class = ListedHandSerializer
    filterset_class = HandFilter
    ordering = "number pk"
    inputs = {"create": HandSerializer}
    outputs = {"create": HandAnswer}
    statuses = {"create": (201, 200)}
    rights = {"list": Right.CLUB_READ, "create": Right.HANDS_ENTER}

    def get_queryset(self) -> QuerySet[Hand]:
        return queries.mark_objections(queries.hands(self.game))

    @idempotent(known=answer_known_hand)
    def create(self, request: ApiRequest, game_id: UUID) -> Response:
        """Enter a hand: a record, its moves, or only its result.

        What is wrong with a hand is part of the answer: it is then disputed and waits for the
        director. The same id again gives the hand as it stands now.
        """
        sent = HandSubmission(**self.validated_data)
        try:
            recorded = recording.enter_hand(
                game_id=game_id, sent=sent, by=request.by, at=request.at
            )
        except OtherContentError as error:
            raise self.conflict(error, sent) from error
        return self.answer_entered_hand(recorded)

    def answer_entered_hand(self, recorded: RecordedHand) -> Response:
        """Return the response with a hand: 201 if it is new, 200 if it came before."""
        response = self.answer_hand(recorded)
        response["Location"] = f"/api/v1/hands/{recorded.hand.pk}"
        response.status_code = 201 if recorded.is_new else 200
        return response

    def conflict(self, error: OtherContentError, sent: HandSubmission) -> ProblemError:
        """Return the problem for an id that is taken by a hand with another record."""
        problem = ProblemError(
            "CONFLICT",
            str(error),
            where={"key": "id"},
            hint="Correct the hand, or send the record under an id of its own.",
        )
        yours, ours = sent.sent or sent.text, error.stored.decode("utf-8", "replace")
        problem.more["difference"] = {
            "yours": yours.decode("utf-8", "replace"),
            "ours": in_words(ours, in_full=self.sees_names),
        }
        return problem


class HandViewSet(HandViewSetBase):
    """A hand."""

    inputs = {"confirmation": ConfirmationSerializer, "objection": ObjectionSerializer}
    outputs = {
        "retrieve": HandAnswer,
        "record": Judged,
        "analysis": HandAnalysisOut,
        "confirmation": HandAnswer,
        "objection": HandAnswer,
    }
    statuses = {"analysis": (200, 202)}
    rights = {
        "retrieve": Right.CLUB_READ,
        "record": Right.CLUB_READ,
        "analysis": Right.CLUB_READ,
        "confirmation": Right.HANDS_CONFIRM,
        "objection": Right.HANDS_CONFIRM,
    }

    def retrieve(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show a hand: its state, what is wrong with it, and what came of it."""
        game, hand = self.game, self.hand
        played = recording.judge_current_hand(game, hand)
        data = self.in_names(hand_answer(hand, game, played, in_full=self.sees_names))
        # Never 304: what else is shown changes with other hands, and the tag is for editing alone.
        return Response(
            data if self.sees_cards(hand) else without_cards(data),
            headers={"ETag": etag(hand.revision)},
        )

    @action(detail=True)
    def record(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show a hand as the check of a record does: every card, what was legal, who took what."""
        game, hand = self.game, self.hand
        if hand.rival_id is not None or hand.number > game.hands:
            words = Message("This record is not part of the game (yet); its versions can be read.")
            raise ConflictError(words)
        if not self.sees_cards(hand):
            raise NotAllowedError(Message("Other tables have still to play these cards."))
        played = plan.judge_recorded_hand(game, hand)
        return Response(whole_record(played, in_full=self.sees_names))

    @action(detail=True)
    def analysis(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show what every seat was sure of in the last tricks, and what cards lost and gave.

        The answer is 202 while it is being made. It is there once the round is closed; the club
        says who sees it, and a seat may see only what concerns it. Members and the table have it
        made by asking; strangers see what is there.
        """
        game, hand, seat = self.game, self.hand, self.request.asker.actor.seat
        is_at_the_table = self.request.asker.game == game.pk
        is_staff = Right.EVENTS_EDIT in self.request.rights
        shown = game.club.analysis
        if not analyses.is_open_to_analysis(game, hand.number):
            raise ConflictError(Message("A hand is analysed once its round is closed."))
        if not analyses.may_see(shown, is_at_the_table=is_at_the_table, is_staff=is_staff):
            raise NotAllowedError(Message("This club does not show you the analysis of hands."))
        found = analyses.find_analysis(hand)
        if found.has_failed:
            raise ConflictError(analyses.FAILED)
        if self.sees_names:
            analyses.request_analysis(found, at=request.at)
        elif found.outcome is None and found.due_at is None:
            raise NotAllowedError(Message("Nobody of the club has had this hand analysed yet."))
        if found.outcome is None:
            return Response({"hand": hand.pk, "analysis": None}, status=202)
        own = None
        if is_at_the_table and seat is not None and shown == Analysis.OWN:
            own = seats_of(game)[seat]
        return Response({"hand": hand.pk, "analysis": analyses.visible_outcome(found.outcome, own)})

    @action(detail=True, methods=["post"])
    @idempotent
    def confirmation(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Confirm the version that was seen."""
        recorded = recording.confirm_hand(
            hand_id=hand_id, by=request.by, at=request.at, **self.validated_data
        )
        return self.answer_hand(recorded)

    @action(detail=True, methods=["post"])
    @idempotent
    def objection(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Object to the version that was seen: the hand is disputed until that is settled.

        What is told otherwise (of a result, only what was different) becomes a second record,
        which the answer shows; the two sides settle which is right. After the game was closed, and
        as long as it may be corrected, an objection calls the director.
        """
        recorded = agreements.object_to_hand(
            hand_id=hand_id, by=request.by, at=request.at, **{"why": "", **self.validated_data}
        )
        return self.answer_hand(recorded)
