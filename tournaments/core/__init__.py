"""What the rest of the application stands on: actors, errors, identifiers, time zones, names."""
