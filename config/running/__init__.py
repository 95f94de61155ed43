"""Processes of a service: their environment, folder and children, and its middleware."""
