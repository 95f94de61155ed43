"""Facts settled: scores, chips and pot, the end of a game and its payouts (rules.md A7 to E8)."""
