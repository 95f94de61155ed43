"""Hand records: what was written down about a hand, before anybody judged it (notation.md 2)."""
