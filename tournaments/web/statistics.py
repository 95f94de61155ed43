"""Statistics as the page of a player shows them, of all their games or of some."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from engine.analysis.worth import THOUSANDTHS
from tournaments.core.language import translate
from tournaments.core.time_zones import day_and_year
from tournaments.models import League, Player, Shown
from tournaments.people.display_names import distinct_names
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import find_statistics
from tournaments.reports.statistics import group_words
from tournaments.statistics import (
    EXTREMES,
    OF_HANDS,
    WORTHS_LEAST,
    HeadToHead,
    PlayerSummary,
    Sum,
    figures,
    head_to_head,
)
from tournaments.web.figures import describe_figures
from tournaments.web.number_format import format_number, format_worth
from tournaments.web.player_charts import charts_of

SIZES = range(3, 7)
_PAPERS: Final = "paper_value"
_BIDS: Final = "bid_value"


@dataclass(frozen=True, slots=True)
class BalanceBar:
    """A balance in a picture 200 wide, with zero in the middle, and how far chance goes."""

    left: int
    width: int
    is_below: bool
    chance_left: int
    chance: int


@dataclass(frozen=True, slots=True)
class Met:
    """Common tables with somebody; ``flow`` is what came from them, ``bar`` draws it."""

    player: str
    name: str
    tables: int
    beaten: int
    tied: int
    lost: int
    flow: str
    word: str
    bar: BalanceBar


@dataclass(frozen=True, slots=True)
class AchievementRow:
    """Something that they keep, what it takes, and how often they did it."""

    title: str
    definition: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRow:
    """The worth of somebody's cards, and what they gained beside that, per hand.

    ``hands`` is of how many hands all cards are on record. Numbers are empty where these are too
    few. ``side`` is "better" or "worse" than an equal share by two standard errors, or empty.
    """

    hands: int
    least: int = WORTHS_LEAST
    score: str = ""
    cards: str = ""
    error: str = ""
    rest: str = ""
    rest_error: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The hands with a paper or a bid, what they brought, and what is usual at these tables.

    ``queens`` is how often the queen was taken with such a paper. The gains are empty where there
    are too few hands.
    """

    of: str
    n: int
    queens: int
    mean: str
    error: str
    usual: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The gain by papers or bids: a table, and a sentence on all of them."""

    key: str
    title: str
    definition: str
    sentence: str
    rows: list[LedgerRow]

    @property
    def has_queens(self) -> bool:
        """Whether it tells how often the queen came."""
        return self.key == _PAPERS


@dataclass(frozen=True, slots=True)
class Furthest:
    """The best or the worst of anything, and in which night."""

    title: str
    definition: str
    value: str
    night: str


def parse_game_selection(request: HttpRequest, player: Player) -> GameSelection:
    """Return the games that the address asks for. Raises Http404 for none of this club's."""
    said = request.GET
    size = said.get("size", "")
    if size and size not in map(str, SIZES):
        raise Http404
    league = _id(said.get("league", ""))
    if league and not League.objects.filter(pk=league, club=player.club_id).exists():
        raise Http404
    opponent = _id(said.get("opponent", ""))
    if opponent and not Player.objects.filter(pk=opponent, club=player.club_id).exists():
        raise Http404
    return GameSelection(size=int(size) if size else None, league=league, opponent=opponent)


def _id(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise Http404 from error


def statistics_of(player: Player, chosen: GameSelection, *, in_full: bool = True) -> dict[str, Any]:
    """Return statistics of those games. Seven queries at most, however many games.

    Unless ``in_full``, opponents have the names that strangers see, without those who are but a
    number to them.
    """
    statistics = find_statistics(player, chosen)
    summary = statistics.summary
    met = head_to_head(summary.rivals)
    ids = [UUID(opponent.player) for opponent in met.opponents]
    names = distinct_names(player.club, ids, in_full=in_full)
    if not in_full:
        hidden = Player.objects.filter(pk__in=ids, person__shown=Shown.HIDDEN)
        for pk in hidden.values_list("pk", flat=True):
            del names[str(pk)]
    return {
        "chosen": chosen,
        "sizes": SIZES,
        "leagues": League.objects.filter(club=player.club_id).order_by("-created_at", "-id"),
        "with_whom": names.get(str(chosen.opponent), ""),
        "hands": summary.hands,
        "without_gain": summary.without_gain,
        "counted_behind": statistics.behind_since,
        "charts": charts_of(summary),
        "figures": describe_figures(figures(summary.sums, summary.usual)),
        "cards": describe_cards(summary),
        "opponents": list(_met(met, names)),
        "ledgers": list(ledgers_of(summary)),
        "earned": list(_achievements(summary)),
        "furthest": list(_furthest(summary)),
        "clean_now": summary.clean.now,
        "clean_longest": summary.clean.longest,
    }


def describe_cards(summary: PlayerSummary) -> CardsRow:
    """Say what the cards were worth (`engine.analysis.worth`); nothing of fewer than 20 hands."""
    cards, rest = (summary.sums.get(key, Sum()) for key in ("cards", "beyond_cards"))
    if cards.n < WORTHS_LEAST or cards.error is None or rest.error is None:
        return CardsRow(hands=cards.n)
    side = ""
    if abs(cards.mean) > 2 * cards.error:
        side = "better" if cards.mean > 0 else "worse"
    return CardsRow(
        hands=cards.n,
        score=format_worth(THOUSANDTHS * (cards.mean + rest.mean)),
        cards=format_worth(THOUSANDTHS * cards.mean),
        error=format_worth(THOUSANDTHS * cards.error, signed=False),
        rest=format_worth(THOUSANDTHS * rest.mean),
        rest_error=format_worth(THOUSANDTHS * rest.error, signed=False),
        side=side,
    )


def _achievements(summary: PlayerSummary) -> Iterator[AchievementRow]:
    """Yield achievements, and how often each was earned."""
    for one in summary.earned:
        said = one.achievement
        yield AchievementRow(translate(said.title), translate(said.definition), one.times)


def ledgers_of(summary: PlayerSummary) -> Iterator[Ledger]:
    """Yield what papers and bids brought, of those with hands enough to say it."""
    for statistic in OF_HANDS:
        own = summary.groups(statistic.key) if statistic.key in (_PAPERS, _BIDS) else {}
        whole = Sum()
        for one in own.values():
            whole.merge(one)
        if whole.n < statistic.least:
            continue
        usual = replace(summary, sums=summary.usual).groups(statistic.key)
        queens = summary.groups("insurance") if statistic.key == _PAPERS else {}
        yield Ledger(
            key=statistic.key,
            title=translate(statistic.title),
            definition=translate(statistic.definition),
            sentence=_say_papers(own, queens, whole) if queens else _say_bids(whole),
            rows=[
                LedgerRow(
                    of=group_words(group),
                    n=one.n,
                    queens=int(queens[group].total) if group in queens else 0,
                    mean=_signed(one.mean) if one.n >= statistic.least else "",
                    error=_two_places(one.error or 0),
                    usual=_signed(usual[group].mean) if group in usual else "",
                )
                for group, one in sorted(own.items())
            ],
        )


def _say_papers(
    own: Mapping[tuple[Any, ...], Sum], queens: Mapping[tuple[Any, ...], Sum], whole: Sum
) -> str:
    numbers = sum(group[0] * one.n for group, one in own.items())
    words = {
        "papers": whole.n,
        "number": format_number(str(round(Fraction(numbers, whole.n), 1))),
        "queens": sum(int(one.total) for one in queens.values()),
        "gain": format_number(str(abs(round(whole.mean, 2)))),
        "error": _two_places(whole.error or 0),
    }
    if whole.mean < 0:
        text = _(
            "%(papers)s papers, %(number)s on average, the queen %(queens)s times: they cost"
            " %(gain)s a hand (± %(error)s). Writing 0 always costs nothing."
        )
    else:
        text = _(
            "%(papers)s papers, %(number)s on average, the queen %(queens)s times: they brought"
            " %(gain)s a hand (± %(error)s). Writing 0 always brings nothing."
        )
    return text % words


def _say_bids(whole: Sum) -> str:
    return _("%(hands)s hands named by a bid: %(gain)s a hand (± %(error)s).") % {
        "hands": whole.n,
        "gain": _signed(whole.mean),
        "error": _two_places(whole.error or 0),
    }


def _signed(mean: Fraction) -> str:
    return format_number(str(round(mean, 2)), signed=True)


def _two_places(number: float) -> str:
    return format_number(str(Fraction(round(100 * number), 100)))


def _furthest(summary: PlayerSummary) -> Iterator[Furthest]:
    """The best and the worst hands and nights."""
    for extreme in EXTREMES:
        if extreme.key in summary.extremes:
            value, night, _number = summary.extremes[extreme.key]
            yield Furthest(
                translate(extreme.title),
                translate(extreme.definition),
                format_number(str(value)),
                day_and_year(night),
            )
    for title, words, one in (
        (_("Best night"), _("The highest gain of one night."), summary.best),
        (_("Worst night"), _("The lowest gain of one night."), summary.worst),
    ):
        if one is not None:
            yield Furthest(
                title, words, format_number(str(one.net), signed=True), day_and_year(one.night)
            )


def _met(met: HeadToHead, names: Mapping[str, str]) -> Iterator[Met]:
    said = {}
    if met.best_customer is not None:
        said[met.best_customer.player] = _("best customer")
    if met.nemesis is not None:
        said[met.nemesis.player] = _("nemesis")
    ends = [max(abs(float(one.flow or 0)), one.chance or 0) for one in met.opponents]
    farthest = max(ends, default=0) or 1
    for opponent in met.opponents:
        if opponent.player not in names:
            continue
        flow = opponent.flow or 0
        width = round(100 * abs(float(flow)) / farthest)
        chance = round(100 * (opponent.chance or 0) / farthest)
        yield Met(
            player=opponent.player,
            name=names[opponent.player],
            tables=opponent.tables,
            beaten=opponent.beaten,
            tied=opponent.tied,
            lost=opponent.lost,
            flow="" if opponent.flow is None else format_number(str(opponent.flow), signed=True),
            word=said.get(opponent.player, ""),
            bar=BalanceBar(
                left=100 - width if flow < 0 else 100,
                width=width,
                is_below=flow < 0,
                chance_left=100 - chance,
                chance=2 * chance,
            ),
        )
