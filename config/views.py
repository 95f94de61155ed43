"""Small views of the site: a language is chosen, a certificate trusted, well-known files read."""

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView, TemplateView, View

_RETURN_PATH_MAX: Final = 2000
"""Characters of the address to go back to that are read."""


@require_safe
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that is chosen, and go back to the page where it was."""
    back = request.GET.get("to", "")[:_RETURN_PATH_MAX]
    is_ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    answer = HttpResponseRedirect(back if is_ours else reverse("landing"))
    answer["Cache-Control"] = "private, no-store"
    chosen = request.GET.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    return answer


CONTENT_TYPE: Final = "application/x-x509-ca-cert"
"""By which phones offer to install it."""


def _authority() -> bytes:
    """Our own authority, as PEM. Raises Http404 where we do not serve https ourselves."""
    if not settings.OWN_CERTIFICATE:
        raise Http404
    data: bytes = (settings.DATA.tls / "authority.pem").read_bytes()
    return data


class TrustPage(TemplateView):
    """Steps by which a phone trusts the certificate, and the marks by which it is known."""

    http_method_names = ["get", "head"]
    template_name = "trust.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # 1 MB that only `serve --https` needs, for this one page.
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes  # noqa: PLC0415

        certificate = x509.load_pem_x509_certificate(_authority())
        fingerprint = certificate.fingerprint(hashes.SHA256()).hex(" ").upper()
        return super().get_context_data(
            fingerprint=fingerprint, until=certificate.not_valid_after_utc, **kwargs
        )


class Authority(View):
    """The certificate to trust, as a file."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        answer = HttpResponse(_authority(), content_type=CONTENT_TYPE)
        answer["Content-Disposition"] = 'attachment; filename="painsuit.crt"'
        return answer


@method_decorator(cache_control(public=True, max_age=3600), name="dispatch")
class Robots(View):
    """Search engines may look at public pages, and at none of one table, player or account."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        lines = [
            "User-agent: *",
            *(
                f"Disallow: /{path}"
                for path in (
                    "api/",
                    "desk/",
                    "t/",
                    "table",
                    "in/",
                    "come/",
                    "my/",
                    "calendar/",
                )
            ),
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
