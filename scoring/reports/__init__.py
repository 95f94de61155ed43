"""Reports: what every table of a club's games and books holds, declared once for pages and files.

Tables of hands, results and chips begin with the same columns (`game_columns`), by which they can
be put together; see `tournaments.reports` for those of tournaments.
"""
