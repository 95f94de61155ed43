"""The terminal as a door: how records, games and rules look in lines of text."""
