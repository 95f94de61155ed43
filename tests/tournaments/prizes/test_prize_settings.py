"""Settings of prizes: what cannot be paid out is refused by its name."""

import pytest

from tournaments.core.errors import RefusedError
from tournaments.prizes import Fee, PrizeKind, Prizes, Ties


def test_what_is_not_said_is_as_usual() -> None:
    assert Prizes.from_json("{}") == Prizes()
    assert Prizes.from_json('{"ties": "hort", "fee": {"per_head": 50}}') == Prizes(
        ties=Ties.HORT, fee=Fee(per_head=50)
    )
    assert Prizes.from_json('{"kind": "winner", "prizes": []}').kind is PrizeKind.WINNER


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "prizes"),
        ("7", "prizes"),
        ("[" * 100_000, "prizes"),
        ('{"prize": []}', "prize"),
        ('{"prizes": []}', "prizes"),
        ('{"prizes": "50"}', "prizes"),
        ('{"prizes": [20, 30]}', "prizes"),
        ('{"prizes": [20, 0]}', "prizes"),
        ('{"prizes": [20, -1]}', "prizes"),
        ('{"prizes": [20.5]}', "prizes"),
        ('{"prizes": [true]}', "prizes"),
        ('{"prizes": [1000000000001]}', "prizes"),
        ('{"kind": "lottery"}', "kind"),
        ('{"kind": ["winner"]}', "kind"),
        ('{"ties": null}', "ties"),
        ('{"odd": 1}', "odd"),
        ('{"pot_left": "all"}', "pot_left"),
        ('{"threshold": -1}', "threshold"),
        ('{"threshold": "1"}', "threshold"),
        ('{"fee": 5}', "fee"),
        ('{"fee": {"rake": 5}}', "fee.rake"),
        ('{"fee": {"basis_points": 10001}}', "fee.basis_points"),
        ('{"fee": {"basis_points": 0.05}}', "fee.basis_points"),
        ('{"fee": {"per_head": -1}}', "fee.per_head"),
        ('{"fee": {"per_head": 5, "basis_points": 5}}', "fee.per_head"),
        ('{"fee": {"per_head": 5, "most": 0}}', "fee.per_head"),
        ('{"fee": {"least": -1}}', "fee.least"),
        ('{"fee": {"least": 5, "most": 4}}', "fee.most"),
        ('{"fee": {"most": -4}}', "fee.most"),
    ],
)
def test_what_is_wrong_is_named(text: str, field: str) -> None:
    with pytest.raises(RefusedError) as refused:
        Prizes.from_json(text)
    assert refused.value.field == field
