"""The window: public pages of clubs, events, leagues and players; nobody needs an account.

What a page shows follows from the same rights as the API's answers: of a private club strangers
learn nothing, not even that it is there, and names in full are for members.
"""
