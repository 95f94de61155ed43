"""Paper for the night: table cards, score slips, seating lists, movement cards, results."""
