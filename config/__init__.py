"""Settings, addresses, the worker and the start command: the frame around the parts."""
