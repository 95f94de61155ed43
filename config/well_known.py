"""Files that browsers, search engines and finders of security holes ask every site for."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, View


@method_decorator(cache_control(public=True, max_age=3600), name="dispatch")
class Robots(View):
    """Search engines may look at public pages, and at none of one table, player or account."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        lines = [
            "User-agent: *",
            *(f"Disallow: /{path}" for path in ("api/", "desk/", "t/", "table", "in/", "my/")),
        ]
        return _text(lines)


class SecurityTxt(View):
    """The address for news of a security hole (RFC 9116); Http404 where nobody is named."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        if not settings.SECURITY_CONTACT:
            raise Http404
        until = timezone.now() + timedelta(days=30)
        return _text(
            [f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}"]
        )


class Favicon(RedirectView):
    """The icon, at the address at which browsers look for one without being told."""

    http_method_names = ["get", "head"]

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("favicon.svg")


def _text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
