"""Analysis: what each seat could be sure of, card by card, once all hands are open.

Pure like the rest of the engine, and the same on every machine: searches are bounded by numbers
of positions, never by a clock. `costs` turns rules into numbers that a search can add up.
"""
