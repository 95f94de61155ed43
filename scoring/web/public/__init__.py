"""The window to the tables: pages of games and hands, beside those of `tournaments.web`."""
