"""The phone at a table: one page under /t/ that also works while there is no network.

The code on the table opens /t/TOKEN. The page takes the token out of its address at once and
keeps it on the phone alone; from there on it speaks to the API with it, as any program would.
What only this page asks for (who sits where, what the link is) has views of its own here.
"""
