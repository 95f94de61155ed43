"""Charts of a player: what is drawn, what it means, how sure it is, and the same in words."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from uuid import UUID

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.time_zones import short_day
from tournaments.models import Entry
from tournaments.statistics import (
    Figure,
    PlayerSummary,
    captured_shares,
    figures,
    interval_of_mean,
)
from tournaments.statistics.sums import Key, Sum
from tournaments.web.club_summaries import NightPlaces
from tournaments.web.number_format import format_number
from tournaments.web.plots import Bar, Chart, Series, ValueBand, plot


def charts_of(summary: PlayerSummary) -> list[Chart]:
    """The charts of what games say of a player, without those of which too little is known."""
    found = (_nights_chart(summary), _captured_chart(summary), _seats_chart(summary))
    return [chart for chart in found if chart is not None]


def places_chart(entries: Iterable[Entry], tables: Mapping[UUID, NightPlaces]) -> Chart | None:
    """The places of a player in some events, the newest first; None for fewer than two."""
    days: list[str] = []
    shares: list[Fraction] = []
    labels: list[str] = []
    for entry in entries:
        table = tables.get(entry.event_id)
        placed = table.places.get(str(entry.pk)) if table else None
        if table is None or placed is None or not placed.first or table.ranked < 2:
            continue
        # Of places that are shared, half of the others who share them count as beaten.
        beaten = Fraction(2 * table.ranked - placed.first - placed.last, 2 * (table.ranked - 1))
        days.insert(0, short_day(str(localtime(entry.event.starts_at).date())))
        shares.insert(0, 100 * beaten)
        labels.insert(0, placed.label)
    drawn = plot([Series(_("Places"), "c0", shares, labels)], days, span=(0, 100), unit=" %")
    if drawn is None:
        return None
    return Chart(
        key="places",
        title=_("Places, night by night, by the part of the others behind"),
        definition=_(
            "The part of the others who came in after them, so that large and small nights compare;"
            " at each dot the place."
        ),
        certainty="",
        values=_listed(
            f"{day} {label} ({round(share)} %)"
            for day, label, share in zip(days, labels, shares, strict=True)
        ),
        plot=drawn,
    )


def _nights_chart(summary: PlayerSummary) -> Chart | None:
    days = [short_day(night.night) for night in summary.nights]
    gains = [format_number(str(night.net), signed=True) for night in summary.nights]
    texts = [f"{day}: {gain}" for day, gain in zip(days, gains, strict=True)]
    bars = [Bar(Fraction(one.net), text) for one, text in zip(summary.nights, texts, strict=True)]
    total, ends = summary.by_night, interval_of_mean(summary.by_night)
    bands = []
    certainty = ngettext(
        "%(count)s night: too few to say what is usual for them.",
        "%(count)s nights: too few to say what is usual for them.",
        total.n,
    ) % {"count": total.n}
    if ends is not None:
        low, high = map(_rounded, ends)
        bands = [ValueBand("usual", [low] * len(bars), [high] * len(bars))]
        certainty = _(
            "Mean of all %(count)s nights: %(mean)s. Shaded is the 90 %% interval of that mean,"
            " %(low)s to %(high)s."
        ) % {
            "count": total.n,
            "mean": format_number(str(round(total.mean, 2)), signed=True),
            "low": format_number(str(low), signed=True),
            "high": format_number(str(high), signed=True),
        }
    drawn = plot([], days, bars=bars, bands=bands)
    if drawn is None:
        return None
    return Chart(
        key="nights",
        title=_("Gain of each night, in chips or points"),
        definition=_(
            "Chips won less chips paid, or points below the average of the table, in each of the"
            " last nights."
        ),
        certainty=certainty,
        values=_listed(texts),
        plot=drawn,
    )


def _captured_chart(summary: PlayerSummary) -> Chart | None:
    shares = captured_shares(summary.sums, summary.usual)
    texts = [
        f"{share.captured}: {round(100 * share.share)} %"
        f" ({_interval(100 * share.low, 100 * share.high)})"
        for share in shares
    ]
    bars = [
        Bar(
            100 * one.share,
            text,
            low=_rounded(100 * one.low),
            high=_rounded(100 * one.high),
            usual=100 * one.usual,
        )
        for one, text in zip(shares, texts, strict=True)
    ]
    drawn = plot([], [str(share.captured) for share in shares], bars=bars, unit=" %")
    if drawn is None:
        return None
    return Chart(
        key="captured",
        title=_("Pain cards in a hand, by the part of the hands"),
        definition=_("In which part of the hands so many pain cards were taken."),
        certainty=_(
            "%(count)s hands. The thin line is the 90 %% interval of each part, the dash what is"
            " usual at their tables."
        )
        % {"count": sum(share.hands for share in shares)},
        values=_listed(texts),
        plot=drawn,
    )


def _seats_chart(summary: PlayerSummary) -> Chart | None:
    """The gain by seat, at tables of the size that they sat at most."""
    hands = {size: one.n for (size,), one in summary.groups("net_by_size").items()}
    if not hands:
        return None
    most = max(hands, key=lambda size: hands[size])
    seats: dict[Key, Sum] = {
        ("net_by_seat", (size, seat)): one
        for (size, seat), one in summary.groups("net_by_seat").items()
        if size == most
    }
    by_seat = {row.group[1]: row for row in figures(seats, summary.usual)}
    bars = [_seat_bar(by_seat.get(seat)) for seat in range(1, most + 1)]
    drawn = plot([], [str(seat) for seat in range(1, most + 1)], bars=bars)
    if drawn is None or not any(bar.low is not None for bar in bars):
        return None
    return Chart(
        key="seats",
        title=_("Gain a hand by seat, in chips or points"),
        definition=_(
            "Gain a hand at tables of %(size)s, by the seat: 1 is the eldest, %(size)s the dealer."
        )
        % {"size": most},
        certainty=_(
            "%(count)s hands. The thin line is the 90 %% interval of each mean, which is drawn a"
            " little towards what is usual."
        )
        % {"count": hands[most]},
        values=_listed(f"{seat}: {bar.text}" for seat, bar in enumerate(bars, 1)),
        plot=drawn,
    )


def _seat_bar(row: Figure | None) -> Bar:
    if row is None or row.hidden or row.low is None or row.high is None:
        return Bar(0, _("too few yet"))
    mean = format_number(str(round(row.shrunk, 2)), signed=True)
    text = f"{mean} ({_interval(row.low, row.high)})"
    return Bar(row.shrunk, text, _rounded(row.low), _rounded(row.high))


def _rounded(number: float) -> Fraction:
    """A computed end of an interval with as many digits as are shown."""
    return Fraction(round(100 * number), 100)


def _interval(low: float, high: float) -> str:
    return _("%(low)s to %(high)s") % {
        "low": format_number(str(round(_rounded(low), 1))),
        "high": format_number(str(round(_rounded(high), 1))),
    }


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts)
