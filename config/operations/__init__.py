"""A running service: work handed to the worker, health, figures, alerts, backups and rehearsals."""
