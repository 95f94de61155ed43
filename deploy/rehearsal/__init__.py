"""A rehearsal of the production set-up that compose.yaml describes, on one machine.

`compose` reads compose.yaml, `machine` runs its services as processes, `nights` enters hands
through the proxy, and `__main__` kills, backs up and restores.
"""
