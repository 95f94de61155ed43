"""Games, hands and checked records as plain data, the same for API, pages and command line."""
