"""The version of what computes standings."""

from typing import Final

PROGRAM: Final = "12"
"""Another one means that everything is to be computed anew."""
