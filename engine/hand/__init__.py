"""One hand from the deal to its end: its state, which actions are legal in it, and what they do."""
