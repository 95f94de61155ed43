"""Choices of a column that are worded twice: as a label, and in a second context."""

from typing import Self

from django.db import models
from django.utils.functional import Promise


class DetailedChoices(models.TextChoices):
    """Choices with a value, ``details`` and a label; the class says where the details are read."""

    details: Promise | str

    def __new__(cls, value: str, details: Promise | str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.details = details
        return member
