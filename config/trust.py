"""Phones and the certificate of `serve --https`: the page that explains trust, and the file."""

from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.generic import TemplateView, View

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
