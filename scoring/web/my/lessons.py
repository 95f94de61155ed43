"""The cards of the last nights that cost a player most, one position a page.

Every position is shown as it was before the card; what the choices were worth comes after the
player has chosen. Nobody else sees it, and it counts nowhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import islice
from math import sqrt
from operator import add, sub
from statistics import fmean, stdev
from typing import Any, Final

from django.db.models import Q
from django.http import Http404
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from engine.analysis.losses import knows_all_cards, walk_play
from engine.analysis.worth import THOUSANDTHS
from engine.core.cards import NAMES, CardSet, Suit, show
from engine.core.seats import DEFAULT_SEATS
from engine.replay.replay import Replay
from scoring.models import Phase, SeatLoss
from scoring.presentation.cards import CardFace, faces, suit_name
from scoring.presentation.seat_names import names_at_table
from scoring.settlement import hand_losses
from scoring.settlement.plan import judge_recorded_hand
from scoring.web.my.devices import OwnPageMixin
from tournaments.core.language import translate
from tournaments.core.time_zones import short_day
from tournaments.events.events import OVER
from tournaments.models import Analysis, Player, Result
from tournaments.people.player_devices import FROM_PHONE
from tournaments.publishing.player_lines import list_duplicate_ids
from tournaments.web.number_format import format_worth
from tournaments.web.plots import Plot, Series, ValueBand, plot

LESSONS: Final = 7
"""So many cards are shown, the largest losses first."""
HANDS_READ: Final = 300
"""So many of the last hands are looked at."""
HANDS_LEAST: Final = 20
"""No mean is shown of fewer hands."""
OWN_LOSS: Final = {"points": 900, "chips": 1200}
"""The loss a hand of players who sample, in thousandths (`benchmarks.analysis`)."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean loss a hand, with its standard error, in hands of one unit."""

    hands: int
    loss: str
    error: str
    unit: str
    own: str


@dataclass(frozen=True, slots=True)
class MonthRow:
    """The mean loss a hand in a month, with its standard error."""

    month: str
    hands: int
    loss: str
    error: str


@dataclass(frozen=True, slots=True)
class LossCurve:
    """The mean losses of months in one unit: drawn, in a line of text, and as a table."""

    unit: str
    plot: Plot
    values: str
    rows: Sequence[MonthRow]


@dataclass(frozen=True, slots=True)
class Bar:
    """A choice as it turned out: ``x`` and ``width`` of its bar and of its error, in hundredths."""

    cards: list[CardFace]
    value: str
    error: str
    x: float
    width: float
    error_x: float
    error_width: float
    is_best: bool
    was_played: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card of the trick: who played it, from their place at the table."""

    name: str
    face: CardFace
    is_lead: bool


def read_losses(player: Player) -> list[SeatLoss]:
    """The losses of a player in the last hands with all cards, the newest first. Two queries.

    Those of a hand that changed since, or that is disputed, are left out.
    """
    if player.club.analysis == Analysis.OFF:
        return []
    rows = Result.objects.filter(
        Q(game__event=None) | Q(game__event__status__in=OVER),
        player__in=list_duplicate_ids(player),
        game__phase__in=(Phase.CLOSED, Phase.OFFICIAL),
    ).order_by("-game__opened_at", "game_id", "-number")
    seats = {
        (game, number): seat
        for game, number, seat in rows.values_list("game_id", "number", "seat")[:HANDS_READ]
    }
    order = {hand: place for place, hand in enumerate(seats)}
    losses = (
        hand_losses.find_current_losses()
        .filter(hand__game__in={game for game, _number in seats})
        .select_related("hand__game__table__round__event")
    )
    own = [loss for loss in losses if seats.get((loss.hand.game_id, loss.hand.number)) == loss.seat]
    return sorted(own, key=lambda loss: order[loss.hand.game_id, loss.hand.number])


def describe_means(losses: Sequence[SeatLoss]) -> list[Mean]:
    """The mean loss a hand, for points and for chips, of enough hands."""
    means = []
    for unit, own in OWN_LOSS.items():
        found = _mean_of([loss for loss in losses if loss.unit == unit])
        if found is not None:
            hands, loss, error = found
            means.append(Mean(hands, _worth(loss), _worth(error), unit, _worth(own)))
    return means


def _mean_of(losses: Sequence[SeatLoss]) -> tuple[int, float, float] | None:
    """The hands, their mean loss and its standard error; None of too few hands."""
    totals = [loss.total for loss in losses if loss.total is not None]
    if len(totals) < HANDS_LEAST:
        return None
    return len(totals), fmean(totals), stdev(totals) / sqrt(len(totals))


def _worth(thousandths: float) -> str:
    return format_worth(thousandths, signed=False)


def draw_months(losses: Sequence[SeatLoss]) -> list[LossCurve]:
    """The mean loss a hand month by month, for points and for chips, of at least two months.

    Months with too few hands are left out.
    """
    curves = []
    for unit in OWN_LOSS:
        by_month: dict[date, list[SeatLoss]] = {}
        for loss in losses:
            if loss.unit == unit:
                day = localtime(loss.hand.game.opened_at).date().replace(day=1)
                by_month.setdefault(day, []).append(loss)
        months = [(day, found) for day in sorted(by_month) if (found := _mean_of(by_month[day]))]
        named = [date_format(day, _("M Y")) for day, _found in months]
        means = [_thousandths(mean) for _day, (_hands, mean, _error) in months]
        errors = [_thousandths(error) for _day, (_hands, _mean, error) in months]
        ends = [list(map(act, means, errors)) for act in (sub, add)]
        drawn = plot(
            [Series(_("Loss a hand"), "c0", means)], named, bands=[ValueBand("usual", *ends)]
        )
        if drawn is not None:
            rows = [
                MonthRow(name, hands, _worth(mean), _worth(error))
                for name, (_day, (hands, mean, error)) in zip(named, months, strict=True)
            ]
            values = "; ".join(f"{row.month}: {row.loss} (±{row.error})" for row in rows)
            curves.append(LossCurve(unit, drawn, values, rows))
    return curves


def _thousandths(value: float) -> Fraction:
    return Fraction(round(value), THOUSANDTHS)


def find_lessons(losses: Sequence[SeatLoss]) -> list[tuple[SeatLoss, Mapping[str, Any]]]:
    """The largest losses by one card, with what is kept of the card."""
    found = [(loss, card) for loss in losses for card in loss.cards]
    found.sort(key=lambda row: -_excess(row[1]))
    return found[:LESSONS]


def _excess(card: Mapping[str, Any]) -> float:
    return float(_choice_of(card, card["card"])["excess"])


def _choice_of(card: Mapping[str, Any], code: str) -> Mapping[str, Any]:
    """The choice to which a card belongs. Raises Http404."""
    for choice in card["choices"]:
        if code in [face.code for face in faces(choice["cards"])]:
            found: Mapping[str, Any] = choice
            return found
    raise Http404


class LearnPage(OwnPageMixin, TemplateView):
    """One of the cards that cost most: the position, or what the choices were worth."""

    template_name = "my/learn.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if self.device.phone_id is not None:
            return super().get_context_data(why_not=translate(FROM_PHONE), **kwargs)
        losses = read_losses(self.player)
        lessons = find_lessons(losses)
        context: dict[str, Any] = {
            "player": self.player,
            "is_off": self.player.club.analysis == Analysis.OFF,
            "means": describe_means(losses),
            "curves": draw_months(losses),
            "hands": len(losses),
            "of": len(lessons),
        }
        if lessons:
            number = self.request.GET.get("n", "1")
            if not number.isdecimal() or not 1 <= int(number) <= len(lessons):
                raise Http404
            loss, card = lessons[int(number) - 1]
            context |= {
                "number": int(number),
                "following": int(number) % len(lessons) + 1,
                **_describe_position(loss, card),
            }
            chosen = self.request.GET.get("card", "")
            if chosen:
                context |= _describe_outcome(loss, card, chosen)
        return super().get_context_data(**context, **kwargs)


def _describe_position(loss: SeatLoss, card: Mapping[str, Any]) -> dict[str, Any]:
    """The position before a card, as its player saw it. Raises Http404 where it has gone."""
    hand = loss.hand
    played = judge_recorded_hand(hand.game, hand)
    if played.judged.result is None:
        raise Http404
    replay = played.judged.result.replay
    if not knows_all_cards(replay):
        raise Http404
    walk = walk_play(replay)
    position, own = next(islice(walk, card["place"], None), (None, None))
    if position is None or own is None or NAMES[own] != card["card"]:
        raise Http404
    seats = DEFAULT_SEATS[hand.game.players]
    called = names_at_table(hand.game, hand.number)
    table = [
        TableCard(called.get(seats[seat], seats[seat]), CardFace(NAMES[laid]), is_lead=place == 0)
        for place, laid in enumerate(position.trick)
        for seat in [(position.leader + place) % hand.game.players]
    ]
    event = hand.game.table.round.event if hand.game.table is not None else None
    penalty = replay.facts.pain
    return {
        "hand": hand,
        "event": event,
        "day": short_day(str(localtime(hand.game.opened_at).date())),
        "is_public": event is not None and hand.game.club.is_public and not event.is_hidden,
        "trick": card["place"] // hand.game.players + 1,
        "pain": suit_name(Suit(penalty).letter) if penalty is not None else "",
        "pot": played.before.pot + replay.facts.bid if loss.unit == "chips" else None,
        "table": table,
        "is_last": len(table) == hand.game.players - 1,
        "held": faces(show(CardSet(position.hands[loss.seat]))),
        "before": _describe_tricks(replay, card["place"] // hand.game.players),
        "choices": sorted(
            (faces(choice["cards"]) for choice in card["choices"]),
            key=lambda found: [face.code for face in faces("".join(f.code for f in found))],
        ),
        "unit": loss.unit,
    }


def _describe_tricks(replay: Replay, count: int) -> list[list[tuple[CardFace, bool]]]:
    """The tricks before: every card, and whether it won."""
    tricks = []
    for trick in replay.tricks[:count]:
        place = (trick.winner - trick.leader) % len(trick.cards)
        tricks.append([(CardFace(NAMES[card]), at == place) for at, card in enumerate(trick.cards)])
    return tricks


def _describe_outcome(loss: SeatLoss, card: Mapping[str, Any], chosen: str) -> dict[str, Any]:
    """The worth of every choice, and a reason. Raises Http404 for what was no choice."""
    best, played = card["choices"][0], _choice_of(card, card["card"])
    mine = _choice_of(card, chosen)
    sign = -1 if loss.unit == "chips" else 1
    ends = [
        sign * choice["cost"] + side * choice["error"]
        for choice in card["choices"]
        for side in (-1, 1)
    ]
    low, high = min(0.0, *ends), max(0.0, *ends)
    scale = 100 / ((high - low) or 1)
    bars = []
    for choice in card["choices"]:
        value, error = sign * choice["cost"], choice["error"]
        bars.append(
            Bar(
                cards=faces(choice["cards"]),
                value=format_worth(value, signed=loss.unit == "chips"),
                error=_worth(error),
                x=round((min(value, 0) - low) * scale, 1),
                width=round(abs(value) * scale, 1),
                error_x=round((value - error - low) * scale, 1),
                error_width=round(2 * error * scale, 1),
                is_best=choice is best,
                was_played=choice is played,
                is_chosen=choice is mine,
            )
        )
    return {
        "bars": bars,
        "zero": round(-low * scale, 1),
        "best": faces(best["cards"]),
        "played": faces(card["card"]),
        "chosen": faces(chosen),
        "is_right": mine is best,
        "cost": _worth(played["excess"]),
        "cost_error": _worth(played["excess_error"]),
        "deals": best["deals"] // 2,
        "reason": _give_reason(loss.unit, best, played),
    }


def _give_reason(unit: str, best: Mapping[str, Any], played: Mapping[str, Any]) -> str:
    """The one difference between two choices that says most, in the deals that were tried."""
    deals = best["deals"]
    if abs(played["queens"] - best["queens"]) * 10 >= deals:
        return _(
            "You take the queen of spades in %(played)s of %(n)s deals with the card of that night,"
            " and in %(best)s with the best one."
        ) % {"played": played["queens"], "best": best["queens"], "n": deals}
    if unit == "chips" and (best["clean"] - played["clean"]) * 20 >= deals:
        return _(
            "You stay without a card that costs in %(best)s of %(n)s deals with the best card,"
            " and in %(played)s with the one of that night."
        ) % {"played": played["clean"], "best": best["clean"], "n": deals}
    if best["taken"] > played["taken"]:
        return _(
            "You take more with the best card, and it is cheaper all the same: it stops another"
            " from taking every card that costs, or from being the only one without any."
        )
    return _(
        "You take %(played)s cards that cost with the card of that night, and %(best)s with the"
        " best one, on average."
    ) % {
        "played": _worth(THOUSANDTHS * played["taken"] / deals),
        "best": _worth(THOUSANDTHS * best["taken"] / deals),
    }
