from django.db import migrations

NOT_COUNTED = "('void', 'foot', 'not played')"
COUNTED = f"""
    UPDATE scoring_game SET counted = (
        SELECT COUNT(*) FROM scoring_hand h
        WHERE h.game_id = scoring_game.id AND h.rival_id IS NULL
            AND h.number <= scoring_game.hands AND h.state NOT IN {NOT_COUNTED}
    ) WHERE hands > 0
"""
RESULTS = f"""
    UPDATE tournaments_result SET counts = false WHERE EXISTS (
        SELECT 1 FROM scoring_hand h
        WHERE h.game_id = tournaments_result.game_id AND h.number = tournaments_result.number
            AND h.rival_id IS NULL AND h.state IN {NOT_COUNTED}
    )
"""
CHANGED = "SELECT DISTINCT game_id FROM tournaments_result WHERE NOT counts"
EVENTS = f"""
    SELECT DISTINCT event_id FROM tournaments_tablegame
    WHERE event_id IS NOT NULL AND id IN ({CHANGED})
"""
BEHIND = f"""
    INSERT INTO tournaments_stale (scope, subject, since)
    SELECT 'event', e.event_id, CURRENT_TIMESTAMP FROM ({EVENTS}) e
    UNION ALL
    SELECT 'league', l.league_id, CURRENT_TIMESTAMP
    FROM ({EVENTS}) e JOIN tournaments_leagueevent l ON l.event_id = e.event_id
"""


class Migration(migrations.Migration):
    """Hands that a misdeal, a foot or a void ended are no hands of a round any more (DEC-4)."""

    dependencies = [("scoring", "0018_hands_of_a_round")]

    operations = [
        migrations.RunSQL(statement, migrations.RunSQL.noop)
        for statement in (COUNTED, RESULTS, BEHIND)
    ]
