"""What hands cost and bring: replay of a game, the plan of what changes, carrying it out."""
