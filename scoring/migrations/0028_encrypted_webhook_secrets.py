from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import migrations, models


def _fernet():
    derived = HKDF(SHA256(), 32, salt=None, info=b"painsuit: secrets in the database")
    return Fernet(urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))


def encrypt(apps, schema_editor):
    rows = apps.get_model("scoring", "Webhook").objects.exclude(secret="")
    if rows.exists() and not settings.SECRET_KEY_IS_KEPT:
        raise ImproperlyConfigured(
            "Set PAINSUIT_SECRET_KEY: the secrets of webhooks are encrypted with it."
        )
    for row in rows.iterator():
        row.secret = _fernet().encrypt(row.secret.encode()).decode()
        row.save(update_fields=["secret"])


def decrypt(apps, schema_editor):
    for row in apps.get_model("scoring", "Webhook").objects.exclude(secret="").iterator():
        row.secret = _fernet().decrypt(row.secret.encode()).decode()
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
