"""Permissions: who may do what, by the rights of their roles (`tournaments.access.rights`)."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from tournaments.access import rights
from tournaments.api.authentication import asker_of
from tournaments.api.exceptions import to_problem
from tournaments.core.errors import NotSignedInError, RefusedError


class IsSignedIn(BasePermission):
    """Somebody in particular asks: a person, a program or a phone at a table."""

    def has_permission(self, request: Any, view: Any) -> bool:
        if asker_of(request).is_visitor:
            raise to_problem(NotSignedInError())
        return True


class HasRight(BasePermission):
    """The asker has the right that the view names for this action, in the place of the URL.

    Whoever may not know of the place gets 404, as if it did not exist. Visitors change nothing,
    also where no right is needed.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if view.action not in view.rights:
            return True  # the method is refused next
        try:
            self.admit(request, view)
        except RefusedError as error:
            raise to_problem(error) from error
        return True

    @staticmethod
    def admit(request: Any, view: Any) -> None:
        """Note the place and all rights there with the request. Raises RefusedError."""
        asker, right = asker_of(request), view.rights[view.action]
        if request.method not in SAFE_METHODS and asker.is_visitor:
            raise NotSignedInError
        request.place = view.get_place()
        request.rights = rights.admit(asker, request.place, right) if right else frozenset()
