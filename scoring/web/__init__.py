"""The public page *Check a record*."""
