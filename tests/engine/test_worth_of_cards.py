"""Worth of the cards: what the shipped coefficients say of hands that anybody can count."""

from hypothesis import given
from hypothesis import strategies as st

from engine import PRESETS, Suit, deal, parse_cards, preset
from engine.analysis.worth import (
    FEATURES,
    count_features,
    model_of,
    worth_of_cards,
)
from engine.analysis.worth_fit import WorthFit, play_and_count
from engine.core.seats import Seat
from tests.engine.table import seeded


def own_worth(name: str, cards: str, **said: bool) -> int:
    """What one hand is worth before the mean of the table is taken off, in thousandths."""
    rules = preset(name)
    said = {"names": False, "leads": False, **said}
    features = count_features(
        parse_cards(cards), Suit.HEARTS, has_queen=rules.queen.value == "on", **said
    )
    return sum(
        one * many for one, many in zip(model_of(rules, 4).coefficients, features, strict=True)
    )


def test_a_bare_queen_of_spades_costs_seven_points_and_three_guards_save_a_third() -> None:
    rest = "D765C765"
    bare = own_worth("standard", "SQ" + rest) - own_worth("standard", rest)
    guarded = own_worth("standard", "SQ432" + rest) - own_worth("standard", rest)
    assert bare == -6927
    assert guarded == -6927 + 3 * (1480 - 632) == -4383


def test_a_king_of_spades_is_less_dangerous_with_low_spades() -> None:
    bare = own_worth("standard", "SKD7C7") - own_worth("standard", "D7C7")
    guarded = own_worth("standard", "SK65D7C7") - own_worth("standard", "S65D7C7")
    assert (bare, guarded) == (-3510, -3510 + 2 * 616)


def test_a_low_heart_is_worth_more_than_a_high_one() -> None:
    worths = [
        own_worth("standard", f"H{rank}") - own_worth("standard", "-") for rank in "23456789TJQKA"
    ]
    assert worths[0] == 739 + 421
    assert worths == sorted(worths, reverse=True)


def test_a_void_is_worth_more_than_a_singleton() -> None:
    names = dict(zip(FEATURES, model_of(preset("standard"), 4).coefficients, strict=True))
    assert names["voids"] > names["singletons"] > 0
    assert names["leads"] < 0


@given(st.integers(0, 10**6), st.sampled_from(sorted(PRESETS)))
def test_the_worths_of_a_table_sum_to_nothing_whoever_sits_where(seed: int, name: str) -> None:
    dice, rules = seeded(seed), PRESETS[name]
    players = dice.randint(rules.players.least, rules.players.most)
    held = deal(rules, players, dice.sample(range(52), 52)).holdings
    pain = dice.choice(list(Suit)) if rules.pain.value == "auction" else Suit.HEARTS
    worths = worth_of_cards(rules, held, counting=pain, namer=Seat(0), leader=Seat(1))
    assert sum(worths) == 0
    turned = worth_of_cards(
        rules,
        (*held[1:], held[0]),
        counting=pain,
        namer=Seat(players - 1),
        leader=Seat(0),
    )
    assert all(abs(a - b) <= 1 for a, b in zip(turned, (*worths[1:], worths[0]), strict=True))


def test_a_table_of_three_five_or_six_has_coefficients_of_its_own() -> None:
    own = {"hoyle_hearts": (3, 5, 6), "hoyle_auction": (3, 5, 6), "sahara": (3, 5)}
    for name, sizes in own.items():
        rules = preset(name)
        for players in sizes:
            found = model_of(rules, players)
            assert found.name == f"{name} {players}"
            assert found.coefficients != model_of(rules, 4).coefficients
            assert found.explained > 10
        assert model_of(rules, 4).name == name


def test_a_fit_finds_the_law_by_which_gains_were_made_up() -> None:
    dice, fit = seeded(1), WorthFit()
    for _ in range(400):
        features = [float(dice.randrange(5) - 2) for _ in FEATURES]
        fit.add([(features, 2 * features[0] - 0.5 * features[3])])
    found = fit.solve()
    wanted = [2.0, 0.0, 0.0, -0.5, *([0.0] * (len(FEATURES) - 4))]
    assert all(abs(a - b) < 0.01 for a, b in zip(found, wanted, strict=True))
    assert fit.explain(found) > 0.999
    assert len(fit.held_out) == 100


def test_hands_of_bots_tell_that_the_queen_is_dear_and_the_same_seed_tells_the_same() -> None:
    fits = [WorthFit(), WorthFit()]
    for fit in fits:
        for _ in play_and_count(preset("sahara"), 5, hands=120, seed=4, fit=fit):
            pass
    first, second = (fit.to_json() for fit in fits)
    assert first == second
    assert first["hands"] == 120
    assert first["coefficients"]["queen"] < -2
