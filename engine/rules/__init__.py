"""House rules: switches, their values, and rule systems as presets (rules.md 7, 12, 13)."""
