"""Who sits where: seatings of a whole event or of one round, and how good they are."""
