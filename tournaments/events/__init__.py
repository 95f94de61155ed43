"""Events and leagues as use cases: entries, rounds, seating, boards, finals, decisions, awards."""
