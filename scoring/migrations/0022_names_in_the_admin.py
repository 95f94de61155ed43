"""Names of models as the admin shows them."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0001_squashed_0021_reasons_as_messages'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='decided',
            options={'verbose_name': 'ruling', 'verbose_name_plural': 'rulings'},
        ),
        migrations.AlterModelOptions(
            name='delivery',
            options={'verbose_name_plural': 'deliveries'},
        ),
        migrations.AlterModelOptions(
            name='word',
            options={'verbose_name': 'word of a second seat', 'verbose_name_plural': 'words of second seats'},
        ),
    ]
