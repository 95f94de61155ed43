"""All tables as of 0.2.0, in one step.

It replaces the migrations listed below. A new database runs this one alone; one that has run all of
them takes it as run; one that has run some, as one of 0.1.0 has, runs the rest of the old ones
first. These stay until nobody has such a database any more. Later migrations are numbered on from
0022 and name the last one before them in ``dependencies``, an old one or this one: both will do.
"""

import django.db.models.deletion
import tournaments.core.ids
from django.db import migrations, models

from scoring.migrations._triggers import BEFORE_LATE_WORDS
from tournaments.migrations._triggers import setting


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("scoring", "0001_shared_record"),
        ("scoring", "0002_games"),
        ("scoring", "0003_guards"),
        ("scoring", "0004_relay"),
        ("scoring", "0005_revisions"),
        ("scoring", "0006_more_guards"),
        ("scoring", "0007_jackpots_by_worth"),
        ("scoring", "0008_tables"),
        ("scoring", "0009_hand_drafts"),
        ("scoring", "0010_drafts_that_see_deals"),
        ("scoring", "0011_guards_at_once"),
        ("scoring", "0012_rulings_that_come_back"),
        ("scoring", "0013_transfers_kept_by_guards"),
        ("scoring", "0014_indexes_that_others_begin_with"),
        ("scoring", "0015_games_begun_by_the_old_law"),
        ("scoring", "0016_erasing_people"),
        ("scoring", "0017_entry_fees"),
        ("scoring", "0018_hands_of_a_round"),
        ("scoring", "0019_count_hands_of_a_round"),
        ("scoring", "0020_leased_rows"),
        ("scoring", "0021_reasons_as_messages"),
    ]

    dependencies = [
        ('tournaments', '0001_squashed_0025_leased_rows'),
    ]

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('rules', models.TextField()),
                ('digest', models.CharField(max_length=64)),
                ('frozen_at', models.DateTimeField(null=True)),
                ('keeps_jackpot', models.BooleanField(default=False)),
                ('old_law', models.BooleanField(null=True)),
                ('confirming', models.CharField(max_length=8)),
                ('players', models.PositiveSmallIntegerField()),
                ('start', models.TextField()),
                ('state', models.TextField()),
                ('hands', models.PositiveIntegerField(default=0)),
                ('booked', models.PositiveIntegerField(default=0)),
                ('counted', models.PositiveIntegerField(db_default=0, default=0)),
                ('boards_alike', models.BooleanField(db_default=False, default=False)),
                ('phase', models.CharField(choices=[('open', 'Open'), ('over', 'Over'), ('closed', 'Closed'), ('official', 'Official')], default='open', max_length=8)),
                ('version', models.PositiveIntegerField(default=1)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.club')),
                ('rule_set', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.ruleset')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='played', to='tournaments.table')),
            ],
            options={
                'indexes': [models.Index(fields=['club', 'opened_at'], name='scoring_gam_club_id_ef21ac_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('players__gte', 3), ('players__lte', 6)), name='three_to_six_play'), models.CheckConstraint(condition=models.Q(('booked__lte', models.F('hands'))), name='booked_hands_were_played'), models.CheckConstraint(condition=models.Q(('phase__in', ['open', 'over', 'closed', 'official'])), name='game_phase_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Hand',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('current', models.PositiveIntegerField(default=1)),
                ('revision', models.PositiveIntegerField(db_default=1, default=1)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('accepted', 'Accepted'), ('disputed', 'Disputed'), ('ruled', 'Ruled'), ('void', 'Void'), ('passed out', 'Passed Out'), ('foot', 'Foot'), ('not played', 'Not Played')], default='draft', max_length=10)),
                ('certainty', models.CharField(choices=[('provisional', 'Provisional'), ('confirmed', 'Confirmed'), ('official', 'Official')], default='provisional', max_length=11)),
                ('reason', models.TextField(blank=True)),
                ('after', models.TextField(blank=True)),
                ('board', models.PositiveIntegerField(null=True)),
                ('entered_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_rows', to='scoring.game')),
                ('rival', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rivals', to='scoring.hand')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('rival__isnull', True)), fields=('game', 'number'), name='hand_number_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='hands_count_from_one'), models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'accepted', 'disputed', 'ruled', 'void', 'passed out', 'foot', 'not played'])), name='hand_state_is_known'), models.CheckConstraint(condition=models.Q(('certainty__in', ['provisional', 'confirmed', 'official'])), name='certainty_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
            options={
                'db_table': 'scoring_pulse',
            },
        ),
        migrations.CreateModel(
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('holder', models.CharField(choices=[('seat', 'Seat'), ('pot', 'Pot'), ('bank', 'Bank'), ('pool', 'Pool'), ('player', 'Player'), ('till', 'Till'), ('fund', 'Fund'), ('jackpot', 'Jackpot')], max_length=8)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('unit', models.CharField(max_length=5)),
                ('worth', models.CharField(blank=True, db_default='', default='', max_length=60)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='tournaments.club')),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='scoring.game')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('game__isnull', False), ('seat__isnull', True)), fields=('game', 'holder', 'unit'), name='account_once_in_a_game'), models.UniqueConstraint(condition=models.Q(('seat__isnull', False)), fields=('game', 'seat', 'unit'), name='account_once_for_a_seat'), models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('club', 'player', 'unit'), name='account_once_for_a_player'), models.UniqueConstraint(condition=models.Q(('game__isnull', True), ('player__isnull', True)), fields=('club', 'holder', 'unit', 'worth'), name='account_once_in_a_club'), models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('holder', 'seat'), ('seat__isnull', False)), models.Q(models.Q(('holder', 'seat'), _negated=True), ('seat__isnull', True)), _connector='OR'), name='a_seat_is_in_a_game'), models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', True), ('holder', 'player'), ('player__isnull', False)), models.Q(models.Q(('holder', 'player'), _negated=True), ('player__isnull', True)), _connector='OR'), name='a_player_is_in_a_club'), models.CheckConstraint(condition=models.Q(('holder__in', ['seat', 'pot', 'bank', 'pool', 'player', 'till', 'fund', 'jackpot'])), name='account_holder_is_known')],
            },
        ),
        migrations.CreateModel(
            name='NightlyTask',
            fields=[
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(db_column='begun', db_default=0, default=0)),
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('place', models.CharField(blank=True, max_length=60)),
                ('found', models.CharField(blank=True, max_length=300)),
                ('done_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'db_table': 'scoring_chore',
            },
        ),
        migrations.CreateModel(
            name='Decided',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('ruling', models.TextField()),
                ('trick', models.PositiveSmallIntegerField(null=True)),
                ('card', models.CharField(blank=True, max_length=2)),
                ('facts', models.CharField(blank=True, max_length=2000)),
                ('law', models.CharField(blank=True, max_length=300)),
                ('called_by', models.PositiveSmallIntegerField(null=True)),
                ('found', models.CharField(blank=True, choices=[('before_established', 'Before Established'), ('established', 'Established')], max_length=20)),
                ('told_to', models.JSONField(default=list)),
                ('of_version', models.PositiveIntegerField(null=True)),
                ('withdrawn', models.BooleanField(default=False)),
                ('restores', models.PositiveIntegerField(null=True)),
                ('record', models.CharField(max_length=64)),
                ('before', models.CharField(blank=True, max_length=64)),
                ('after', models.CharField(blank=True, max_length=64)),
                ('by', models.CharField(max_length=60)),
                ('source', models.CharField(max_length=12)),
                ('at', models.DateTimeField()),
                ('appeal_until', models.DateTimeField(null=True)),
                ('supersedes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='scoring.decided')),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='scoring.hand')),
                ('lets_stand', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='policies', to='scoring.hand')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='ruling_number_once'), models.CheckConstraint(condition=models.Q(('withdrawn', False), ('supersedes__isnull', False), _connector='OR'), name='only_a_ruling_is_withdrawn')],
            },
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.CharField(choices=[('pending', 'Pending'), ('upheld', 'Upheld'), ('changed', 'Changed'), ('withdrawn', 'Withdrawn')], max_length=9)),
                ('text', models.CharField(blank=True, max_length=2000)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('ruling', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='scoring.decided')),
            ],
        ),
        migrations.CreateModel(
            name='HandDraft',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('by', models.CharField(max_length=60)),
                ('change', models.PositiveIntegerField()),
                ('answers', models.TextField()),
                ('sees_deal', models.BooleanField(default=False)),
                ('continues', models.UUIDField(null=True)),
                ('seen', models.PositiveIntegerField(default=0)),
                ('kept_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='scoring.game')),
            ],
        ),
        migrations.CreateModel(
            name='HandVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('form', models.CharField(choices=[('record', 'Record'), ('actions', 'Actions'), ('result', 'Result')], default='record', max_length=7)),
                ('text', models.BinaryField()),
                ('sent', models.BinaryField(null=True)),
                ('digest', models.CharField(max_length=64)),
                ('erased_digest', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('by', models.CharField(max_length=60)),
                ('source', models.CharField(max_length=12)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('why', models.CharField(blank=True, max_length=1000)),
                ('restores', models.PositiveIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='scoring.hand')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='hand_version_once')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=10)),
                ('amount', models.BigIntegerField()),
                ('note', models.CharField(blank=True, max_length=300)),
                ('by', models.CharField(max_length=60)),
                ('at', models.DateTimeField()),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='scoring.transfer')),
                ('game', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='scoring.game')),
                ('hand', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='scoring.hand')),
                ('payee', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='received', to='scoring.ledgeraccount')),
                ('payer', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='paid', to='scoring.ledgeraccount')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_transfer_is_positive'), models.CheckConstraint(condition=models.Q(('payer', models.F('payee')), _negated=True), name='nobody_pays_himself')],
            },
        ),
        migrations.CreateModel(
            name='SealedPaper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hand', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('insurance', 'Insurance'), ('foot', 'Foot'), ('centre', 'Centre')], max_length=9)),
                ('seal', models.CharField(max_length=64)),
                ('sealed_at', models.DateTimeField()),
                ('sealed_by', models.CharField(max_length=60)),
                ('value', models.CharField(blank=True, max_length=40)),
                ('salt', models.CharField(blank=True, max_length=64)),
                ('opened_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='papers', to='scoring.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'hand', 'seat', 'kind'), name='one_paper_of_a_kind_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='SeatLink',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('made_by', models.CharField(max_length=60)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='scoring.game')),
            ],
        ),
        migrations.CreateModel(
            name='SharedRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(editable=False, max_length=24, unique=True)),
                ('text', models.BinaryField()),
                ('rules', models.CharField(blank=True, max_length=4096)),
                ('mode', models.CharField(blank=True, max_length=16)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('text', b''), _negated=True), name='shared_text_is_not_empty')],
            },
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('first', models.PositiveIntegerField(default=1)),
                ('last', models.PositiveIntegerField(null=True)),
                ('is_entrant', models.BooleanField(default=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to='scoring.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to='tournaments.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'seat', 'first'), name='one_player_begins_in_a_seat'), models.UniqueConstraint(condition=models.Q(('last__isnull', True)), fields=('game', 'seat'), name='one_player_sits_in_a_seat'), models.UniqueConstraint(condition=models.Q(('last__isnull', True)), fields=('game', 'player'), name='a_player_sits_in_one_seat'), models.CheckConstraint(condition=models.Q(('last__isnull', True), ('last__gte', models.F('first')), _connector='OR'), name='a_sitting_ends_after_it_began'), models.CheckConstraint(condition=models.Q(('seat__lt', 6)), name='a_sitting_has_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('url', models.URLField(max_length=500)),
                ('secret', models.CharField(max_length=64)),
                ('events', models.JSONField(default=list)),
                ('version', models.PositiveIntegerField(default=1)),
                ('failures', models.PositiveIntegerField(db_default=0, default=0)),
                ('quiet_until', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('stopped_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='tournaments.club')),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(db_column='begun', db_default=0, default=0)),
                ('id', models.UUIDField(default=tournaments.core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('event', models.CharField(max_length=40)),
                ('body', models.TextField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('done_at', models.DateTimeField(null=True)),
                ('last_answer', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField()),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='scoring.webhook')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='delivery_is_due')],
            },
        ),
        migrations.CreateModel(
            name='Word',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agrees', models.BooleanField()),
                ('why', models.CharField(blank=True, max_length=1000)),
                ('by', models.CharField(max_length=60)),
                ('source', models.CharField(max_length=12)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='words', to='scoring.handversion')),
            ],
        ),
        migrations.CreateModel(
            name='EntryFee',
            fields=[
                ('transfer', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='entry_fee', serialize=False, to='scoring.transfer')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fee_rows', to='tournaments.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fee_rows', to='tournaments.player')),
            ],
        ),
        migrations.RunPython(*setting(BEFORE_LATE_WORDS)),
    ]
