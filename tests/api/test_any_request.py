"""Whatever is sent, the API answers as its description says: no 500, nothing undocumented.

Schemathesis makes the requests from the OpenAPI document; addresses mostly name things that are
there, so that the requests get past the door. TEST_SCALE multiplies how many are sent.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.conf import settings as django_settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.world import OWN, World
from tests.examples import examples

pytestmark = pytest.mark.slow
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@pytest.fixture
def served(world: World) -> Iterator[World]:
    hosts = django_settings.ALLOWED_HOSTS
    django_settings.ALLOWED_HOSTS = ["*"]
    # A request would close the connection, and with it the transaction that the test is in.
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield world
    for signal in signals:
        signal.connect(close_old_connections)
    django_settings.ALLOWED_HOSTS = hosts


schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application()).exclude(
    path_regex="^/api/v1/(session|check)"
)
made_up = settings(
    max_examples=examples(6),
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
# Besides, each limit of each field once on both sides: 40 requests more for each endpoint.
made_up_and_limits = settings(made_up, phases=(Phase.explicit, Phase.generate))


def real(parameters: Mapping[str, Any] | None, world: World) -> dict[str, Any]:
    """Ids of what is there, in place of those that were made up."""
    ids = world.corners[OWN].ids
    return {name: str(ids.get(name, value)) for name, value in (parameters or {}).items()}


def ask(case: Any, who: str, world: World) -> None:
    case.path_parameters = real(case.path_parameters, world)
    case.headers = {**(case.headers or {}), "Idempotency-Key": str(uuid4()), "If-Match": '"1"'}
    # Called through WSGI, Schemathesis does not unpack what it asked to be compressed.
    headers = {**world.askers[who].headers, "Accept-Encoding": "identity"}
    case.call_and_validate(headers=headers, checks=CHECKS)


@schema.parametrize()
@made_up_and_limits
def test_a_program_of_the_admin_may_send_anything(case: Any, served: World) -> None:
    ask(case, "key", served)


@schema.parametrize()
@made_up
def test_a_phone_at_the_table_may_send_anything(case: Any, served: World) -> None:
    ask(case, "scorer", served)
