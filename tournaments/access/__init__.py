"""Rights of people (rights), and the view of anonymous visitors (visibility)."""
