"""All settings in one place, read from the environment; docs/settings.md lists the names."""

import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

import engine
from config.env import (
    env_address,
    env_bool,
    env_int,
    env_key,
    env_list,
    env_origin,
    env_path,
    env_secret,
    env_str,
    env_uri,
    env_zone,
)
from config.running.data_folder import SECRET_KEY_MIN_LENGTH, SIGNING_KEY_BYTES, DataFolder
from config.running.database import database
from config.running.logs import configure

BASE_DIR = Path(__file__).resolve().parent.parent
DATA = DataFolder(env_path("PAINSUIT_DATA", default=BASE_DIR / "data"))

# Who we are to the outside

DEBUG = env_bool("PAINSUIT_DEBUG", default=False)
HTTPS = env_bool("PAINSUIT_HTTPS", default=False)
# `serve --https` says so; the certificate is that of the installation itself.
OWN_CERTIFICATE = env_bool("PAINSUIT_OWN_CERTIFICATE", default=False)
_kept_key = env_secret("PAINSUIT_SECRET_KEY", least=SECRET_KEY_MIN_LENGTH) or DATA.stored_key()
SECRET_KEY_IS_KEPT = _kept_key is not None
# A command that signs nothing must run without a data folder; config/wsgi.py insists on one.
SECRET_KEY = _kept_key or secrets.token_urlsafe(50)
# What is taken away is signed where there is a key; whose other keys are, stands in a file.
SIGNING_KEY = env_key("PAINSUIT_SIGNING_KEY", size=SIGNING_KEY_BYTES) or DATA.stored_signing_key()
SIGNERS = DATA.signers
# `serve` adds the addresses it finds on the local network.
ALLOWED_HOSTS = env_list("PAINSUIT_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Where links that leave the service lead, whatever the browser called it; see `public_url`.
PUBLIC_ADDRESS = env_origin("PAINSUIT_ADDRESS")
if not PUBLIC_ADDRESS and HTTPS and ALLOWED_HOSTS[0].strip(".*") == ALLOWED_HOSTS[0]:
    PUBLIC_ADDRESS = f"https://{ALLOWED_HOSTS[0]}"
CSRF_TRUSTED_ORIGINS = env_list("PAINSUIT_TRUSTED_ORIGINS")

# Where operators look at all rows; docs/operate/admin.md.
ADMIN_PATH = env_str("PAINSUIT_ADMIN_PATH", default="admin").strip("/")
# Whom /.well-known/security.txt names; nobody where it is empty.
SECURITY_CONTACT = env_uri("PAINSUIT_SECURITY_CONTACT")
# Who may read /metrics; without it, whoever asks from this machine.
METRICS_TOKEN = env_secret("PAINSUIT_METRICS_TOKEN", least=16)
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
INSTALLED_APPS = [
    "config.apps.House",
    "scoring",
    "tournaments",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.apps.Admin",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
# What clubs and events need of games and money; see tournaments/core/ports.py.
BOOKS = "scoring.books.GameBooks"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.running.middleware.BrowserPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.running.middleware.RequestMetricsMiddleware",
    "config.running.middleware.CompressionMiddleware",
    "config.running.middleware.ConditionalPageMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.running.middleware.LanguageMiddleware",
    "config.running.middleware.TimeZoneMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.running.middleware.RequestSizeMiddleware",
    "config.running.middleware.DiskFullMiddleware",
]

# The database: the only truth

DATABASES = {"default": database(env_secret("DATABASE_URL"), file=DATA.database)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Who may come in; tournaments/access/rights.py says what each may do

AUTH_USER_MODEL = "tournaments.Account"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
_validation = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_validation}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{_validation}.CommonPasswordValidator"},
    {
        "NAME": f"{_validation}.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
]
SESSION_ENGINE = "tournaments.models.account"  # its SessionStore stands beside its model
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS or OWN_CERTIFICATE

# The broker: hints only, so losing it costs seconds and never a result

_redis_url = env_secret("REDIS_URL")
EMBEDDED_BROKER = _redis_url is None
REDIS_URL = _redis_url or f"unix://{DATA.broker_socket}?db=0"
# kombu has its own name for a socket's address.
CELERY_BROKER_URL = _redis_url or f"redis+socket://{DATA.broker_socket}?virtual_host=0"
# What is counted for all processes together lies there too; whoever counts does not wait for it.
CACHES = {
    "default": {
        "BACKEND": "config.running.counters.CountingCache",
        "OPTIONS": {"COUNTERS": REDIS_URL, "MAX_ENTRIES": 100_000},
    },
    # Long pages as they were rendered: few, since each takes up to 200 kB.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 100},
    },
    # Long files for strangers, made once for all processes; emptied every night, so that nobody's
    # former name stays in one.
    "files": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA.made_files,
        "TIMEOUT": 24 * 3600,
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}
_visibility_timeout = 120
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": _visibility_timeout,
    # With the defaults a task of a killed worker comes back ten times later.
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
    "socket_timeout": 2,
    "socket_connect_timeout": 1,
    "health_check_interval": 15,
}
CELERY_VISIBILITY_TIMEOUT = _visibility_timeout
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": _visibility_timeout}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "painsuit"
CELERY_TASK_ACKS_LATE = True
# On purpose: a task that kills its worker would come back for ever.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = env_int("PAINSUIT_WORKER_PROCESSES", default=1, low=1, high=256)
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 300_000  # KiB
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 15
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# What goes out: messages to webhooks

EGRESS_PROXY = env_address("PAINSUIT_EGRESS_PROXY")
# Where webhooks may lead beside the public internet, and by http; lower case, as URLs are read.
WEBHOOK_HOSTS = frozenset(host.lower().strip("[]") for host in env_list("PAINSUIT_WEBHOOK_HOSTS"))

# E-mail: results of nights, to members who want them; nothing is sent without a server

EMAIL_HOST = env_str("PAINSUIT_EMAIL_HOST", default="")
EMAIL_PORT = env_int("PAINSUIT_EMAIL_PORT", default=587, low=1, high=65535)
EMAIL_HOST_USER = env_str("PAINSUIT_EMAIL_USER", default="")
EMAIL_HOST_PASSWORD = env_secret("PAINSUIT_EMAIL_PASSWORD") or ""
EMAIL_USE_SSL = EMAIL_PORT == 465  # TLS from the first byte; other ports begin it
EMAIL_USE_TLS = not EMAIL_USE_SSL and env_bool("PAINSUIT_EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env_str("PAINSUIT_EMAIL_FROM", default="")
if EMAIL_HOST and not DEFAULT_FROM_EMAIL:
    raise ImproperlyConfigured("PAINSUIT_EMAIL_HOST is set: set PAINSUIT_EMAIL_FROM as well.")

# Who is told that a part is down or that work waits; in the language of ALERT_LANGUAGE

ALERT_EMAILS = env_list("PAINSUIT_ALERT_EMAIL")
ALERT_WEBHOOK = env_secret("PAINSUIT_ALERT_WEBHOOK") or ""
ALERT_LANGUAGE = env_str("PAINSUIT_ALERT_LANGUAGE", default="en", among={"en", "de"})
if ALERT_EMAILS and not EMAIL_HOST:
    raise ImproperlyConfigured("PAINSUIT_ALERT_EMAIL is set: set PAINSUIT_EMAIL_HOST as well.")
if ALERT_WEBHOOK and not ALERT_WEBHOOK.startswith("https://"):
    raise ImproperlyConfigured("PAINSUIT_ALERT_WEBHOOK must begin with https://")

# What clubs bring and take away: uploads of jobs, and what jobs make

FILES = DATA.files

# Nightly backups, of which so many are kept, and a weekly rehearsal of a restore; 0 makes none

BACKUPS_FOLDER = env_path("PAINSUIT_BACKUPS_FOLDER", default=DATA.backups)
BACKUPS_KEPT = env_int("PAINSUIT_BACKUPS", default=7, low=0, high=1000)
BACKUPS_BUCKET = env_str("PAINSUIT_BACKUPS_BUCKET", default="")
# Older copies under it are deleted: each installation needs one of its own, or its own bucket.
BACKUPS_PREFIX = env_str("PAINSUIT_BACKUPS_PREFIX", default="").strip("/")

# Pages and files

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"cards": "scoring.presentation.cards"},
        },
    }
]
STATIC_URL = "static/"
STATIC_ROOT = DATA.static
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        # Names carry a hash, so browsers keep the files for ever; `serve` collects them.
        "BACKEND": "config.running.static_files.StaticFilesStorage"
    },
}
if BACKUPS_BUCKET:
    if find_spec("storages") is None:
        raise ImproperlyConfigured(
            "PAINSUIT_BACKUPS_BUCKET needs packages that are not installed:"
            " python -m pip install --no-deps --require-hashes -r requirements-s3.lock"
        )
    _endpoint = env_origin("PAINSUIT_S3_ENDPOINT")
    # Without keys the client looks for those of the machine, as in its own documentation.
    _access_key = env_str("PAINSUIT_S3_ACCESS_KEY", default="")
    # `deploy/begin` makes an empty file for it.
    _secret_key = env_secret("PAINSUIT_S3_SECRET_KEY", least=0)
    if bool(_access_key) != bool(_secret_key):
        raise ImproperlyConfigured(
            "Set both PAINSUIT_S3_ACCESS_KEY and PAINSUIT_S3_SECRET_KEY, or neither."
        )
    STORAGES["backups"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": BACKUPS_BUCKET,
            "location": BACKUPS_PREFIX,
            # What is read beyond so many bytes goes to a temporary file, not into memory.
            "max_memory_size": 4 * 1024 * 1024,
            "endpoint_url": _endpoint or None,
            # Few services but Amazon's answer for a name of each bucket.
            "addressing_style": "path" if _endpoint else None,
            "region_name": env_str("PAINSUIT_S3_REGION", default="") or None,
            "access_key": _access_key or None,
            "secret_key": _secret_key or None,
        },
    }

# `manage.py messages` collects what is said; docs/languages.md says how a language is added.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "painsuit-language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = HTTPS or OWN_CERTIFICATE
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
# Of a club that says nothing else; what is kept, and the logs, are in UTC.
CLUB_TIME_ZONE = env_zone("PAINSUIT_TIME_ZONE", default="UTC")

# Notices name people: they stay here and travel in no cookie.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# What strangers may do

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 20
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "no-referrer"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_AGE = None  # gone when the browser closes: it is for forms, not for knowing people
CSRF_FAILURE_VIEW = "scoring.web.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Behind a proxy with a certificate of the world. With one of our own nothing may insist on it:
# who starts without it next week must still be reached.
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Other names below this one, and lists that browsers ship, are for the operator to bind.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env_bool("PAINSUIT_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS and env_bool(
    "PAINSUIT_HSTS_PRELOAD", default=False
)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # these two, on purpose
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
CSRF_COOKIE_SECURE = HTTPS or OWN_CERTIFICATE

# The API: everything is forbidden until a view allows it

REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["config.permissions.DenyAll"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    # A view that has more than one format names it itself.
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tournaments.api.exceptions.exception_handler",
    # Many players share the one address of their club: this is far above what they send.
    "DEFAULT_THROTTLE_RATES": {
        "check": "600/min",
        "share": "240/hour",
        "signature": "240/hour",
        # A code of six letters is guessed once in a million hours.
        "door": "600/hour",
        "asker": "1200/min",
        "sign-in": "120/min",
        "table-code": "60/min",
        "phone-failure": "30/min",
        "sign-in-mail": "60/hour",
    },
    "NUM_PROXIES": env_int("PAINSUIT_PROXIES", default=0, low=0, high=10),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Painsuit",
    "DESCRIPTION": "Hand records of the Hearts family checked, and the games of clubs kept.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "VERSION": engine.__version__,
    "OAS_VERSION": "3.1.1",
    # The same words stand in several serializers: each names them itself.
    "POSTPROCESSING_HOOKS": [
        "scoring.api.webhooks.add_headers",
        "tournaments.api.openapi.complete_schema",
        "scoring.api.response_examples.add_response_examples",
    ],
    "WEBHOOKS": [
        f"scoring.api.webhooks.{kind}"
        for kind in ("HAND", "GAME", "ROUND", "TABLE", "EVENT", "STANDINGS", "TEST")
    ],
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Logs

LOGGING = configure(
    form=env_str("PAINSUIT_LOG_FORM", default="text", among={"text", "json"}),
    level=env_str(
        "PAINSUIT_LOG_LEVEL", default="INFO", among={"DEBUG", "INFO", "WARNING", "ERROR"}
    ),
)
