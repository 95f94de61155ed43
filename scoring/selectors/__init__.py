"""Reads of games, hands and boards. Each takes a fixed number of queries; none writes."""
