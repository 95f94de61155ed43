"""Renderers: JSON for programs, and DRF's browsable pages for people who signed in."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from rest_framework import renderers

from tournaments.core.language import translate


class JSONRenderer(renderers.JSONRenderer):
    """JSON with the product's own messages in the language that the request asks for."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return super().render(translate(data), accepted_media_type, renderer_context)


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

    def get_filter_form(self, data: Any, view: Any, request: Any) -> Any:
        if getattr(view, "filterset_class", None) is None:
            return None  # the list is worked out and stands in no table
        return super().get_filter_form(data, view, request)

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> Any:
        context = super().get_context(data, accepted_media_type, renderer_context)
        # The style would stand in the page, which our content security policy forbids.
        return {**context, "code_style": "", "idempotency_key": uuid4()}
