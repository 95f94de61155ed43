
from django.db import migrations, models

from scoring.migrations._triggers import BEFORE_LATE_WORDS, GUARDS
from tournaments.migrations._triggers import setting

_INSTALL_BEFORE, _REMOVE_BEFORE = setting(BEFORE_LATE_WORDS)
_INSTALL, _REMOVE = setting(GUARDS)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0023_games_that_were_removed'),
    ]

    operations = [
        migrations.RunPython(_REMOVE_BEFORE, _INSTALL_BEFORE),
        migrations.RemoveConstraint(
            model_name='hand',
            name='hand_state_is_known',
        ),
        migrations.AddField(
            model_name='hand',
            name='director_called_at',
            field=models.DateTimeField(db_default=None, default=None, null=True),
        ),
        migrations.AddField(
            model_name='word',
            name='is_late',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='hand',
            name='state',
            field=models.CharField(choices=[('draft', 'Draft'), ('accepted', 'Accepted'), ('disputed', 'Disputed'), ('ruled', 'Ruled'), ('void', 'Void'), ('passed out', 'Passed Out'), ('foot', 'Foot'), ('not played', 'Not Played'), ('taken back', 'Taken Back')], default='draft', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'accepted', 'disputed', 'ruled', 'void', 'passed out', 'foot', 'not played', 'taken back'])), name='hand_state_is_known'),
        ),
        migrations.RunPython(_INSTALL, _REMOVE),
    ]
