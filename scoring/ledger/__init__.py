"""The books: transfers, payouts, netting, and who is credited with the result of a seat."""
