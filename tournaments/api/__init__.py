"""The API under /api/v1/: its base, and the areas of clubs, people, events and leagues.

The base, from a request to its response: `permissions` (authentication, permissions, throttles),
`parsers` (parsers and renderers), `serializers`, `filters` (filters and pages), `idempotency`,
`exceptions`; `views` puts it together in ``ApiViewSet``, `openapi` describes it. An area is a
module with its serializers, its FilterSet and its viewsets, as `players`; `urls` registers them.

An endpoint: (1) a serializer for the response and one for each body, lengths and choices from the
model; (2) the action in a viewset, with a line in its tables ``rights``, ``inputs`` and, where the
response is another, ``outputs``; a write has ``@idempotent`` and calls one service function with
``by=request.by, at=request.at``; (3) a line in `urls` for a new viewset; (4) its row in NEEDS of
tests/api/test_permissions.py and a test of what it does.
"""
