"""One word has one meaning: names that the code may not repeat."""

import re

from tests.development.measures import ROOT, definitions, missing_documents, repeated_classes


def test_a_class_name_is_defined_at_most_twice() -> None:
    assert repeated_classes() == {}


def test_every_document_that_is_cited_is_here() -> None:
    assert missing_documents() == {}


def test_every_name_of_the_glossary_is_in_the_code() -> None:
    page = (ROOT / "docs" / "development" / "glossary.md").read_text("utf-8")
    named = {name for line in page.splitlines() for name in re.findall(r"\| `(\w+)` \|$", line)}
    assert len(named) > 30
    assert named - {node.name for node in definitions()} == set()
