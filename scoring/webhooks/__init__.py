"""Webhooks: a club's own programs are told what happens at its tables and events.

`subscriptions` writes messages down in the transaction of what they tell of, `queue` posts them
afterwards, by the `client`, which signs them.
"""
