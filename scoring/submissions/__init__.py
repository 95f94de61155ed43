"""What phones, pages and clients send of a hand: read, completed and written as a record."""
