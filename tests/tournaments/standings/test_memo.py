"""What is remembered of the last ranking never shows in the next one."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.strategies import events, leagues, scorings, seasons
from tournaments.standings import ScoringRules, SeasonRules, canonical, rank_event, rank_season
from tournaments.standings.exact import Fragment
from tournaments.standings.memo import Memo

MANY = settings(max_examples=examples(100), deadline=None)


def ranked(event: dict[str, Any], rule: ScoringRules, memo: Memo | None) -> str:
    rest = {name: event[name] for name in ("adjustments", "boards", "sit_outs")}
    found = rank_event(event["tables"], event["entries"], rule, **rest, memo=memo)
    return canonical(found.to_data())


@MANY
@given(st.lists(events(), min_size=2, max_size=3), scorings(), st.data())
def test_an_event_is_ranked_alike_with_a_memo_and_without(
    drawn: list[dict[str, Any]], rule: ScoringRules, data: st.DataObject
) -> None:
    """Some of its tables change, or more; then it is as it was before."""
    memo, event = Memo(), drawn[0]
    for other in [*drawn[1:], drawn[0], drawn[0]]:
        event = {**event, "tables": [*event["tables"]]}
        for at, table in enumerate(other["tables"]):
            if data.draw(st.booleans()):
                event["tables"][at : at + 1] = [table]
        if data.draw(st.integers(0, 3)) == 0:
            event[data.draw(st.sampled_from(sorted(other)))] = other["sit_outs"][:0]
        elif data.draw(st.booleans()):
            event |= other
        assert ranked(event, rule, memo) == ranked(event, rule, None)


def ranked_season(drawn: dict[str, Any], rules: SeasonRules, memo: Memo | None) -> str:
    found = rank_season(
        drawn["events"], drawn["members"], rules, adjustments=drawn["adjustments"], memo=memo
    )
    return canonical(found.to_data())


@MANY
@given(st.lists(seasons(), min_size=2, max_size=3), leagues(), st.data())
def test_a_season_is_ranked_alike_with_a_memo_and_without(
    drawn: list[dict[str, Any]], rules: SeasonRules, data: st.DataObject
) -> None:
    """Some of its events change, are added or fall away, or more; then it is as it was before."""
    memo, season = Memo(), drawn[0]
    for other in [*drawn[1:], drawn[0], drawn[0]]:
        events = {event.number: event for event in season["events"]}
        for event in other["events"]:
            if data.draw(st.booleans()):
                events[event.number] = event
        if data.draw(st.booleans()) and events:
            del events[data.draw(st.sampled_from(sorted(events)))]
        season = {**season, "events": [*events.values()]}
        if data.draw(st.integers(0, 2)) == 0:
            season |= other
        assert ranked_season(season, rules, memo) == ranked_season(season, rules, None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@MANY
@given(st.dictionaries(st.text(), JSON), st.lists(JSON))
def test_fragments_are_put_together_as_if_they_had_been_written_at_once(
    members: dict[str, Any], items: list[Any]
) -> None:
    made = Fragment.object({name: Fragment.of(value) for name, value in members.items()})
    assert (made.data, made.text) == (members, canonical(members))
    listed = Fragment.array([Fragment.of(item) for item in items])
    assert (listed.data, listed.text) == (items, canonical(items))
