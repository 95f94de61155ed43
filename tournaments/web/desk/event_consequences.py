"""Consequences of the settings of a night, in sentences with figures of the club and the night."""

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import message_of
from engine.rules.rule_sheet import title_of
from engine.rules.rules import Rules
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.events.seating import describe_repeat_free_rounds
from tournaments.models import Club, Entry, Event, LeagueEvent, Movement, Presence, Round, Status
from tournaments.prizes import Finisher, PrizeKind, Prizes, award
from tournaments.standings import ScoringError, ScoringRules
from tournaments.standings.choices import Method
from tournaments.standings.scales import points_for
from tournaments.web.desk.prize_fields import read_prizes
from tournaments.web.number_format import format_number
from tournaments.web.number_format import money as shown_money

HAND_MINUTES: Final = 5
"""Minutes that a hand takes, dealing and scoring included, where nobody has played here yet."""
_ROUNDS_TIMED: Final = 12
_MINUTES_MAX: Final = 30
"""A hand that seems to take longer was not the only thing that happened in its round."""
_SCORED: Final[dict[Method, Promise]] = {
    Method.CHIPS: gettext_lazy("Every chip won counts one, every chip lost takes one off."),
    Method.POINTS: gettext_lazy("Whoever has the fewest points is first."),
    Method.WINS: gettext_lazy("Only the first place at a table counts."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSketch:
    """A night as it stands in its form, perhaps not yet set up.

    ``answers`` are the values of the fields, None for those that cannot be; ``rules`` those of the
    night and then of its rounds that have others; ``scoring`` its settings as data.
    """

    club: Club
    event: Event | None
    answers: Mapping[str, Any]
    rules: Sequence[Rules]
    scoring: Mapping[str, Any]

    @property
    def sizes(self) -> list[int]:
        """The sizes of tables: those ticked, else what the rules allow of the usual ones."""
        if self.answers.get("sizes"):
            return sorted(self.answers["sizes"])
        allowed = set(range(3, 7)).intersection(
            *(range(rules.players.least, rules.players.most + 1) for rules in self.rules)
        )
        return sorted(allowed & {3, 4, 5} or allowed)

    def count_players(self) -> int:
        """Count those who are entered; before anybody is, those of the last night."""
        entered = Entry.objects.exclude(presence__in=(Presence.LEFT, Presence.WITHDRAWN))
        if self.event is not None and (many := entered.filter(event=self.event).count()):
            return many
        before = Event.objects.filter(club=self.club).exclude(status=Status.CANCELLED)
        if self.event is not None:
            before = before.exclude(pk=self.event.pk)
        last = before.order_by("-starts_at", "-pk").values("pk")[:1]
        return entered.filter(event__in=last).count()


def minutes_of_a_hand(club: Club) -> int | None:
    """Return the minutes that a hand took in the last rounds of a club; None if none was timed."""
    timed = Round.objects.filter(event__club=club).exclude(started_at=None).exclude(closed_at=None)
    last = timed.select_related("event").order_by("-started_at", "-pk")[:_ROUNDS_TIMED]
    paces = [
        (row.closed_at - row.started_at).total_seconds() / 60 / row.event.hands
        for row in last
        if row.started_at and row.closed_at and row.event.hands
    ]
    likely = [pace for pace in paces if 1 <= pace <= _MINUTES_MAX]
    return round(median(likely)) if likely else None


def describe_clock(club: Club) -> str:
    """Name the time zone of a club."""
    return _("By the club's clock: %(zone)s.") % {"zone": club.time_zone.replace("_", " ")}


def describe_evening(night: NightSketch) -> str:
    """Return whose clock the time is told by, the usual place, and who hears of a change."""
    words = [describe_clock(night.club)]
    if night.club.venue and not night.answers.get("venue"):
        words.append(_("Left empty, the place is %(venue)s.") % {"venue": night.club.venue})
    if night.event is not None and night.event.status == Status.PLANNED:
        words.append(_("Nobody is told of a change made here; “Call off or move” tells everybody."))
    return " ".join(words)


def describe_game(night: NightSketch) -> str:
    """Return what is played, and at tables of how many."""
    if not night.rules:
        return ""
    rules, *others = night.rules
    words = [
        _("%(title)s, %(players)s at a table.")
        % {"title": translate(title_of(rules)), "players": translate(rules.players.in_words())}
    ]
    if others:
        words.append(_("The phones say before the first hand which game a round plays."))
    return " ".join(words)


def describe_length(night: NightSketch) -> str:
    """Return how long the night takes, by its clock or by the pace of the last nights."""
    rounds, hands = night.answers.get("rounds"), night.answers.get("hands")
    if not rounds or not hands:
        return ""
    clock, pause = night.answers.get("round_minutes"), night.answers.get("break_minutes") or 0
    pace = minutes_of_a_hand(night.club)
    minutes = rounds * (clock or hands * (pace or HAND_MINUTES)) + (rounds - 1) * pause
    said = {"hours": minutes // 60, "minutes": f"{minutes % 60:02}", "pace": pace or HAND_MINUTES}
    if clock:
        words = _("About %(hours)d:%(minutes)s hours by the clock of the rounds.")
    elif pace:
        words = _(
            "About %(hours)d:%(minutes)s hours: a hand took %(pace)d minutes on the last nights."
        )
    else:
        words = _("About %(hours)d:%(minutes)s hours at %(pace)d minutes a hand.")
    return words % said


def describe_meetings(night: NightSketch, players: int) -> str:
    """Return how many others somebody meets, and how many rounds bring nobody together twice."""
    rounds, movement = night.answers.get("rounds"), night.answers.get("movement")
    if not players or not rounds or not movement or not night.sizes:
        return ""
    words = list[str]()
    event = copy(night.event) if night.event is not None else Event(club=night.club)
    event.movement, event.sizes = movement, night.sizes
    byes = night.answers.get("sit_outs")
    event.sit_outs = len(night.sizes) == 1 if byes is None else byes
    try:
        words += map(translate, describe_repeat_free_rounds(event, players))
    except RefusedError as error:
        return " ".join([*words, translate(message_of(error))])
    if movement != Movement.FIXED:
        most = min(players - 1, rounds * (max(night.sizes) - 1))
        met = ngettext(
            "In %(n)s round everybody meets at most %(most)s of the %(others)s others.",
            "In %(n)s rounds everybody meets at most %(most)s of the %(others)s others.",
            rounds,
        )
        words.append(met % {"n": rounds, "most": most, "others": players - 1})
    return " ".join(words)


def describe_scoring(night: NightSketch) -> str:
    """Return what a place is worth at the tables of the night, and the seasons it counts for."""
    try:
        scoring = ScoringRules.from_data(night.scoring)
    except ScoringError:
        return ""
    words = []
    if scoring.method is Method.PLACES:
        for size in night.sizes:
            points = [
                format_number(str(one), signed=True) for one in points_for(scoring.scale, size)
            ]
            said = {"points": ", ".join(points), "size": size}
            words.append(_("At a table of %(size)s a place is worth %(points)s points.") % said)
    elif scoring.method in _SCORED:
        words.append(str(_SCORED[scoring.method]))
    if night.event is not None:
        seasons = LeagueEvent.objects.filter(event=night.event)
        names = list(seasons.order_by("pk").values_list("league__name", flat=True))
        if names:
            words.append(_("It counts in %(seasons)s.") % {"seasons": ", ".join(names)})
    return " ".join(words)


def describe_money(night: NightSketch, players: int) -> str:
    """Return the pool with as many people as are expected, and what is paid out of it."""
    currency = night.club.currency
    paid, added = night.answers.get("entry_fee") or 0, night.answers.get("added") or 0
    if not paid and not added:
        return _("Nobody pays anything for the evening.")
    if not players:
        return ""
    try:
        prizes = Prizes.from_json(json.dumps(read_prizes(night.answers, currency)))
        finishers = [Finisher(player=str(n), place=n, paid=paid) for n in range(1, players + 1)]
        awards = award(prizes, finishers, brought=added)
    except (RefusedError, ValidationError, ValueError, KeyError, TypeError):
        return ""
    pool = shown_money(awards.pool, currency)
    if prizes.kind is PrizeKind.CHIPS:
        words = _("With %(n)s people %(pool)s are shared out by the chips that everybody holds.")
        return words % {"n": players, "pool": pool}
    amounts = [shown_money(amount, currency) for amount in awards.amounts if amount]
    words = ngettext(
        "With %(n)s person %(pool)s are in the pool: %(prizes)s.",
        "With %(n)s people %(pool)s are in the pool: %(prizes)s.",
        players,
    )
    said = [words % {"n": players, "pool": pool, "prizes": ", ".join(amounts)}]
    if awards.fee:
        said.append(_("The club keeps %(fee)s.") % {"fee": shown_money(awards.fee, currency)})
    return " ".join(said)
