"""Rulings: what the engine proposes, what the director decides, appeals."""

from collections.abc import Mapping
from typing import Any, TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from engine.core.cards import SUIT_OF_LETTER
from engine.record.irregularities import IRREGULARITIES
from engine.record.rulings import Decision, NextHand, Ruling
from scoring.api.corrections import Consequences, PolicyField, consequences_out
from scoring.api.places import HandViewSetBase, SeatField, find_seat
from scoring.hands import rulings
from scoring.hands.rulings import Incident, find_irregularity
from scoring.models import Appeal, AppealStep, Decided, Finding, Game
from scoring.presentation.answers import (
    ConsequenceAnswer,
    HandAnswer,
    Proposal,
    RulingAnswer,
    proposal_answer,
    ruling_answer,
    seats_of,
)
from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.settlement.changes import RulingRequest
from tournaments.access.rights import Place, Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    ListField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models.limits import max_length

AMOUNT_MAX = 10**9
DECREE_FIELDS = ("facts", "law", "trick", "card", "found", "told_to", "supersedes", "policy")
"""What a ruling has besides the decision, and under the same names."""


class AmountField(IntegerField):
    """Chips or points, of either sign."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=-AMOUNT_MAX, max_value=AMOUNT_MAX, **kwargs)


class AmountsField(DictField):
    """Chips, points or cards by seat."""

    def __init__(self) -> None:
        super().__init__(child=AmountField(), max_length=6, required=False)


class NextHandSerializer(StrictSerializer):
    """What the next hand inherits, where it is not what follows."""

    dealer = SeatField(required=False)
    jackpot = IntegerField(required=False, min_value=0, max_value=1000)
    namer = SeatField(required=False)
    pain = ChoiceField(
        required=False, choices=list(SUIT_OF_LETTER), help_text="That of the jackpot."
    )
    deals = IntegerField(required=False, min_value=0, max_value=100_000)
    feet = ListField(child=SeatField(), max_length=6, required=False)
    play_on = BooleanField(required=False)


@example(
    {
        "decision": "WARNING",
        "offenders": ["E"],
        "facts": "East played to the third trick before South.",
        "law": "Section 8",
    }
)
class RulingSerializer(StrictSerializer):
    """A ruling of the director."""

    decision = ChoiceField(required=False, choices=[str(decision) for decision in Decision])
    code = CharField(required=False, max_length=30, help_text="The irregularity, by name or id.")
    offenders = ListField(child=SeatField(), max_length=6, required=False)
    taken = AmountsField()
    queen = SeatField(required=False)
    score = AmountsField()
    chips = AmountsField()
    pot = AmountField(required=False)
    then = NextHandSerializer(required=False)
    facts = CharField(required=False, max_length=max_length(Decided, "facts"), multiline=True)
    law = CharField(required=False, max_length=max_length(Decided, "law"))
    trick = IntegerField(required=False, min_value=1, max_value=17)
    card = CharField(required=False, max_length=max_length(Decided, "card"))
    called_by = SeatField(required=False)
    found = ChoiceField(required=False, choices=Finding.choices)
    told_to = ListField(child=CharField(max_length=100), max_length=20, required=False)
    supersedes = UUIDField(required=False, help_text="The ruling that this one replaces.")
    policy = PolicyField()


class IncidentSerializer(StrictSerializer):
    """What happened, where the record does not show it."""

    code = CharField(required=False, max_length=30, help_text="What happened, by name or id.")
    offenders = CharField(
        required=False, max_length=30, help_text="Seats, with commas between them."
    )
    found = ChoiceField(required=False, choices=Finding.choices)


@example({"step": "pending", "text": "West had already led."})
class AppealSerializer(StrictSerializer):
    """A step of an appeal."""

    step = ChoiceField(choices=AppealStep.choices)
    text = CharField(required=False, max_length=max_length(Appeal, "text"), multiline=True)


class RulingPage(TypedDict):
    """Rulings on a hand, a page of them."""

    rulings: list[RulingAnswer]
    next: str | None


class ProposalList(TypedDict):
    """What the engine proposes, the default of the law first."""

    proposals: list[Proposal]


class IrregularityOut(TypedDict):
    """One irregularity; ``codes`` are the rules of the findings in which a record shows it."""

    irregularity: str
    title: str
    law: str
    proposal: str
    codes: list[str]


class IrregularityList(TypedDict):
    """Section 8 of the rules, row by row."""

    items: list[IrregularityOut]


class RuledAnswer(TypedDict):
    """A ruling, its hand, and what it did to the hands after; ``phase`` is that of the game."""

    phase: str
    ruling: RulingAnswer
    hand: HandAnswer
    consequences: list[ConsequenceAnswer]


class HandRulingViewSet(HandViewSetBase):
    """The rulings on a hand."""

    ordering = "number"
    inputs = {"create": RulingSerializer}
    outputs = {"list": RulingPage, "create": RuledAnswer}
    rights = {"list": Right.CLUB_READ, "create": Right.HANDS_RULE}

    def list(self, request: ApiRequest, hand_id: UUID) -> Response:
        """List every ruling that the hand ever had, in order, a page at a time."""
        seats, in_full = seats_of(self.game), self.sees_names
        page, following = self.read_page(queries.ruling_rows(self.hand))
        found = [ruling_answer(row, seats, in_full=in_full) for row in page]
        return Response({"rulings": found, "next": following})

    @idempotent(if_match=True)
    def create(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Rule on a hand; without a decision, take back the ruling that is superseded.

        Where that one had taken the place of another, the other holds again: ``restores`` is its
        number.
        """
        ruled = rulings.decide(
            hand_id=hand_id,
            decree=parse_decree(self.validated_data, self.game),
            revision=request.if_match,
            by=request.by,
            at=request.at,
        )
        recorded, seats = ruled.recorded, seats_of(self.game)
        data: RuledAnswer = {
            "phase": recorded.game.phase,
            "ruling": ruling_answer(ruled.decided, seats, in_full=self.sees_names),
            "hand": self.represent_hand(recorded),
            "consequences": consequences_out(ruled.consequences, recorded.game),
        }
        return Response(data, 201, headers={"Location": f"/api/v1/hands/{hand_id}/rulings"})


class ProposalViewSet(HandViewSetBase):
    """What the engine proposes for a hand, and what a ruling would do."""

    inputs = {"preview": RulingSerializer}
    parameters = {"proposals": IncidentSerializer}
    outputs = {"proposals": ProposalList, "preview": Consequences}
    rights = {"proposals": Right.HANDS_RULE, "preview": Right.HANDS_RULE}

    @action(detail=True, url_name="list")
    def proposals(self, request: ApiRequest, hand_id: UUID) -> Response:
        """List what section 8 of the rules proposes, and what each would come to.

        For what the record shows; for an irregularity that the address names, if it names one.
        """
        game, hand = self.game, self.hand
        sent = self.read_parameters()
        if hand.rival_id is not None or hand.number > game.hands:
            return Response({"proposals": []})
        incident = parse_incident(sent, game)
        seats, in_full = seats_of(game), self.sees_names
        found = [
            proposal_answer(ruling, played, seats, in_full=in_full)
            for ruling, played in rulings.effects(game, hand, incident)
        ]
        return Response({"proposals": found})

    @action(detail=True, methods=["post"], url_path="ruling-preview")
    @idempotent
    def preview(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show what a ruling would do to the hand and to those after; nothing is written."""
        decree = parse_decree(self.validated_data, self.game)
        consequences = rulings.preview_ruling(hand_id=hand_id, decree=decree, at=request.at)
        return Response({"consequences": consequences_out(consequences, self.game)})


class IrregularityViewSet(ApiViewSet):
    """What can go wrong at a table."""

    pagination_class = None
    outputs = {"list": IrregularityList}
    rights = {"list": None}

    def list(self, request: ApiRequest) -> Response:
        """List the irregularities that a record and a ruling can name, and the law for each."""
        items: list[IrregularityOut] = [
            {
                "irregularity": event.name,
                "title": row.title,
                "law": row.law,
                "proposal": row.proposal,
                "codes": sorted(row.codes),
            }
            for event, row in IRREGULARITIES.items()
        ]
        return Response({"items": items})


class RulingViewSet(HandViewSetBase):
    """A ruling, which is never changed: only another one or an appeal follows it."""

    authentication_classes = ApiViewSet.authentication_classes
    queryset = Decided.objects.all()
    lookup_url_kwarg = "ruling_id"
    inputs = {"appeal": AppealSerializer}
    outputs = {"appeal": RulingAnswer}
    rights = {"appeal": Right.HANDS_RULE}

    def get_place(self) -> Place:
        return hand_place(queries.ruled_hand(self.kwargs["ruling_id"]))

    @action(detail=True, methods=["post"])
    @idempotent
    def appeal(self, request: ApiRequest, ruling_id: UUID) -> Response:
        """Take an appeal one step on."""
        rulings.appeal(
            ruling_id=ruling_id,
            step=AppealStep(self.validated_data["step"]),
            text=self.validated_data.get("text", ""),
            by=request.by,
            at=request.at,
        )
        row = Decided.objects.select_related("superseded_by").get(pk=ruling_id)
        return Response(ruling_answer(row, seats_of(self.game), in_full=self.sees_names))


def parse_incident(values: Mapping[str, Any], game: Game) -> Incident | None:
    """Return what the URL says that happened, if it does. Raises RefusedError."""
    if "code" not in values:
        return None
    what = find_irregularity(values["code"])
    names = [name.strip() for name in values.get("offenders", "").split(",") if name.strip()]
    offenders = tuple(find_seat(name, game, "offenders") for name in names)
    return Incident(what, offenders, values.get("found") == Finding.BEFORE_ESTABLISHED)


def parse_decree(values: Mapping[str, Any], game: Game) -> RulingRequest:
    """Return what the director decides. Raises RefusedError for seats that the table lacks."""
    called_by = values.get("called_by")
    return RulingRequest(
        ruling=parse_ruling(values, game) if "decision" in values else None,
        called_by=None if called_by is None else find_seat(called_by, game, "called_by"),
        **{name: values[name] for name in DECREE_FIELDS if name in values},
    )


def parse_ruling(values: Mapping[str, Any], game: Game) -> Ruling:
    """Return the decision itself. Raises RefusedError."""
    offenders = values.get("offenders", ())
    return Ruling(
        decision=Decision.of(values["decision"]),
        code=find_irregularity(values["code"]) if "code" in values else None,
        offenders=tuple(find_seat(name, game, "offenders") for name in offenders),
        taken=parse_amounts(values, "taken", game),
        queen=find_seat(values["queen"], game, "queen") if "queen" in values else None,
        score=parse_amounts(values, "score", game),
        chips=parse_amounts(values, "chips", game),
        pot=values.get("pot", 0),
        then=parse_next_hand(values.get("then", {}), game),
        text=values.get("facts", "")[:300],
    )


def parse_amounts(values: Mapping[str, Any], key: str, game: Game) -> tuple[int, ...]:
    """Return one number for each seat, 0 where it is left out; none if none was sent."""
    if key not in values:
        return ()
    found = [0] * game.players
    for name, amount in values[key].items():
        found[find_seat(name, game, key)] = amount
    return tuple(found)


def parse_next_hand(values: Mapping[str, Any], game: Game) -> NextHand:
    """Return what the next hand inherits. Raises RefusedError."""
    found = dict(values)
    for name in ("dealer", "namer"):
        if name in found:
            found[name] = find_seat(found[name], game, f"then.{name}")
    if "feet" in found:
        found["feet"] = frozenset(find_seat(one, game, "then.feet") for one in found["feet"])
    if "pain" in found:
        found["pain"] = SUIT_OF_LETTER[found["pain"]]
    return NextHand(**found)
