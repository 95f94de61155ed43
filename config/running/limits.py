"""Limits of the parts of a request, in bytes.

The middleware refuses what is longer in a way that is documented, up to what the web server reads.
"""

from typing import Final

ADDRESS_MAX: Final = 8 * 1024
HEADERS_MAX: Final = 16 * 1024
HEAD_READ_MAX: Final = 32 * 1024
"""Address and headers together; the web server ends the connection where there is more."""
BODY_MAX: Final = 16 * 1024 * 1024
"""Every use of a body has a lower limit, which it explains to whom it concerns."""
