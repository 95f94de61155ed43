"""The base of the rest of the application: actors, errors, identifiers, time zones, names."""
