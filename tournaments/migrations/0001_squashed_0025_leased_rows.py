"""All tables as of 0.2.0, in one step.

It replaces the migrations listed below. A new database runs this one alone; one that has run all of
them takes it as run; one that has run some, as one of 0.1.0 has, runs the rest of the old ones
first. These stay until nobody has such a database any more. Later migrations are numbered on from
0026 and name the last one before them in ``dependencies``, an old one or this one: both will do.
"""

import django.db.models.deletion
import django.db.models.expressions
import tournaments.core.ids
from django.conf import settings
from django.db import migrations, models
from tournaments.migrations._triggers import append_only, erasable, setting

# A reason may lose the name of an erased person; all else of an entry stays as it was written.
GUARDS = [
    erasable(
        "tournaments_auditentry",
        ("why",),
        (
            *("chain", "number", "club_id", "what", "by", "source", "details", "at", "before"),
            *("digest", "why_seal"),
        ),
    ),
    *(
        guard
        for guard in append_only("tournaments_auditentry", ("chain", "number"))
        if guard.event != "UPDATE"
    ),
]


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("tournaments", "0001_clubs"),
        ("tournaments", "0002_guards"),
        ("tournaments", "0003_search_by_name"),
        ("tournaments", "0004_events"),
        ("tournaments", "0005_prizes_and_teams"),
        ("tournaments", "0006_strengths"),
        ("tournaments", "0007_forfeits_boards_and_ratings"),
        ("tournaments", "0008_kept_sums"),
        ("tournaments", "0009_time_zones"),
        ("tournaments", "0010_what_strangers_see"),
        ("tournaments", "0011_hidden_events_and_leagues"),
        ("tournaments", "0012_invitations"),
        ("tournaments", "0013_an_index_that_another_begins_with"),
        ("tournaments", "0014_whose_a_sum_is"),
        ("tournaments", "0015_fold_special_letters"),
        ("tournaments", "0016_deal_secrets"),
        ("tournaments", "0017_secret_deals"),
        ("tournaments", "0018_rank_guests"),
        ("tournaments", "0019_erasing_people"),
        ("tournaments", "0020_households_and_tables"),
        ("tournaments", "0021_fee_paid"),
        ("tournaments", "0022_results_that_count"),
        ("tournaments", "0023_bars_of_players"),
        ("tournaments", "0024_one_ranking"),
        ("tournaments", "0025_leased_rows"),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Account',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AnsweredRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asker', models.CharField(max_length=60)),
                ('key', models.CharField(max_length=64)),
                ('method', models.CharField(max_length=8)),
                ('path', models.CharField(max_length=300)),
                ('body_digest', models.CharField(max_length=64)),
                ('body', models.BinaryField()),
                ('status', models.PositiveSmallIntegerField()),
                ('headers', models.JSONField(default=dict)),
                ('answer', models.BinaryField()),
                ('at', models.DateTimeField()),
                ('club_id', models.UUIDField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['at'], name='tournaments_at_6645fb_idx'), models.Index(fields=['club_id'], name='tournaments_club_id_7753ed_idx')],
                'constraints': [models.UniqueConstraint(fields=('asker', 'key'), name='idempotency_key_once')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chain', models.UUIDField()),
                ('number', models.PositiveIntegerField()),
                ('club_id', models.UUIDField(null=True)),
                ('what', models.CharField(max_length=40)),
                ('by', models.CharField(max_length=60)),
                ('source', models.CharField(max_length=12)),
                ('why', models.CharField(blank=True, max_length=1000)),
                ('why_salt', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('why_seal', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('details', models.TextField(default='{}')),
                ('at', models.DateTimeField()),
                ('before', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
            ],
            options={
                'indexes': [models.Index(fields=['club_id', 'at'], name='tournaments_club_id_ea20e6_idx')],
                'constraints': [models.UniqueConstraint(fields=('chain', 'number'), name='audit_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('is_public', models.BooleanField(default=False)),
                ('currency', models.CharField(default='EUR', max_length=3)),
                ('confirming', models.CharField(choices=[('required', 'Required'), ('optional', 'Optional'), ('off', 'Off')], db_default='optional', default='optional', max_length=8)),
                ('time_zone', models.CharField(db_default='UTC', default='UTC', max_length=64)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='a_club_has_a_name'), models.CheckConstraint(condition=models.Q(('confirming__in', ['required', 'optional', 'off'])), name='confirming_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('member', 'Member'), ('guest', 'Guest'), ('visitor', 'Visitor')], default='member', max_length=8)),
                ('number', models.PositiveIntegerField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
                ('left_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='players', to='tournaments.club')),
                ('merged_into', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='duplicates', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'number'), name='player_number_once_in_a_club'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='nobody_is_his_own_duplicate'), models.CheckConstraint(condition=models.Q(('kind__in', ['member', 'guest', 'visitor'])), name='player_kind_is_known')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=10)),
                ('name', models.CharField(max_length=200)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(default=list)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='api_keys', to='tournaments.club')),
            ],
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=10)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(db_index=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to='tournaments.club')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='League',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('season', models.JSONField(default=dict)),
                ('planned', models.PositiveSmallIntegerField(default=0)),
                ('is_open', models.BooleanField(default=True)),
                ('rated', models.BooleanField(db_default=True, default=True)),
                ('is_hidden', models.BooleanField(db_default=False, default=False)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leagues', to='tournaments.club')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='a_league_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='person', serialize=False, to='tournaments.player')),
                ('name', models.CharField(max_length=200)),
                ('sought', models.CharField(db_default='', max_length=800)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('shown', models.CharField(choices=[('short', 'Short'), ('full', 'Full'), ('hidden', 'Hidden')], db_default='short', default='short', max_length=6)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('shown__in', ['short', 'full', 'hidden'])), name='what_is_shown_is_known'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='a_person_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='LeagueMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('division', models.PositiveSmallIntegerField(default=1)),
                ('opening', models.CharField(blank=True, max_length=40)),
                ('opening_events', models.PositiveSmallIntegerField(default=0)),
                ('handicap', models.CharField(blank=True, max_length=40)),
                ('joined_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='tournaments.league')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='league_places', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('league', 'player'), name='once_on_the_roll')],
            },
        ),
        migrations.CreateModel(
            name='FormerDetail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=254)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_details', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'text'), name='a_former_detail_once')],
            },
        ),
        migrations.CreateModel(
            name='PlayerBar',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('since', models.DateField()),
                ('until', models.DateField(null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('lifted_by', models.CharField(blank=True, max_length=60)),
                ('lifted_at', models.DateTimeField(null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bars', to='tournaments.player')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gte', models.F('since')), _connector='OR'), name='a_bar_ends_after_it_begins'), models.CheckConstraint(condition=models.Q(models.Q(('lifted_at__isnull', True), ('lifted_by', '')), models.Q(('lifted_at__isnull', False), models.Q(('lifted_by', ''), _negated=True)), _connector='OR'), name='a_lifted_bar_says_by_whom')],
            },
        ),
        migrations.CreateModel(
            name='Published',
            fields=[
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(db_column='begun', db_default=0, default=0)),
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('scope', models.CharField(choices=[('event', 'Event'), ('league', 'League'), ('ratings', 'Ratings'), ('batch', 'Strength')], max_length=7)),
                ('subject', models.UUIDField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('inputs', models.CharField(blank=True, max_length=64)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('computed_at', models.DateTimeField(null=True)),
                ('trouble', models.CharField(blank=True, max_length=300)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('scope', 'subject'), name='published_once')],
            },
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('player', 'Player'), ('director', 'Director'), ('treasurer', 'Treasurer'), ('admin', 'Admin'), ('federation', 'Federation')], max_length=10)),
                ('created_at', models.DateTimeField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='roles', to='tournaments.club')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='roles', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'club', 'kind'), name='role_once_in_a_club'), models.UniqueConstraint(condition=models.Q(('club__isnull', True)), fields=('account', 'kind'), name='role_once_in_the_federation'), models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', True), ('kind', 'federation')), models.Q(models.Q(('kind', 'federation'), _negated=True), ('club__isnull', False)), _connector='OR'), name='only_a_federation_has_no_club'), models.CheckConstraint(condition=models.Q(('kind__in', ['player', 'director', 'treasurer', 'admin', 'federation'])), name='role_is_known')],
            },
        ),
        migrations.CreateModel(
            name='RuleSet',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('version', models.PositiveIntegerField()),
                ('preset', models.CharField(max_length=40)),
                ('overrides', models.JSONField(default=dict)),
                ('digest', models.CharField(max_length=64)),
                ('keeps_jackpot', models.BooleanField(default=False)),
                ('made_by', models.CharField(max_length=60)),
                ('created_at', models.DateTimeField()),
                ('retired_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rule_sets', to='tournaments.club')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'name', 'version'), name='rule_set_version_once'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='a_rule_set_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('starts_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('planned', 'Planned'), ('running', 'Running'), ('finished', 'Finished'), ('official', 'Official')], default='planned', max_length=8)),
                ('movement', models.CharField(choices=[('planned', 'Planned'), ('random', 'Random'), ('swiss', 'Swiss'), ('danish', 'Danish'), ('ladder', 'Ladder'), ('snake', 'Snake'), ('fixed', 'Fixed'), ('prescribed', 'Prescribed')], default='planned', max_length=10)),
                ('rounds', models.PositiveSmallIntegerField()),
                ('hands', models.PositiveSmallIntegerField()),
                ('sizes', models.JSONField(default=list)),
                ('sit_outs', models.BooleanField(default=False)),
                ('wishes', models.JSONField(default=dict)),
                ('scoring', models.JSONField(default=dict)),
                ('prizes', models.JSONField(default=dict)),
                ('entry_fee', models.PositiveIntegerField(db_default=0, default=0)),
                ('added', models.PositiveIntegerField(db_default=0, default=0)),
                ('team_best', models.PositiveSmallIntegerField(null=True)),
                ('duplicate', models.BooleanField(default=False)),
                ('rated', models.BooleanField(db_default=True, default=True)),
                ('rank_guests', models.BooleanField(db_default=True, default=True)),
                ('is_hidden', models.BooleanField(db_default=False, default=False)),
                ('seed', models.CharField(max_length=64)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('official_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.club')),
                ('rule_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.ruleset')),
            ],
            options={
                'indexes': [models.Index(fields=['club', 'starts_at'], name='tournaments_club_id_f9ceed_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='an_event_has_a_name'), models.CheckConstraint(condition=models.Q(('status__in', ['planned', 'running', 'finished', 'official'])), name='event_status_is_known'), models.CheckConstraint(condition=models.Q(('movement__in', ['planned', 'random', 'swiss', 'danish', 'ladder', 'snake', 'fixed', 'prescribed'])), name='movement_is_known')],
            },
        ),
        migrations.CreateModel(
            name='DealSecret',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='deal_secret', serialize=False, to='tournaments.event')),
                ('secret', models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='LeagueEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('weight', models.CharField(default='1', max_length=40)),
                ('division', models.PositiveSmallIntegerField(null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leagues', to='tournaments.event')),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='tournaments.league')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('league', 'event'), name='an_event_counts_once'), models.UniqueConstraint(fields=('league', 'number'), name='session_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('standing', models.CharField(choices=[('player', 'Player'), ('guest', 'Guest'), ('house', 'House')], default='player', max_length=6)),
                ('presence', models.CharField(choices=[('expected', 'Expected'), ('here', 'Here'), ('left', 'Left'), ('withdrawn', 'Withdrawn')], default='expected', max_length=9)),
                ('first', models.PositiveSmallIntegerField(default=1)),
                ('last', models.PositiveSmallIntegerField(null=True)),
                ('team', models.CharField(blank=True, max_length=100)),
                ('household', models.CharField(blank=True, db_default='', max_length=100)),
                ('pot', models.PositiveSmallIntegerField(null=True)),
                ('stay_table', models.PositiveSmallIntegerField(null=True)),
                ('stay_seat', models.PositiveSmallIntegerField(null=True)),
                ('never_tables', models.JSONField(default=list)),
                ('sits_out', models.BooleanField(default=False)),
                ('handicap', models.CharField(blank=True, max_length=40)),
                ('fee_paid', models.PositiveIntegerField(db_default=0, default=0)),
                ('entered_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'player'), name='a_player_enters_once'), models.UniqueConstraint(fields=('event', 'number'), name='entry_number_once'), models.CheckConstraint(condition=models.Q(('standing__in', ['player', 'guest', 'house'])), name='entry_standing_is_known'), models.CheckConstraint(condition=models.Q(('presence__in', ['expected', 'here', 'left', 'withdrawn'])), name='presence_is_known'), models.CheckConstraint(condition=models.Q(('last__isnull', True), ('last__gte', django.db.models.expressions.CombinedExpression(models.F('first'), '-', models.Value(1))), _connector='OR'), name='an_entry_ends_after_it_began')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(choices=[('drawn', 'Drawn'), ('playing', 'Playing'), ('closed', 'Closed')], default='drawn', max_length=7)),
                ('certificate', models.JSONField(default=dict)),
                ('paired_on', models.PositiveIntegerField(null=True)),
                ('drawn_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='round_rows', to='tournaments.event')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='round_number_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='rounds_count_from_one'), models.CheckConstraint(condition=models.Q(('stage__in', ['drawn', 'playing', 'closed'])), name='round_stage_is_known')],
            },
        ),
        migrations.CreateModel(
            name='SignInCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.CharField(max_length=254)),
                ('address', models.CharField(max_length=64)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('since', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['since'], name='tournaments_since_819973_idx')],
                'constraints': [models.UniqueConstraint(fields=('email', 'address'), name='sign_in_pair_once')],
            },
        ),
        migrations.CreateModel(
            name='SitOut',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sit_outs', to='tournaments.entry')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sit_outs', to='tournaments.round')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('round', 'entry'), name='an_entry_sits_out_once')],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('data', models.TextField()),
                ('inputs', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('program', models.CharField(max_length=20)),
                ('computed_at', models.DateTimeField()),
                ('published', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='tournaments.published')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('published', 'version'), name='snapshot_version_once')],
            },
        ),
        migrations.CreateModel(
            name='Stale',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('event', 'Event'), ('league', 'League'), ('ratings', 'Ratings'), ('batch', 'Strength')], max_length=7)),
                ('subject', models.UUIDField()),
                ('since', models.DateTimeField()),
                ('game', models.UUIDField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['scope', 'subject'], name='tournaments_scope_a89861_idx')],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('size', models.PositiveSmallIntegerField()),
                ('boards', models.JSONField(default=list)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournaments.round')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='table_number_once'), models.CheckConstraint(condition=models.Q(('size__gte', 3), ('size__lte', 6)), name='three_to_six_at_a_table')],
            },
        ),
        migrations.CreateModel(
            name='TableGame',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('phase', models.CharField(max_length=8)),
                ('is_open', models.BooleanField(default=False)),
                ('low', models.BooleanField(default=False)),
                ('size', models.PositiveSmallIntegerField()),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.event')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.table')),
            ],
            options={
                'indexes': [models.Index(fields=['club', 'opened_at'], name='tournaments_club_id_dcd65d_idx')],
            },
        ),
        migrations.CreateModel(
            name='SeatDecision',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('forfeit', 'Forfeit'), ('score', 'Score')], max_length=7)),
                ('hands', models.PositiveSmallIntegerField(null=True)),
                ('amount', models.CharField(blank=True, max_length=40)),
                ('reason', models.CharField(max_length=300)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='tournaments.entry')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='tournaments.tablegame')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('cancelled_at__isnull', True)), fields=('game', 'entry'), name='one_decision_holds_for_a_seat'), models.CheckConstraint(condition=models.Q(('kind__in', ['forfeit', 'score'])), name='decision_kind_is_known'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_decision_has_a_reason'), models.CheckConstraint(condition=models.Q(models.Q(('amount', ''), ('kind', 'forfeit')), models.Q(('hands__isnull', True), ('kind', 'score'), models.Q(('amount', ''), _negated=True)), _connector='OR'), name='a_decision_says_what_its_kind_needs')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('score', models.IntegerField()),
                ('taken', models.PositiveSmallIntegerField(null=True)),
                ('whole', models.PositiveSmallIntegerField(default=13)),
                ('queen', models.BooleanField(null=True)),
                ('to_dealer', models.PositiveSmallIntegerField()),
                ('from_namer', models.PositiveSmallIntegerField(null=True)),
                ('bid', models.PositiveIntegerField(null=True)),
                ('second', models.PositiveIntegerField(null=True)),
                ('own_bid', models.PositiveIntegerField(null=True)),
                ('pain', models.CharField(blank=True, max_length=1)),
                ('pot', models.IntegerField(default=0)),
                ('won', models.IntegerField(default=0)),
                ('sharers', models.PositiveSmallIntegerField(default=0)),
                ('jackpot', models.BooleanField(default=False)),
                ('insured', models.PositiveSmallIntegerField(null=True)),
                ('foot', models.BooleanField(default=False)),
                ('played', models.BooleanField(default=True)),
                ('counts', models.BooleanField(db_default=True, default=True)),
                ('board', models.PositiveSmallIntegerField(null=True)),
                ('fits', models.BooleanField(null=True)),
                ('dealt', models.CharField(blank=True, db_default='', default='', max_length=300)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tournaments.player')),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tournaments.tablegame')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'number', 'seat'), name='one_result_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='TableSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='table_seats', to='tournaments.entry')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.round')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'seat'), name='one_entry_in_a_seat'), models.UniqueConstraint(fields=('round', 'entry'), name='an_entry_sits_once_a_round')],
            },
        ),
        migrations.CreateModel(
            name='Board',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('deal', models.CharField(blank=True, max_length=300)),
                ('source', models.CharField(max_length=60)),
                ('source_table', models.PositiveSmallIntegerField(null=True)),
                ('key', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='boards', to='tournaments.event')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='board_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Apart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='apart', to='tournaments.event')),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='a_pair_is_kept_apart_once'), models.CheckConstraint(condition=models.Q(('one', models.F('other')), _negated=True), name='nobody_is_apart_from_himself')],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('amount', models.CharField(max_length=40)),
                ('round', models.PositiveSmallIntegerField(null=True)),
                ('affects_place', models.BooleanField(default=False)),
                ('reason', models.CharField(max_length=300)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='tournaments.entry')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='an_adjustment_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(db_column='begun', db_default=0, default=0)),
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('archive', 'Archive'), ('export', 'Export'), ('members', 'Members'), ('openings', 'Openings')], max_length=20)),
                ('params', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='waiting', max_length=9)),
                ('dry_run', models.BooleanField(default=False)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(null=True)),
                ('place', models.JSONField(default=dict)),
                ('outcome', models.JSONField(default=dict)),
                ('problems', models.JSONField(default=list)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=200)),
                ('by', models.CharField(max_length=60)),
                ('source', models.CharField(max_length=12)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='tournaments.club')),
            ],
            options={
                'indexes': [models.Index(fields=['due_at'], name='tournaments_due_at_dceb03_idx'), models.Index(fields=['club', 'created_at'], name='tournaments_club_id_a1d7ef_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='job_state_is_known')],
            },
        ),
        migrations.RunPython(*setting(GUARDS)),
    ]
