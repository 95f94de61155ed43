"""Processes of a service: their environment, folder and children, and the frame of each request."""
