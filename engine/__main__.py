"""Run the command line: ``python -m engine``, or ``python -m painsuit`` once installed."""

import sys

from .cli.main import main

sys.exit(main())
