"""Official versions of standings, and for how long results can be corrected (DEC-7)."""

import django.db.models.deletion
import tournaments.core.ids
from django.db import migrations, models
from tournaments.migrations._triggers import append_only, erasable, setting

# A reason may lose the name of an erased person; all else stays as it was written.
GUARDS = [
    erasable(
        "tournaments_standingsdecision",
        ("reason",),
        ("published_id", "number", "verdict", "version", "by", "at"),
    ),
    *(
        guard
        for guard in append_only("tournaments_standingsdecision", ("published_id", "number"))
        if guard.event != "UPDATE"
    ),
]


def take_hours_of_house_rules(apps, schema_editor):
    """Until now the house rules said for how long; events keep what held for them."""
    alias = schema_editor.connection.alias
    rule_sets, events = (apps.get_model("tournaments", name) for name in ("RuleSet", "Event"))
    for rule_set in rule_sets.objects.using(alias).exclude(overrides={}):
        period = str(rule_set.overrides.get("correction_period", "PT24H"))
        if period != "PT24H":
            hours = int(period.removeprefix("PT").removesuffix("H"))
            events.objects.using(alias).filter(rule_set=rule_set).update(correction_hours=hours)


def take_last_versions_as_official(apps, schema_editor):
    """What is official by now is so in its last version, since that was computed."""
    alias = schema_editor.connection.alias
    models = ("Published", "Snapshot", "Event", "League", "AuditEntry", "StandingsDecision")
    published, snapshots, events, leagues, trail, decisions = (
        apps.get_model("tournaments", name).objects.using(alias) for name in models
    )
    over = (
        ("event", "event official", events.filter(status="official"), "official_at"),
        ("league", "league closed", leagues.exclude(closed_at=None), "closed_at"),
    )
    for scope, what, rows, moment in over:
        for subject, since in rows.values_list("pk", moment):
            row = published.filter(scope=scope, subject=subject, version__gt=0).first()
            if row is None:
                continue
            snapshot = snapshots.get(published=row, version=row.version)
            entry = trail.filter(chain=subject, what=what).order_by("-number").first()
            decisions.create(
                published=row,
                number=1,
                verdict="official",
                version=row.version,
                by="" if entry is None else entry.by,
                at=max(since or snapshot.computed_at, snapshot.computed_at),
            )
            published.filter(pk=row.pk).update(official=row.version)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0028_venues'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='correction_hours',
            field=models.PositiveSmallIntegerField(db_default=24, default=24),
        ),
        migrations.AddField(
            model_name='event',
            name='corrections_ended_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='published',
            name='official',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.CreateModel(
            name='StandingsDecision',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('verdict', models.CharField(choices=[('official', 'Official'), ('amended', 'Amended'), ('declined', 'Declined'), ('reopened', 'Reopened')], max_length=8)),
                ('version', models.PositiveIntegerField()),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('published', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='tournaments.published')),
            ],
            options={
                'verbose_name': 'decision on standings',
                'verbose_name_plural': 'decisions on standings',
                'constraints': [models.UniqueConstraint(fields=('published', 'number'), name='standings_decision_number_once'), models.CheckConstraint(condition=models.Q(('verdict__in', ['official', 'amended', 'declined', 'reopened'])), name='verdict_is_known'), models.CheckConstraint(condition=models.Q(('verdict', 'official'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_later_verdict_has_a_reason')],
            },
        ),
        migrations.RunPython(*setting(GUARDS)),
        migrations.RunPython(take_hours_of_house_rules, migrations.RunPython.noop),
        migrations.RunPython(take_last_versions_as_official, migrations.RunPython.noop),
    ]
