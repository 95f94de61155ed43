"""Who stands where, and why: results of tables into ranked rows, exact and in one order."""
