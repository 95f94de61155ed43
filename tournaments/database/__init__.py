"""What the database itself must hold or do: triggers that guard the books."""
