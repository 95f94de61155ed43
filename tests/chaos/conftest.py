"""Programs that tests start are not looked through for examples: being read, they begin."""

collect_ignore = ["desk.py", "neighbour.py", "night_desk.py"]
