"""My season: what somebody who plays sees of themselves at home, under /my/, without an account.

A device is signed in as its player by a cookie (`tournaments.people.player_devices`). It opens
these pages alone: on all others its player is a visitor like any other.
"""
