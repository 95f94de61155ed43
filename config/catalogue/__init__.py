"""Catalogues: what is said in the pages and by what lies below them, and how a language has it."""
