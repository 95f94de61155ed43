"""The settings under test, on a data folder of their own that goes away again."""

import atexit
import os
import shutil
import tempfile

for name in [name for name in os.environ if name.startswith("PAINSUIT_") or name == "REDIS_URL"]:
    del os.environ[name]
os.environ["PAINSUIT_DATA"] = tempfile.mkdtemp(prefix="painsuit-tests-")
atexit.register(shutil.rmtree, os.environ["PAINSUIT_DATA"], ignore_errors=True)

from config.settings import *  # noqa: E402, F403

# Nothing is collected for tests: files are found where they lie, under their plain names.
STATIC_ROOT.mkdir()  # noqa: F405
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
