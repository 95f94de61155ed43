"""A text judged: `judge`, the slip of the pen that explains its faults, and the report on it."""
