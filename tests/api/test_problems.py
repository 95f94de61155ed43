"""Whatever goes wrong becomes a problem with a code, and says nothing of our own mistakes."""

import pytest
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, RequestDataTooBig
from django.db import DatabaseError, DataError, IntegrityError, OperationalError
from django.http import Http404
from rest_framework import exceptions

from tournaments.api.exceptions import KINDS, ProblemError, to_problem
from tournaments.core.errors import (
    ConflictError,
    NotAllowedError,
    NotSignedInError,
    NotThereError,
    RefusedError,
    StaleError,
    TooOftenError,
)

SECRET = "UNIQUE constraint failed: secret"  # what a database might tell


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProblemError("VALUE", "No."), "VALUE"),
        (RefusedError("No."), "UNPROCESSABLE"),
        (ConflictError("No."), "CONFLICT"),
        (NotThereError(), "NOT_FOUND"),
        (NotSignedInError(), "UNAUTHENTICATED"),
        (NotAllowedError("No."), "FORBIDDEN"),
        (StaleError("No.", 7), "STALE"),
        (TooOftenError("No.", 7), "THROTTLED"),
        (Http404(SECRET), "NOT_FOUND"),
        (ObjectDoesNotExist(SECRET), "NOT_FOUND"),
        (PermissionDenied(SECRET), "FORBIDDEN"),
        (exceptions.NotFound(SECRET), "NOT_FOUND"),
        (exceptions.NotAuthenticated(SECRET), "FORBIDDEN"),
        (exceptions.MethodNotAllowed("BREW"), "METHOD"),
        (exceptions.NotAcceptable(), "NOT_ACCEPTABLE"),
        (exceptions.Throttled(wait=1.2), "THROTTLED"),
        (exceptions.ParseError("No."), "BAD_REQUEST"),
        (OperationalError(SECRET), "BUSY"),
        (IntegrityError(SECRET), "CONFLICT"),
        (DataError(SECRET), "BAD_REQUEST"),
        (DatabaseError(SECRET), "INTERNAL"),
        (RequestDataTooBig(SECRET), "TOO_LONG"),
        (RecursionError(SECRET), "TOO_DEEP"),
        (ValueError(SECRET), "INTERNAL"),
    ],
    ids=repr,
)
def test_every_error_has_its_code_and_tells_no_secret(error: Exception, code: str) -> None:
    found = to_problem(error)
    body = found.body()
    assert (found.code, found.status_code) == (code, KINDS[code].status)
    assert (body["code"], body["status"]) == (code, KINDS[code].status)
    assert "secret" not in str(body)


@pytest.mark.parametrize("error", [TooOftenError("No.", 7), OperationalError("locked")])
def test_whoever_is_to_come_again_is_told_when(error: Exception) -> None:
    assert int(to_problem(error).headers["Retry-After"]) >= 1


def test_whoever_is_not_known_is_told_how_to_be() -> None:
    assert to_problem(NotSignedInError()).headers["WWW-Authenticate"].startswith("Bearer")


def test_a_field_is_named_where_one_is_to_blame() -> None:
    assert to_problem(RefusedError("No.", "name")).where == {"key": "name"}
    assert to_problem(RefusedError("No.")).where is None


def test_a_stale_edit_is_told_what_stands() -> None:
    found = to_problem(StaleError("No.", 7, {"name": "B"})).body()
    assert (found["ours"], found["current"]) == (7, {"name": "B"})
    assert "current" not in to_problem(StaleError("No.", 7)).body()
