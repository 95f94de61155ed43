from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import migrations, models

from tournaments.core.encryption import decrypt_text, encrypt_text


def encrypt(apps, schema_editor):
    rows = apps.get_model("scoring", "Webhook").objects.exclude(secret="")
    if rows.exists() and not settings.SECRET_KEY_IS_KEPT:
        raise ImproperlyConfigured(
            "Set PAINSUIT_SECRET_KEY: the secrets of webhooks are encrypted with it."
        )
    for row in rows.iterator():
        row.secret = encrypt_text(row.secret)
        row.save(update_fields=["secret"])


def decrypt(apps, schema_editor):
    for row in apps.get_model("scoring", "Webhook").objects.exclude(secret="").iterator():
        row.secret = decrypt_text(row.secret)
        row.save(update_fields=["secret"])


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0027_incidents'),
    ]

    operations = [
        migrations.AlterField(
            model_name='webhook',
            name='secret',
            field=models.TextField(),
        ),
        migrations.RunPython(encrypt, decrypt),
    ]
