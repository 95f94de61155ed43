"""Who may do what (rights), and what anonymous visitors may see (visibility)."""
