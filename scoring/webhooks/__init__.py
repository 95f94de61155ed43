"""Webhooks: who subscribed to what, and the messages that wait for delivery."""
