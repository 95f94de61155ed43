"""House rules of a club, and the presets and switches that they are made of."""

from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from engine.rules.presets import PRESETS, TITLES
from engine.rules.rule_sheet import sheet, title_of
from engine.rules.rules import Rules
from engine.rules.switch_specs import SWITCHES
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.filters import CharFilter, FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, DictField, StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet, RetrieveModelMixin
from tournaments.core.errors import NotThereError
from tournaments.models import RuleSet
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules


class RuleSetSerializer(StrictModelSerializer):
    """One version of house rules; ``digest`` names all switches together."""

    overrides = DictField(child=CharField())

    class Meta:
        model = RuleSet
        fields = [
            "id",
            "name",
            "version",
            "preset",
            "overrides",
            "digest",
            "keeps_jackpot",
            "created_at",
            "retired_at",
        ]


@example({"preset": "bicycle", "overrides": {"pass": "none"}, "keeps_jackpot": True})
class RuleSetChangeSerializer(StrictModelSerializer):
    """What the next version of house rules has."""

    overrides = DictField(
        child=CharField(max_length=rule_sets.VALUE_MAX, allow_blank=True),
        required=False,
        help_text="Switches that differ, with their values.",
    )

    class Meta:
        model = RuleSet
        fields = ["preset", "overrides", "keeps_jackpot"]
        extra_kwargs = {
            "preset": {"help_text": "The name of a preset, as /api/v1/presets lists them."},
            "keeps_jackpot": {
                "help_text": "Whether a pot that a game leaves waits for the next game."
            },
        }


@example({"name": "House rules", "preset": "bicycle"})
class NewRuleSetSerializer(RuleSetChangeSerializer):
    """House rules that are written down."""

    class Meta(RuleSetChangeSerializer.Meta):
        fields = ["name", *RuleSetChangeSerializer.Meta.fields]


class RuleSetFilter(FilterSet):
    """Filters of the list of house rules."""

    name = CharFilter()
    retired = MomentFilter(
        "retired_at", help_text="Only those that are retired, or only the others."
    )


class SheetLine(TypedDict):
    """A question about the rules, and how the house answers it."""

    question: str
    answer: str


class Sheet(TypedDict):
    """The house-rule sheet: as data, and as text to print."""

    title: str
    digest: str
    switches: dict[str, str]
    lines: list[SheetLine]
    text: str


class PresetOut(TypedDict):
    """A preset: a rule system as it stands in the books."""

    preset: str
    title: str
    digest: str
    switches: dict[str, str]


class Presets(TypedDict):
    """All presets."""

    items: list[PresetOut]


class SwitchOut(TypedDict):
    """A switch: the question, its ids in the rules, values to choose from (n: a number)."""

    switch: str
    rules: list[str]
    question: str
    default: str
    choices: list[str]


class Switches(TypedDict):
    """All switches."""

    items: list[SwitchOut]


class RuleSetViewSet(ListModelMixin, RetrieveModelMixin, ApiViewSet):
    """List house rules, every version."""

    queryset = RuleSet.objects.all()
    serializer_class = RuleSetSerializer
    filterset_class = RuleSetFilter
    lookup_url_kwarg = "rule_set_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"create": NewRuleSetSerializer, "partial_update": RuleSetChangeSerializer}
    outputs = {"sheet": Sheet}
    statuses = {"partial_update": (201,)}
    rights = {
        "list": Right.CLUB_READ,
        "retrieve": Right.CLUB_READ,
        "sheet": Right.CLUB_READ,
        "create": Right.RULES_EDIT,
        "partial_update": Right.RULES_EDIT,
        "destroy": Right.RULES_EDIT,
    }

    def get_queryset(self) -> QuerySet[RuleSet]:
        return selectors.rule_sets(self.request.club)

    def get_object(self) -> RuleSet:
        rule_set = selectors.rule_set(self.request.club, self.kwargs["rule_set_id"])
        if rule_set is None:
            raise NotThereError
        return rule_set

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Read one version of house rules."""
        return super().retrieve(request, **ids)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Write down house rules: a preset and what differs from it."""
        new = HouseRules(**self.validated_data)
        row = rule_sets.make_rule_set(club_id=club_id, new=new, by=request.by, at=request.at)
        return self.answer(row, location=f"{request.path}/{row.pk}")

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, club_id: UUID, rule_set_id: UUID) -> Response:
        """Make the next version; this one stays as it is, and is retired."""
        self.get_object()
        row = rule_sets.change_rule_set(
            rule_set_id=rule_set_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(row, location=f"{request.path.rpartition('/')[0]}/{row.pk}")

    @idempotent
    def destroy(self, request: ApiRequest, club_id: UUID, rule_set_id: UUID) -> Response:
        """Retire house rules: no further game is played by them."""
        self.get_object()
        row = rule_sets.retire_rule_set(rule_set_id=rule_set_id, by=request.by, at=request.at)
        return self.answer(row)

    @action(detail=True)
    def sheet(self, request: ApiRequest, **_ids: UUID) -> Response:
        """The house-rule sheet, as data and as text."""
        row = self.get_object()
        return Response(sheet_out(row.name, rule_sets.rules_of(row)))


class PresetViewSet(ApiViewSet):
    """The rule systems of the books."""

    permission_classes = [AllowAny]
    outputs = {"retrieve": Presets}

    def retrieve(self, request: ApiRequest) -> Response:
        """List the presets."""
        items: list[PresetOut] = [
            {
                "preset": name,
                "title": TITLES[name],
                "digest": rules.digest,
                "switches": rules.texts,
            }
            for name, rules in PRESETS.items()
        ]
        return Response({"items": items})


class SwitchViewSet(ApiViewSet):
    """The house-rule switches."""

    permission_classes = [AllowAny]
    outputs = {"retrieve": Switches}

    def retrieve(self, request: ApiRequest) -> Response:
        """List every switch with its values."""
        defaults = Rules().texts
        items: list[SwitchOut] = [
            {
                "switch": name,
                "rules": switch.ids.split(),
                "question": switch.question,
                "default": defaults[name],
                "choices": list(switch.choices),
            }
            for name, switch in SWITCHES.items()
        ]
        return Response({"items": items})


def sheet_out(name: str, rules: Rules) -> Sheet:
    """The sheet of some rules."""
    lines = sheet(rules)
    title = f"{name}: {title_of(rules)}"
    text = "\n".join(f"{question}\n    {answer}" for question, answer in lines)
    return {
        "title": title,
        "digest": rules.digest,
        "switches": rules.texts,
        "lines": [{"question": question, "answer": answer} for question, answer in lines],
        "text": f"{title}\n{'=' * len(title)}\n{text}\n",
    }
