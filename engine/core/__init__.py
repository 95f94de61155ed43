"""Messages, cards, seats, chips and faults: the values that every other package speaks in."""
