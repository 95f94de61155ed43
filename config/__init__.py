"""What holds the parts together: settings, addresses, the worker and the start command."""
