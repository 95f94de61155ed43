"""Figures: what the engine costs, beside its peers, in one run (``make bench``)."""
