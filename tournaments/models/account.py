from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models

from tournaments.core.ids import new_id


class Accounts(BaseUserManager["Account"]):
    """Makes accounts; the address is kept as it was given and compared without its case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "Account":
        account = self.model(email=self.normalize_email(email).lower(), **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def get_by_natural_key(self, username: str | None) -> "Account":
        return self.get(email=(username or "").lower())


class Account(AbstractBaseUser):
    """Somebody who can sign in. What they may do in clubs stands in their roles, never here.

    ``is_superuser``: an operator of the service, who may look at everything in the admin. It gives
    no right in any club.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)
    is_superuser = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()

    objects: ClassVar[Accounts] = Accounts()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.name

    # What Django's admin asks of an account.

    @property
    def is_staff(self) -> bool:
        """Whether the admin lets this account in."""
        return self.is_superuser

    def has_perm(self, _permission: str, _row: object = None) -> bool:
        """Whether the admin shows something: to operators everything."""
        return self.is_active and self.is_superuser

    def has_module_perms(self, _app: str) -> bool:
        """Whether the admin lists an application."""
        return self.is_active and self.is_superuser
