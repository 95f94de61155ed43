"""Hands as use cases: recording, corrections, rulings, sealed papers and drafts."""
