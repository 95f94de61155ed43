"""House rules against others: what becomes of a game, by figures of bots."""

from typing import Any, ClassVar

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from engine.rules.presets import PRESETS, TITLES
from engine.rules.rules import Rules
from scoring.jobs import rules_lab
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.people.rule_sets import rules_of
from tournaments.web.desk.base import ButtonsMixin, DeskPage
from tournaments.web.desk.house_rules import RuleSetMixin
from tournaments.web.desk.lab_figures import compare_lines
from tournaments.web.number_format import parse_number


class CompareRules(RuleSetMixin, ButtonsMixin, DeskPage):
    """The course of a game under house rules, beside the book or other rules of the club."""

    needs = Right.NAMES_READ
    needs_to_write = Right.RULES_EDIT
    template_name = "desk/rules_compare.html"
    buttons: ClassVar[tuple[str, ...]] = ("play",)

    @cached_property
    def own(self) -> Rules:
        """The rules that the address names."""
        return rules_of(self.get_object())

    @cached_property
    def chosen(self) -> str:
        """The rules beside them: a preset, or the identifier of others of the club."""
        return self.request.GET.get("with") or self.get_object().preset

    @cached_property
    def other(self) -> tuple[str, Rules]:
        """The name of the rules, and the rules. Raises NotThereError."""
        if self.chosen in PRESETS:
            return translate(TITLES[self.chosen]), PRESETS[self.chosen]
        row = selectors.rule_set(self.club, parse_id(self.chosen))
        if row is None:
            raise NotThereError
        return row.name, rules_of(row)

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of players for which both have a table."""
        one, two = self.own.players, self.other[1].players
        return [*range(max(one.least, two.least), min(one.most, two.most) + 1)]

    @cached_property
    def players(self) -> int:
        """The chosen number of players; four where nobody chose, if four can play."""
        wanted = parse_number(self.request.GET.get("players"))
        usual = 4 if 4 in self.sizes else next(iter(self.sizes), 0)
        return wanted if wanted in self.sizes else usual

    def play(self, which: str) -> str:
        """Have bots play by one of both."""
        rules = self.own if which == "own" else self.other[1]
        rules_lab.request_games(
            club_id=self.club.pk, rules=rules, players=self.players, by=self.by, at=self.at
        )
        return _("Bots begin to play. The figures are here in a few minutes.")

    def get_success_url(self) -> str:
        address = reverse("desk-rules-compare", args=[self.club.pk, self.get_object().pk])
        return f"{address}?with={self.chosen}&players={self.players}"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row, (title, other) = self.get_object(), self.other
        pairs = (("own", row.name, self.own), ("other", title, other)) if self.players else ()
        sides = [
            (
                key,
                name,
                rules_lab.find_line(rules, self.players),
                job,
                "" if job is None else translate(job.outcome.get("why", "")),
            )
            for key, name, rules in pairs
            for job in [rules_lab.find_job(self.club, rules, self.players)]
        ]
        lines = [line for _key, _name, line, _job, _why in sides if line is not None]
        rows = selectors.rule_sets(self.club).filter(retired_at=None).exclude(pk=row.pk)
        choices = [(name, translate(words)) for name, words in TITLES.items()]
        choices += [(str(one.pk), one.name) for one in rows.order_by("name", "-version")]
        return super().get_context_data(
            sides=sides,
            figures=compare_lines(*lines) if len(lines) == 2 else [],
            choices=choices,
            chosen=self.chosen,
            sizes=self.sizes,
            players=self.players,
            **kwargs,
        )
