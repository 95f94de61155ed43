"""Everything that happened at the tables."""
