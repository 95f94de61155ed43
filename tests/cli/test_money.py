"""Money at the end of a game: whole units of a currency, which is named where it is known."""

import json

from tests.cli.calling import NAMES, SAMPLES, ask

SAMPLE = (SAMPLES / NAMES["5"]).read_text(encoding="utf-8")
YEN = SAMPLE.replace('[Ante "5.00"]', '[Ante "500"]').replace('"EUR"', '"JPY"')
UNNAMED = SAMPLE.replace('[Currency "EUR"]\n', "")


def settled(text: str) -> tuple[str | None, str | None]:
    """The currency that the hand names, and that the result of the game does."""
    answer = ask("settle", "-", "--format", "json", stdin=text.encode())
    record, end = map(json.loads, answer.out.splitlines())
    assert record["next"]["payout"] == end["final"]["payout"] == {"E": 1500, "S": 0, "W": 0}
    return record["next"]["currency"], end["final"]["currency"]


def test_a_payout_names_its_currency() -> None:
    assert settled(SAMPLE) == ("EUR", "EUR")
    assert settled(YEN) == ("JPY", "JPY")
    assert settled(UNNAMED) == (None, None)


def test_amounts_have_the_places_of_their_currency() -> None:
    assert "15.00 EUR" in ask("settle", "-", stdin=SAMPLE.encode()).out
    assert "1500 JPY" in ask("settle", "-", stdin=YEN.encode()).out
    assert "15.00\n" in ask("settle", "-", stdin=UNNAMED.encode()).out


def test_nothing_is_paid_before_the_end() -> None:
    first = (SAMPLES / NAMES["1"]).read_bytes()
    (record,) = ask("settle", "-", "--format", "json", stdin=first).out.splitlines()
    assert json.loads(record)["next"]["payout"] is None
    assert json.loads(record)["next"]["currency"] is None
