import django.db.models.deletion
from django.db import migrations, models

from tournaments.migrations._triggers import append_only, erasable, setting

EARLIER = append_only("tournaments_auditentry", ("chain", "number"))
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
    *(guard for guard in EARLIER if guard.event != "UPDATE"),
]
INSTALL, REMOVE = setting(GUARDS)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0018_rank_guests'),
    ]

    operations = [
        migrations.RunPython(REMOVE, setting(EARLIER)[0]),
        migrations.CreateModel(
            name='FormerDetail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=254)),
            ],
        ),
        migrations.AddField(
            model_name='answeredrequest',
            name='club_id',
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='why_salt',
            field=models.CharField(blank=True, db_default='', default='', max_length=32),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='why_seal',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddIndex(
            model_name='answeredrequest',
            index=models.Index(fields=['club_id'], name='tournaments_club_id_7753ed_idx'),
        ),
        migrations.AddField(
            model_name='formerdetail',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_details', to='tournaments.player'),
        ),
        migrations.AddConstraint(
            model_name='formerdetail',
            constraint=models.UniqueConstraint(fields=('player', 'text'), name='a_former_detail_once'),
        ),
        migrations.RunPython(INSTALL, REMOVE),
    ]
