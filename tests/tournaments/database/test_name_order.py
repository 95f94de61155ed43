"""Names are in the order in which people look for them, on every database."""

import pytest

from tests.scoring.club import at, make_club
from tournaments.core.name_folding import fold_name
from tournaments.database.name_order import order_by_name
from tournaments.models import Person, Player
from tournaments.people.display_names import players_by_name

pytestmark = pytest.mark.django_db
NAMES = (
    *("ada Lovelace", "Ågot Berg", "Anna B", "Anna-Lena", "Béla Fekete", "de Vries", "Émile Zola"),
    *("Jan Łukasik", "Muller", "Müller", "O'Hara", "Ødegård", "Otto", "Zoë", "Ольга"),
)


def test_names_come_without_regard_to_case_accents_and_special_letters() -> None:
    club = make_club()
    for number, name in enumerate(reversed(NAMES), start=1):
        player = Player.objects.create(club=club, number=number, created_at=at())
        Person.objects.create(player=player, name=name, sought=fold_name(name))
    Player.objects.create(club=club, number=99, created_at=at())
    found = Player.objects.order_by(*order_by_name("person"), "pk")
    in_order = [name for (name,) in found.values_list("person__name")]
    assert in_order == [*sorted(NAMES, key=lambda name: (fold_name(name), name)), None]
    names = [name for _player, name in players_by_name(club)]
    assert names.index("Émile Zola") < names.index("Jan Łukasik") < names.index("Zoë")
    assert names.index("Muller") < names.index("Müller") < names.index("Otto")
