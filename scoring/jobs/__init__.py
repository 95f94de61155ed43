"""Background work: what workers do, and when it is due.

Work is a row in the database that says when it is due (`tournaments.models.LeasedRow`). The relay
(config/operations/relay.py) finds due rows and sends the worker hints; `tasks` is where the worker
takes them, `kinds` names the kinds of work, `nightly` is what comes round every night.
"""
