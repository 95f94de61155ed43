"""Data in and out: exports, imports, bundles of a whole club, verification, signed files."""
