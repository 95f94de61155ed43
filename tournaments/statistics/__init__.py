"""What players love to know: how often clean, what their bids brought, against whom."""
