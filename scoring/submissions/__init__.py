"""Submissions of phones, pages and clients: read, completed and written as a record."""
