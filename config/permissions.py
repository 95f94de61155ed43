from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # the views themselves look this permission up while they are imported
    from rest_framework.views import APIView


class DenyAll(BasePermission):
    """The default permission: a view that declares none is closed to everybody."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return False
