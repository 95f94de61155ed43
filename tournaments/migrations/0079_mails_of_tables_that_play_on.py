from django.db import migrations, models


def delete_notices(apps, _schema_editor):
    """Delete mails of a kind that is not known before."""
    apps.get_model("tournaments", "ResultMail").objects.filter(kind="resumed").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0078_calls_on_the_wall'),
    ]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, delete_notices),
        migrations.RemoveConstraint(
            model_name='resultmail',
            name='kind_of_mail_is_known',
        ),
        migrations.AlterField(
            model_name='resultmail',
            name='kind',
            field=models.CharField(choices=[('question', 'Does the owner of the address want them?'), ('result', 'Result of a night'), ('reminder', 'Tomorrow is a night'), ('cancelled', 'A night is called off'), ('reinstated', 'A night takes place after all'), ('moved', 'A night is moved'), ('adjourned', 'A table is finished another day'), ('resumed', 'A table plays on after all'), ('amended', 'An official result was amended'), ('division', 'Up or down at the end of a season')], db_default='result', default='result', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='resultmail',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['question', 'result', 'reminder', 'cancelled', 'reinstated', 'moved', 'adjourned', 'resumed', 'amended', 'division'])), name='kind_of_mail_is_known'),
        ),
    ]
