"""Costs and gains of hands: replay of a game, the plan of what changes, carrying it out."""
