"""A record replayed action by action, at whatever level of detail it was written, with findings.

The rules of auction, passing, play and insurance stand here; `live` plays by them too.
"""
