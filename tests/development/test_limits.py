"""A limit of a column stands once, in its model: forms, serializers and imports read it there."""

import ast
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.urls import get_resolver
from rest_framework.serializers import ModelSerializer

from tests.development.measures import ROOT
from tournaments.imports import members
from tournaments.models import Person
from tournaments.models.limits import max_length

COLUMNS = {
    field.name
    for app in ("scoring", "tournaments")
    for model in apps.get_app_config(app).get_models()
    for field in model._meta.concrete_fields
    if getattr(field, "max_length", None)
}
OTHERS = {
    "scoring/api/imports.py: event": "an id or the word tags, no event of a message",
    "scoring/api/rulings.py: code": "an irregularity of the law, no code at the door",
    "scoring/web/desk/ruling_form.py: code": "the same",
    "scoring/web/phone/views.py: code": "of a table, of which only a digest is kept",
}
"""Fields that have the name of a column of something else."""


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for found in kind.__subclasses__():
        yield found
        yield from subclasses(found)


def repeated_limits() -> Iterator[str]:
    """Fields with the name of a column whose limit is written as a number."""
    for folder in ("scoring", "tournaments"):
        for path in (ROOT / folder).rglob("*.py"):
            if {"models", "migrations"} & {*path.relative_to(ROOT).parts}:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                    continue
                name = getattr(node.targets[0], "id", "")
                numbers = [
                    word.value
                    for word in node.value.keywords
                    if word.arg == "max_length" and isinstance(word.value, ast.Constant)
                ]
                is_list = getattr(node.value.func, "id", "").endswith("ListField")
                if numbers and name in COLUMNS and not is_list:
                    yield f"{path.relative_to(ROOT)}: {name}"


def test_no_limit_of_a_column_is_written_down_again() -> None:
    assert set(repeated_limits()) == set(OTHERS)


def test_no_form_and_no_serializer_takes_more_than_its_column(
    subtests: pytest.Subtests,
) -> None:
    import_module("scoring.web.urls")
    assert get_resolver().url_patterns  # every view, form and serializer is imported
    kinds: list[tuple[type[Any], Any]] = [
        (kind, kind.base_fields)
        for kind in subclasses(forms.ModelForm)
        if kind.__module__.startswith(("scoring", "tournaments")) and hasattr(kind, "Meta")
    ]
    kinds += [
        (kind, kind().fields)
        for kind in subclasses(ModelSerializer)
        if kind.__module__.startswith(("scoring", "tournaments")) and hasattr(kind, "Meta")
    ]
    compared = 0
    for kind, fields in kinds:
        model = kind.Meta.model
        columns = {field.name: getattr(field, "max_length", None) for field in model._meta.fields}
        for name, field in fields.items():
            # Of a password its hash is stored.
            most = None if name == "password" else columns.get(name)
            taken = getattr(field, "max_length", None)
            if most is not None and taken is not None and not getattr(field, "read_only", False):
                compared += 1
                with subtests.test(f"{kind.__name__}.{name}"):
                    assert taken <= most
    assert compared > 20


def test_an_import_of_members_takes_what_the_columns_take() -> None:
    for name, most in members._LENGTHS.items():
        assert most == max_length(Person, name)
