"""Judging of circles: from their samples, which are marked, which are empty, which are unsure.

A circle is compared with an empty one of the same print, seen through the same lens, and with the
other circles of the slip. Strokes are narrow and dark; coffee is wide and light, and goes beyond
the circle; what a rubber leaves is faint. Each rule below says one of these in numbers, which were
found with thousands of synthetic photographs (`python -m benchmarks slips`). Where no rule is sure
the circle is unsure, and a person is asked. Pure.
"""

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from scoring.slips.circles import CircleSample, quantile, sample_print
from scoring.slips.layout import Mark, RowKey, SlipRow
from scoring.slips.printing import WORDED

BLURS: Final = (0.0, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.2, 4.0)
"""Pixels of a straightened slip, the standard deviation: the lenses that are tried."""
DEEP_MARK: Final = 0.035
"""Deep darkness that no print has over so much of a circle, and no coffee."""
SURE_DARKNESS: Final = 0.06
"""Darkness of a mark that tells, if it is deep as well, how the pencil of a slip writes."""
SURE_MARKS_MIN: Final = 3
"""Sure marks of a slip, from which on they tell how dark its pencil is."""
WORDS_NOISE: Final = 0.006
"""The noise of circles in which nothing is printed: they differ by the grain of a picture alone."""
SPECKS: Final = 3
"""So many times the usual darkness of a spot is more than grain."""
STRUCK_OUT: Final = 1.6
"""A mark so many times as dark as those of the slip may be struck out: then less may be meant."""
LIGHT_SHARE: Final = 0.06
"""A mark with less of the deep darkness that those of the slip have may be the ring of a cup."""
SHARP_BLUR: Final = 0.9
"""Pixels: through a lens that blurs less every pencil leaves deep darkness."""
MATES_MIN: Final = 3
"""Other circles of a row, from which on they tell how an empty one of it looks."""
OUT_MIN, OUT_TIMES = 0.028, 3
"""A circle in which something is is darker than others of its row: so much, and so many times more
than these differ among each other."""
LIKE_OTHERS: Final = 0.45
"""A mark that has this part of the darkness of others was not rubbed out."""
FAINT_TRACE: Final = 0.035
"""Darkness of what a rubber leaves; more is a trace only beside a mark that is not struck out."""


class Evidence(NamedTuple):
    """A circle less the print of an empty one; the numbers are those of `CircleSample`.

    ``noise`` is the spread of ``darkness`` among the empty circles of the slip. ``spots`` are the
    darkness of the paper at six spots around the circle, the lightest first, and ``speck`` is how
    dark or light a spot usually is. ``is_sharp``: the lens hardly blurs.
    """

    darkness: float
    peak: float
    deep: float
    noise: float
    spots: Sequence[float]
    speck: float = 0.0
    is_sharp: bool = False

    def bound(self, known: float) -> float:
        """A bound for spots, which the grain of the picture alone does not reach."""
        return max(known, SPECKS * self.speck)

    @property
    def is_like_empty(self) -> bool:
        """Whether the whole is no darker than empty circles are, which differ among each other."""
        return self.darkness < max(0.022, min(3.5 * self.noise, OUT_MIN))

    @property
    def is_even(self) -> bool:
        """Whether nothing in it stands out: its print was a little darker, or the light."""
        return self.darkness < 0.012 and self.deep < 0.004 and self.peak < 0.15

    @property
    def is_paper_clean(self) -> bool:
        """Whether the paper around it is, but for one spot that a stroke may have reached."""
        return self.spots[0] > -self.bound(0.025) and self.spots[4] < self.bound(0.045)

    @property
    def is_paper_spotless(self) -> bool:
        """Whether no spot around it is dark beside what is in it."""
        return self.spots[0] > -self.bound(0.025) and self.spots[5] < max(
            self.bound(0.045), 0.4 * self.darkness
        )

    @property
    def is_stained(self) -> bool:
        """Whether the paper around it is dark here and there, as at the edge of a stain."""
        return self.spots[0] < -self.bound(0.035) or self.spots[3] > self.bound(0.045)

    @property
    def goes_beyond(self) -> bool:
        """Whether what is in it is around it as well, as coffee is and a mark is not."""
        return self.is_stained or self.spots[4] > 0.3 * self.darkness + 0.03

    @property
    def is_film(self) -> bool:
        """Whether it is stained and evenly a little dark: coffee over an empty circle."""
        flat = (1.3 if self.darkness < 0.05 else 1.15) * self.darkness
        is_light = self.deep < 0.006 and self.darkness < 0.1
        return self.is_stained and self.peak < flat and is_light

    @property
    def is_coffee(self) -> bool:
        """Whether a stain makes it as dark as it is: even, no darker than its surroundings."""
        is_wide = self.peak < 1.4 * self.darkness and self.spots[4] > 0.4 * self.peak
        return self.is_stained and is_wide and self.deep < 1.6 * DEEP_MARK

    @property
    def is_stroke(self) -> bool:
        """Whether it has a stroke of some kind."""
        return any(stroke.is_in(self) for stroke in STROKES)

    def is_dark_spot(self, usual_peak: float) -> bool:
        """Whether it is dark on clean paper: a small filled spot, or a broad soft pencil."""
        is_usual = self.peak >= USUAL_SHARE * usual_peak
        is_dark = self.darkness > 0.045 and (
            self.deep > 0.012 or is_usual or self.peak > 2 * self.darkness
        )
        is_like_others = self.darkness > 0.035 and usual_peak > 0 and is_usual
        return self.is_paper_spotless and (is_dark or self.darkness > 0.13 or is_like_others)

    def is_plain(self, usual_peak: float) -> bool:
        """Whether it is as dark as the other marks of the slip, and nothing is around it."""
        is_dark = self.darkness > (0.045 if self.peak > 1.5 * self.darkness else 0.09)
        is_usual = self.peak >= USUAL_SHARE * usual_peak
        return is_usual and is_dark and self.is_paper_clean and not self.goes_beyond

    def is_trace_beside(self, mark: "Evidence") -> bool:
        """Whether it has only what a cup left, or next to nothing, beside a mark in its row."""
        is_stain = self.is_stained and (
            self.peak < 1.5 * self.darkness or self.peak < 0.25 * mark.peak
        )
        return (
            self.deep < DEEP_MARK / 2
            and self.peak < min(0.13, 0.5 * mark.peak)
            and (self.darkness < FAINT_TRACE or is_stain)
        )


USUAL_SHARE: Final = 0.55
"""A peak of this part of the usual one is that of the same pencil."""


class Stroke(NamedTuple):
    """A kind of stroke: a circle that exceeds every bound has one.

    ``narrowness`` is the peak as a multiple of the darkness: the narrower a stroke, the more it
    stands out. ``lightest`` is a bound of the lightest spot around the circle: a lower one tells
    of a shadow. ``second_darkest`` may not be reached by the second darkest spot: a stroke that
    leaves the circle reaches one spot, and a stain several.
    """

    peak: float = -inf
    darkness: float = -inf
    deep: float = -inf
    narrowness: float = -inf
    lightest: float = -inf
    second_darkest: float = inf

    def is_in(self, circle: Evidence) -> bool:
        """Whether a circle has a stroke of this kind."""
        return (
            circle.peak > self.peak
            and circle.darkness > self.darkness
            and circle.deep > self.deep
            and circle.peak > self.narrowness * circle.darkness
            and circle.spots[0] > -circle.bound(-self.lightest)
            and circle.spots[4] < circle.bound(self.second_darkest)
        )


PRESSED: Final = Stroke(peak=0.24, darkness=0.055, deep=0.006)
"""A line so dark that only a pen that was pressed leaves it."""
DEEP: Final = Stroke(peak=0.12, deep=DEEP_MARK)
"""More deep darkness than print and coffee have, with a peak."""
FILLED: Final = Stroke(peak=0.06, deep=1.3 * DEEP_MARK)
"""So much deep darkness that the circle is filled: it needs hardly a peak."""
NARROW: Final = Stroke(peak=0.13, deep=0.006, narrowness=1.6)
"""A thin dark line: a stain of this peak would be wider."""
NARROW_DARK: Final = Stroke(peak=0.2, deep=0.02, narrowness=1.5)
"""A darker line, which may be a little wider."""
NARROW_SOFT: Final = Stroke(peak=0.08, deep=0.015, narrowness=1.5, second_darkest=0.08)
"""A blurred thin line: it is light, but no stain is around it."""
HAIRLINE: Final = Stroke(peak=0.1, narrowness=2, lightest=-0.025, second_darkest=0.045)
"""A very thin line on clean paper: too thin to be deep in a small picture."""
BROAD: Final = Stroke(darkness=0.07, narrowness=1.45, lightest=-0.025, second_darkest=0.045)
"""A broad line of a soft pencil on clean paper."""
SINGLE: Final = Stroke(peak=0.14, narrowness=1.9, lightest=-0.02)
"""One line across the circle, where no edge of a shadow is near."""
SINGLE_IN_SHADOW: Final = Stroke(peak=0.14, narrowness=2.2)
"""One line at the edge of a shadow, which is no line itself: so it must be thinner."""
PENCIL: Final = Stroke(peak=0.1, deep=0.0075, narrowness=1.45, lightest=-0.02)
"""A grey line with some deep grains in it."""
GRAINY: Final = Stroke(darkness=0.05, deep=0.0095, lightest=-0.025, second_darkest=0.045)
"""Grains of a pencil all over the circle, on clean paper."""
STROKES: Final = (
    PRESSED,
    DEEP,
    FILLED,
    NARROW,
    NARROW_DARK,
    NARROW_SOFT,
    HAIRLINE,
    BROAD,
    SINGLE,
    SINGLE_IN_SHADOW,
    PENCIL,
    GRAINY,
)


def judge_circles(
    rows: Sequence[SlipRow], samples: Sequence[Sequence[CircleSample]]
) -> list[list[Mark]]:
    """Say of each circle whether it is marked."""
    evidence = find_evidence(rows, samples)
    marks = [
        circle
        for line in evidence
        for circle in line
        if circle.deep >= DEEP_MARK and circle.darkness >= SURE_DARKNESS
    ]
    usual = (0.0, 1.0, 0.0)
    if len(marks) >= SURE_MARKS_MIN:
        peak, darkness, deep = zip(
            *((one.peak, one.darkness, one.deep) for one in marks), strict=True
        )
        usual = quantile(peak, 0.5), quantile(darkness, 0.5), quantile(deep, 0.5)
    else:
        marks = [circle for line in evidence for circle in line if is_outlier(circle, line)]
    return [judge_row(line, usual, marks) for line in evidence]


def judge_row(
    line: Sequence[Evidence], usual: tuple[float, float, float], marks: Sequence[Evidence]
) -> list[Mark]:
    """Judge the circles of a row, each by itself and then beside the others.

    ``usual`` are peak, darkness and deep darkness of the sure marks of the slip: 0, 1 and 0 where
    there are few; ``marks`` are then the circles that stand out from their rows.
    """
    usual_peak, usual_darkness, usual_deep = usual
    found = [judge_circle(circle, usual_peak) for circle in line]
    for place, circle in enumerate(line):
        # The ring of a cup is a line, too: where a row has no others to compare with, or is sharp.
        is_alone = len(line) <= MATES_MIN and circle.is_stained and circle.deep < DEEP_MARK / 3
        is_ring = is_alone or (circle.is_sharp and circle.deep < LIGHT_SHARE * usual_deep)
        is_doubted = is_ring if found[place] is Mark.MARKED else is_outlier(circle, line)
        if is_doubted:
            found[place] = Mark.UNSURE
    if found.count(Mark.UNSURE) == 1 and Mark.MARKED not in found:
        place = found.index(Mark.UNSURE)
        if is_answer(line[place], line, marks):
            found[place] = Mark.MARKED
    if found.count(Mark.MARKED) == 1:
        mark = line[found.index(Mark.MARKED)]
        # Beside a mark that may be struck out, a trace may be the answer.
        most = inf if mark.darkness < STRUCK_OUT * usual_darkness else FAINT_TRACE
        for place, circle in enumerate(line):
            is_unsure = found[place] is Mark.UNSURE
            if is_unsure and circle.darkness < most and circle.is_trace_beside(mark):
                found[place] = Mark.EMPTY
    return found


def is_outlier(circle: Evidence, line: Sequence[Evidence]) -> bool:
    """Whether a circle is much darker than all others of its row, which the same light falls on."""
    if len(line) <= MATES_MIN or circle.darkness - min(one.darkness for one in line) <= OUT_MIN:
        return False
    others = [other for other in line if other is not circle]
    middle = quantile([other.darkness for other in others], 0.5)
    spread = max(abs(other.darkness - middle) for other in others)
    return circle.darkness - middle > max(OUT_MIN, OUT_TIMES * spread)


def is_answer(circle: Evidence, line: Sequence[Evidence], marks: Sequence[Evidence]) -> bool:
    """Whether the only circle of a row that is not empty is a mark like others of the slip."""
    if len(marks) < SURE_MARKS_MIN:
        return False
    is_usual = circle.darkness >= LIKE_OTHERS * quantile(
        [mark.darkness for mark in marks], 0.5
    ) or circle.peak >= LIKE_OTHERS * quantile([mark.peak for mark in marks], 0.5)
    is_clean = circle.is_paper_clean or circle.is_paper_spotless
    return is_usual and is_clean and not circle.is_coffee and is_outlier(circle, line)


def judge_circle(circle: Evidence, usual_peak: float) -> Mark:
    """Judge a circle by itself; ``usual_peak`` is that of the sure marks, 0 where there are few."""
    darkness, peak, deep = circle.darkness, circle.peak, circle.deep
    if circle.is_like_empty:
        # A faint line makes no circle darker as a whole: it is judged beside the other marks.
        faint = min(0.11, max(0.05, 0.25 * usual_peak)) if usual_peak else 0.08
        return Mark.EMPTY if peak < faint or circle.is_even else Mark.UNSURE
    if circle.is_film:
        return Mark.EMPTY
    is_stroke = circle.is_stroke
    is_within_noise = darkness < max(0.03, (3.5 if is_stroke else 5) * circle.noise)
    if is_within_noise or circle.is_coffee:
        return Mark.UNSURE
    is_usual = peak >= USUAL_SHARE * usual_peak
    if is_stroke and (
        is_usual or deep >= DEEP_MARK or circle.is_paper_clean or circle.spots[5] < 0.1
    ):
        return Mark.MARKED
    is_dark_enough = peak >= max(0.05, 0.4 * usual_peak)
    if is_dark_enough or (circle.is_paper_spotless and deep > 0.012):
        is_mark = circle.is_dark_spot(usual_peak) or circle.is_plain(usual_peak)
        return Mark.MARKED if is_mark else Mark.UNSURE
    return Mark.UNSURE


def find_evidence(
    rows: Sequence[SlipRow], samples: Sequence[Sequence[CircleSample]]
) -> list[list[Evidence]]:
    """Compare circles with print as it would look through the same lens, and with each other."""
    circles = [
        (None if row.key in WORDED else circle.value, sample)
        for row, line in zip(rows, samples, strict=True)
        for circle, sample in zip(row.circles, line, strict=True)
    ]
    # Of a list all may be marked, and nothing is printed in its circles.
    is_list = all(row.key is RowKey.HERE for row in rows)
    fits = []
    for blur in BLURS:
        gaps = []
        for value, sample in circles:
            printed = sample_print(value, blur)
            gaps.append([x - y for x, y in zip(sample.inside, printed.inside, strict=True)])
        usual = [0.0] * 3
        if not is_list:
            usual = [quantile([gap[axis] for gap in gaps], 0.45) for axis in range(3)]
        # Half of the circles and more are empty: those that are nearest to the usual.
        misfit = sum(
            quantile([abs(gap[axis] - usual[axis]) for gap in gaps], 0.6) for axis in range(3)
        )
        fits.append((misfit, blur, usual, gaps))
    _misfit, blur, usual, gaps = min(fits, key=lambda fit: fit[0])
    noise, usual_of_words = WORDS_NOISE, usual
    if not is_list:
        noise = quantile([abs(gap[0] - usual[0]) for gap in gaps], 0.5) / 0.67 + 0.002
        # A lens blurs print and empty circles differently: an empty one is never darker for it.
        alike = [gap for gap, (value, _) in zip(gaps, circles, strict=True) if value is None]
        usual_of_words = [
            min(known, quantile([gap[axis] for gap in alike], 0.3)) if alike else known
            for axis, known in enumerate(usual)
        ]
    speck = quantile([abs(spot) for _, sample in circles for spot in sample.outside], 0.5)
    left = iter(gaps)
    found = []
    for row, line in zip(rows, samples, strict=True):
        is_worded = row.key in WORDED
        less = usual_of_words if is_worded else usual
        found.append(
            [
                Evidence(
                    darkness=(gap := next(left))[0] - less[0],
                    deep=gap[1] - less[1],
                    peak=gap[2] - less[2],
                    noise=min(noise, WORDS_NOISE) if is_worded else noise,
                    spots=sorted(sample.outside),
                    speck=speck,
                    is_sharp=blur <= SHARP_BLUR,
                )
                for sample in line
            ]
        )
    return found
