"""Accounts of operators; names of models as the admin shows them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_squashed_0025_leased_rows'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='apart',
            options={'verbose_name': 'pair kept apart', 'verbose_name_plural': 'pairs kept apart'},
        ),
        migrations.AlterModelOptions(
            name='apikey',
            options={'verbose_name': 'API key', 'verbose_name_plural': 'API keys'},
        ),
        migrations.AlterModelOptions(
            name='auditentry',
            options={'verbose_name_plural': 'audit entries'},
        ),
        migrations.AlterModelOptions(
            name='entry',
            options={'verbose_name_plural': 'entries'},
        ),
        migrations.AlterModelOptions(
            name='person',
            options={'verbose_name_plural': 'people'},
        ),
        migrations.AlterModelOptions(
            name='published',
            options={'verbose_name': 'published standings', 'verbose_name_plural': 'published standings'},
        ),
        migrations.AlterModelOptions(
            name='sitout',
            options={'verbose_name': 'sit-out', 'verbose_name_plural': 'sit-outs'},
        ),
        migrations.AlterModelOptions(
            name='snapshot',
            options={'verbose_name': 'snapshot of standings', 'verbose_name_plural': 'snapshots of standings'},
        ),
        migrations.AlterModelOptions(
            name='stale',
            options={'verbose_name': 'stale mark', 'verbose_name_plural': 'stale marks'},
        ),
        migrations.AddField(
            model_name='account',
            name='is_superuser',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
