"""One word has one meaning: names that the code may not repeat."""

from tests.development.measures import missing_documents, repeated_classes


def test_a_class_name_is_defined_at_most_twice() -> None:
    assert repeated_classes() == {}


def test_every_document_that_is_cited_is_here() -> None:
    assert missing_documents() == {}
