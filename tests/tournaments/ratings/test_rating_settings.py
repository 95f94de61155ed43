"""Settings of ratings: exact, the same bytes again, and a refusal that names what is wrong."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.errors import RefusedError
from tournaments.ratings import RatingSettings


@given(
    mu=st.fractions(0, 100, max_denominator=999),
    beta=st.fractions(1, 50, max_denominator=999),
    shown_after=st.integers(0, 1000),
)
def test_settings_come_back_from_json_with_the_same_digest(
    mu: Fraction, beta: Fraction, shown_after: int
) -> None:
    before = RatingSettings(mu=mu, beta=beta, shown_after=shown_after)
    after = RatingSettings.from_json(before.to_json())
    assert after == before
    assert after.digest == before.digest
    assert (before.digest == RatingSettings().digest) == (before == RatingSettings())


def test_what_is_not_said_is_as_usual() -> None:
    assert RatingSettings.from_json("{}") == RatingSettings()
    assert RatingSettings.from_json('{"tau": 0.125, "mu": 30}').tau == Fraction(1, 8)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "ratings"),
        ("[]", "ratings"),
        ("[" * 100_000, "ratings"),
        ('{"bet": "1"}', "bet"),
        ('{"beta": "0"}', "beta"),
        ('{"beta": "1/0"}', "beta"),
        ('{"beta": "-1"}', "beta"),
        ('{"beta": 1e400}', "beta"),
        ('{"beta": "1e999999999"}', "beta"),
        ('{"beta": NaN}', "beta"),
        ('{"beta": true}', "beta"),
        ('{"beta": null}', "beta"),
        ('{"beta": ["1"]}', "beta"),
        ('{"beta": "\u0663"}', "beta"),
        ('{"mu": 999999}', "mu"),
        ('{"sigma": 0}', "sigma"),
        ('{"sigma": 200}', "sigma"),
        ('{"tau": 9}', "tau"),
        ('{"kappa": 1}', "kappa"),
        ('{"scale": 0}', "scale"),
        ('{"shown_after": 2.5}', "shown_after"),
        ('{"shown_after": -1}', "shown_after"),
        ('{"shown_after": true}', "shown_after"),
    ],
)
def test_what_is_wrong_is_named(text: str, field: str) -> None:
    with pytest.raises(RefusedError) as refused:
        RatingSettings.from_json(text)
    assert refused.value.field == field
