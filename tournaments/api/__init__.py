"""The frame of the API under /api/v1/, and the doors of clubs."""
