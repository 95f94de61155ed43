"""House rules, as the API shows them."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from engine.rule_sheet import sheet, title_of
from engine.rules.presets import PRESETS, TITLES
from engine.rules.rules import Rules
from engine.rules.switch_specs import SWITCHES
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Anyone, Ask, Door, read, write
from tournaments.api.fields import Flag, Mapped, Text, changes, form
from tournaments.core.errors import NotThereError
from tournaments.models import RuleSet
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules

_RULES = {
    "preset": Text(most=40, words="The name of a preset, as /api/v1/presets lists them."),
    "overrides": Mapped(
        required=False, of=Text(most=400, least=0), words="Switches that differ, with their values."
    ),
    "keeps_jackpot": Flag(
        required=False, words="Whether a pot that a game leaves waits for the next game."
    ),
}
NEW = form(name=Text(most=200), **_RULES)
CHANGE = changes(form(**_RULES))
FILTERS = form(
    name=Text(required=False, most=200),
    retired=Flag(required=False, words="Only those that are retired, or only the others."),
)


class RuleSetOut(TypedDict):
    """One version of house rules; ``digest`` names all switches together."""

    id: UUID
    name: str
    version: int
    preset: str
    overrides: dict[str, str]
    digest: str
    keeps_jackpot: bool
    created_at: datetime
    retired_at: datetime | None


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


class RuleSets(Door):
    """A club's house rules."""

    @read(Right.CLUB_READ, gives=RuleSetOut, query=FILTERS, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List house rules, every version."""
        return ask.page(selectors.rule_sets(ask.club, **ask.filters), rule_set_out)

    @write(Right.RULES_EDIT, takes=NEW, gives=RuleSetOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Write down house rules: a preset and what differs from it."""
        row = rule_sets.make_rule_set(
            club_id=club_id, new=HouseRules(**ask.values), by=ask.by, at=ask.at
        )
        return _answer(row, f"{ask.path}/{row.pk}")


class OneRuleSet(Door):
    """One version of house rules."""

    @read(Right.CLUB_READ, gives=RuleSetOut)
    def get(self, ask: Ask, club_id: UUID, rule_set_id: UUID) -> Answer:
        """Read one version of house rules."""
        return _answer(_rule_set(ask, rule_set_id))

    @write(Right.RULES_EDIT, takes=CHANGE, gives=RuleSetOut, edits=True, status=201)
    def patch(self, ask: Ask, club_id: UUID, rule_set_id: UUID) -> Answer:
        """Make the next version; this one stays as it is, and is retired."""
        _rule_set(ask, rule_set_id)
        row = rule_sets.change_rule_set(
            rule_set_id=rule_set_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return _answer(row, f"{ask.path.rpartition('/')[0]}/{row.pk}")

    @write(Right.RULES_EDIT, gives=RuleSetOut)
    def delete(self, ask: Ask, club_id: UUID, rule_set_id: UUID) -> Answer:
        """Retire house rules: no further game is played by them."""
        _rule_set(ask, rule_set_id)
        return _answer(rule_sets.retire_rule_set(rule_set_id=rule_set_id, by=ask.by, at=ask.at))


class RuleSheet(Door):
    """What hangs on the wall."""

    @read(Right.CLUB_READ, gives=Sheet)
    def get(self, ask: Ask, club_id: UUID, rule_set_id: UUID) -> Answer:
        """The house-rule sheet, as data and as text."""
        row = _rule_set(ask, rule_set_id)
        return Answer(sheet_out(row.name, rule_sets.rules_of(row)))


class AllPresets(Door):
    """The rule systems of the books."""

    @read(Anyone.ANYBODY, gives=Presets)
    def get(self, ask: Ask) -> Answer:
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
        return Answer({"items": items})


class AllSwitches(Door):
    """The house-rule switches."""

    @read(Anyone.ANYBODY, gives=Switches)
    def get(self, ask: Ask) -> Answer:
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
        return Answer({"items": items})


def _rule_set(ask: Ask, rule_set_id: UUID) -> RuleSet:
    found = selectors.rule_set(ask.club, rule_set_id)
    if found is None:
        raise NotThereError
    return found


def _answer(row: RuleSet, location: str | None = None) -> Answer:
    return Answer(rule_set_out(row), version=row.version, location=location)


def rule_set_out(row: RuleSet) -> RuleSetOut:
    """House rules as data."""
    return {
        "id": row.pk,
        "name": row.name,
        "version": row.version,
        "preset": row.preset,
        "overrides": row.overrides,
        "digest": row.digest,
        "keeps_jackpot": row.keeps_jackpot,
        "created_at": row.created_at,
        "retired_at": row.retired_at,
    }


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
