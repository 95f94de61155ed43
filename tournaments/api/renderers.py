"""Renderers: JSON for programs, and DRF's browsable pages for people who signed in."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from rest_framework import renderers

from tournaments.core.language import translated
from tournaments.interpreter import in_language_of_reader, is_interpreted

MESSAGES: Final = frozenset(
    {"sentence", "message", "hint", "says", "premises", "questions", "detail"}
)
"""Members of an answer that are messages of the engine or of a service function."""


def message_members(row: Mapping[str, Any]) -> frozenset[str]:
    """Return which members of an object in an answer are messages of the product.

    A reason is one only where the object says that nobody objected: all other reasons were typed.
    """
    return MESSAGES | {"reason"} if row.get("is_objection") is False else MESSAGES


class JSONRenderer(renderers.JSONRenderer):
    """JSON with the product's own messages in the language that the request asks for."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        response = (renderer_context or {}).get("response")
        # Problems are written in that language from the beginning.
        if is_interpreted() and not getattr(response, "exception", False):
            data = in_language_of_reader(translated(data), message_members)
        return super().render(data, accepted_media_type, renderer_context)


class BrowsableAPIRenderer(renderers.BrowsableAPIRenderer):
    """The pages; a form is filled with the keys that a body may have."""

    def get_raw_data_form(self, data: Any, view: Any, method: str, request: Any) -> Any:
        form = super().get_raw_data_form(data, view, method, request)
        serializer_class = view.inputs.get(view.action_map.get(method.lower()))
        if form is not None and serializer_class is not None:
            content = renderers.JSONRenderer().render(
                serializer_class().data, "application/json; indent=4"
            )
            form.initial["_content"] = content.decode()
        return form

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> Any:
        context = super().get_context(data, accepted_media_type, renderer_context)
        # The style would stand in the page, which our content security policy forbids.
        return {**context, "code_style": "", "idempotency_key": uuid4()}
