"""Paper slips on which a table marks a hand, to be read by a camera."""
