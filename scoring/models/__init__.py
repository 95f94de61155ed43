"""What is kept."""

from scoring.models.shared_record import SharedRecord

__all__ = ["SharedRecord"]
