from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # the views themselves look this permission up while they are imported
    from rest_framework.views import APIView


class DenyAll(BasePermission):
    """The default: a view that forgets to say who may come in lets nobody in."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return False
