"""Score slips of an event: pictures taken in, what was read, and what somebody decides."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypedDict
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.models import Slip, SlipPicture
from scoring.slips.intake import take_pictures
from scoring.slips.interpretation import Question, RowValue
from scoring.slips.review import (
    REASON_MAX,
    SlipView,
    accept_slip,
    answer_slip,
    find_slip,
    list_slips,
    put_slip_back,
    review_slip,
    set_slip_aside,
)
from scoring.submissions.writing.results import ResultFields
from tournaments.access.rights import Right
from tournaments.api.files import FileOutput, download
from tournaments.api.idempotency import etag, idempotent
from tournaments.api.openapi import example
from tournaments.api.parsers import PicturesParser
from tournaments.api.serializers import BooleanField, CharField, DictField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.errors import NotThereError

JPEG: Final = "image/jpeg"
REQUEST_BYTES_MAX: Final = 16 * 1024 * 1024
"""All pictures of a request together."""


@example({"changes": {"taken W": "2", "director": None}})
class SlipAnswersSerializer(StrictSerializer):
    """Answers to the questions of a slip: values of its rows, whatever was read."""

    changes = DictField(
        child=CharField(max_length=20, allow_null=True),
        help_text="The value of the marked circle by row; null for no mark.",
    )


@example({"force": False})
class SlipAcceptanceSerializer(StrictSerializer):
    """Whether a hand is entered in spite of a question about all of it."""

    force = BooleanField(
        required=False,
        help_text="Enter the hand although there is a question about all of it, such as another "
        "record of it. Questions about rows have to be answered first.",
    )


@example({"why": "Spilt coffee."})
class SlipAsideSerializer(StrictSerializer):
    """Why a slip is set aside."""

    why = CharField(required=False, allow_blank=True, max_length=REASON_MAX)


class SlipPictureOut(TypedDict):
    """A picture of slips; ``read_at`` is null while it waits. ``problems``: what was not read."""

    id: UUID
    digest: str
    problems: list[str]
    taken_in_at: datetime
    read_at: datetime | None


class TakenPictures(TypedDict):
    """The pictures that came, each once, and those that were there before."""

    pictures: list[SlipPictureOut]


class SlipAnswerOut(TypedDict):
    """A possible answer: this row has this value, null for no mark."""

    row: str
    value: str | None
    reasons: list[str]


class SlipQuestionOut(TypedDict):
    """A question about some rows, or about the hand as a whole where there are none."""

    rows: list[str]
    message: str
    answers: list[SlipAnswerOut]


class SlipRowOut(TypedDict):
    """The value of a row, null for no mark: marked, said by a person, or found by arithmetic.

    ``marks`` are the circles that are not empty: marked, or unsure.
    """

    row: str
    value: str | None
    origin: str
    note: str | None
    marks: dict[str, str]


class SlipOut(TypedDict):
    """A slip: the hand that it is for, what it says, and what is asked.

    ``obstacle``: why it cannot be accepted as things are, such as a slip of another night.
    ``is_clean``: it can be accepted as it is. ``is_waiting``: a hand before it has to be on record
    first.
    ``outcome`` and ``chips`` are those of the hand as it would be settled.
    """

    id: UUID
    revision: int
    state: str
    reason: str | None
    obstacle: str | None
    round: int | None
    table: int | None
    hand: int | None
    is_clean: bool
    is_waiting: bool
    questions: list[SlipQuestionOut]
    rows: list[SlipRowOut]
    result: ResultFields
    outcome: str | None
    chips: dict[str, int] | None
    hand_id: UUID | None
    read_at: datetime


class SlipList(TypedDict):
    """The pictures of an event, and all slips in order; those that are not ours come last."""

    pictures: list[SlipPictureOut]
    slips: list[SlipOut]


class SlipViewSet(EventViewSetBase):
    """Score slips that are read from pictures."""

    pagination_class = None
    lookup_url_kwarg = "slip_id"
    lookup_value_converter = "uuid"
    inputs = {
        "answer_questions": SlipAnswersSerializer,
        "accept": SlipAcceptanceSerializer,
        "set_aside": SlipAsideSerializer,
    }
    outputs = {
        "list": SlipList,
        "create": TakenPictures,
        "retrieve": SlipOut,
        "answer_questions": SlipOut,
        "accept": SlipOut,
        "set_aside": SlipOut,
        "put_back": SlipOut,
        "crop": FileOutput.of(JPEG),
    }
    statuses = {"create": (202,)}
    upload_bytes_max = REQUEST_BYTES_MAX
    rights = {
        "list": Right.HANDS_RULE,
        "create": Right.HANDS_RULE,
        "retrieve": Right.HANDS_RULE,
        "answer_questions": Right.HANDS_RULE,
        "accept": Right.HANDS_RULE,
        "set_aside": Right.HANDS_RULE,
        "put_back": Right.HANDS_RULE,
        "crop": Right.HANDS_RULE,
    }

    def get_parsers(self) -> list[Any]:
        """Pictures come as a form with files; all else is JSON."""
        if self.action_map.get("post") == "create":
            return [PicturesParser()]
        return super().get_parsers()

    def get_body(self) -> Mapping[str, Any]:
        """Return the digests of the pictures in place of them."""
        data: Any = self.request.data
        if isinstance(data, list):
            return {"pictures": [hashlib.sha256(one).hexdigest() for one in data]}
        return super().get_body()

    def list(self, request: ApiRequest, event_id: UUID) -> Response:
        """List the slips of an event with what each says and asks, and the pictures that came."""
        rows = SlipPicture.objects.filter(event=self.event).defer("original")
        return Response(
            {
                "pictures": [picture_out(row) for row in rows.order_by("taken_in_at", "pk")],
                "slips": [slip_out(view) for view in list_slips(self.event)],
            }
        )

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Take in pictures of slips, as ``pictures`` of a form, for a worker to read.

        JPEG, PNG, WebP or PDF. The same picture again changes nothing.
        """
        data: Any = request.data
        taken = take_pictures(event_id=event_id, files=data, by=request.by, at=request.at)
        unique = {row.pk: row for row in taken}
        pictures = [picture_out(row) for row in unique.values()]
        return Response({"pictures": pictures}, status=202)

    def retrieve(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> Response:
        """Show one slip."""
        return self._answer(find_slip(self.event, slip_id))

    @action(detail=True)
    def crop(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> StreamingHttpResponse:
        """Take away the picture of a slip: cut out, straightened, grey."""
        crop = find_slip(self.event, slip_id).crop
        if crop is None:
            raise NotThereError
        return download(request.django_request, [bytes(crop)], f"slip-{slip_id}.jpg", JPEG)

    @action(detail=True, methods=["post"], url_path="answer")
    @idempotent(if_match=True)
    def answer_questions(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> Response:
        """Say what rows of a slip say, whatever was read."""
        slip = answer_slip(**self._ids(), **self.validated_data)
        return self._answer(slip)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def accept(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> Response:
        """Enter the hand of a slip; the same hand by phone is its second record."""
        return self._answer(accept_slip(**self._ids(), **self.validated_data))

    @action(detail=True, methods=["post"], url_path="set-aside")
    @idempotent(if_match=True)
    def set_aside(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> Response:
        """Set a slip aside: nothing is entered of it."""
        return self._answer(set_slip_aside(**self._ids(), **self.validated_data))

    @action(detail=True, methods=["post"], url_path="put-back")
    @idempotent(if_match=True)
    def put_back(self, request: ApiRequest, event_id: UUID, slip_id: UUID) -> Response:
        """Have a slip looked at again that was set aside."""
        return self._answer(put_slip_back(**self._ids()))

    def _ids(self) -> dict[str, Any]:
        """The arguments of every use case: the slip as it was seen, the actor, the time."""
        request = self.request
        ids = {name: self.kwargs[name] for name in ("event_id", "slip_id")}
        return ids | {"revision": request.if_match, "by": request.by, "at": request.at}

    def _answer(self, slip: Slip) -> Response:
        return self.answer_document(slip_out(review_slip(slip)), etag(slip.revision))


def picture_out(row: SlipPicture) -> SlipPictureOut:
    """Return a picture as data."""
    return {
        "id": row.pk,
        "digest": row.digest,
        "problems": row.problems,
        "taken_in_at": row.taken_in_at,
        "read_at": row.read_at,
    }


def slip_out(view: SlipView) -> SlipOut:
    """Return a slip as data."""
    slip, found = view.slip, view.interpretation
    played = None if found is None else found.played
    chips = None if played is None or not played.is_sure else played.after.chips
    return {
        "id": slip.pk,
        "revision": slip.revision,
        "state": slip.state,
        "reason": slip.reason or None,
        "obstacle": view.obstacle or None,
        "round": view.code.round or (view.table.round.number if view.table else None),
        "table": view.code.number or (view.table.number if view.table else None),
        "hand": slip.number or view.code.hand or None,
        "is_clean": view.is_clean,
        "is_waiting": found is not None and found.is_waiting,
        "questions": [_question(one) for one in view.questions],
        "rows": [] if found is None else [_row(view, one) for one in found.rows.values()],
        "result": {} if found is None else found.fields,
        "outcome": None if played is None else played.sentence,
        "chips": None if not chips else dict(zip(view.seats, chips, strict=True)),
        "hand_id": slip.hand_id,
        "read_at": slip.read_at,
    }


def _question(asked: Question) -> SlipQuestionOut:
    return {
        "rows": [*asked.rows],
        "message": asked.message,
        "answers": [
            {"row": one.row, "value": one.value, "reasons": [*one.reasons]} for one in asked.answers
        ],
    }


def _row(view: SlipView, found: RowValue) -> SlipRowOut:
    marks = view.slip.marks.get(found.row, {})
    return {
        "row": found.row,
        "value": found.value,
        "origin": found.origin,
        "note": found.note,
        "marks": {value: mark for value, (mark, _dark) in marks.items() if mark != "empty"},
    }
