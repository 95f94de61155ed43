"""Run the command line: ``python -m engine``, or ``python -m painsuit`` once installed."""

import sys

from engine.cli.main import main

sys.exit(main())
