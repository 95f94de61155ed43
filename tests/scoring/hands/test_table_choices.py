"""What two seats can say of a hand: no path of it ends where nobody can go on."""

import pytest

from scoring.hands.disputes import Dispute
from scoring.hands.table_choices import TableChoice, list_choices, seats_waited_for
from scoring.models import Game, Hand, State
from scoring.presentation.disputes import dispute_answer
from tests.examples import examples
from tests.scoring.club import assert_recomputes, at, make_club, make_game, make_rules
from tests.scoring.table_paths import ENDINGS, Act, tell, walk

pytestmark = pytest.mark.django_db


@pytest.mark.property
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("confirming", ["optional", "required"])
def test_every_state_of_a_hand_has_a_way_on_and_every_key_an_effect(
    ending: str, confirming: str
) -> None:
    club = make_club(confirming=confirming)
    game = make_game(club, make_rules(club))
    hand = tell(game, at(1), ending)

    def see(game: Game, hand: Hand, dispute: Dispute, path: tuple[str, ...]) -> None:
        assert_recomputes(game)
        assert dispute_answer(dispute, in_full=True)["number"] == 1
        if hand.state != State.DISPUTED:
            return
        other = dispute.others[-1] if dispute.others else None
        is_called = hand.director_called_at is not None
        waited = seats_waited_for(dispute, other, game.players)
        offers = [list_choices(dispute, other, seat) for seat in range(game.players)]
        assert is_called or all(TableChoice.DIRECTOR in one for one in offers), path
        assert is_called or waited or not dispute.others, path
        assert all(set(offers[seat]) - {TableChoice.DIRECTOR} for seat in waited), path

    def changes(before: Hand, after: Hand, act: Act) -> None:
        assert (after.revision, after.state) != (before.revision, before.state), act

    assert walk(game, hand, see, examples(3, 2), changes) > 10
