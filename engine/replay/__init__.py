"""A record replayed action by action, at whatever level of detail it was written, with findings."""
