"""Files that are no records of hands are answered in one sentence; records never are."""

from pathlib import Path

import pytest

from engine.notation.foreign_files import describe_foreign
from tests.engine.notation.test_pasted_text import PASTINGS
from tests.engine.notation.test_samples import SAMPLES

FOREIGN = {
    "spreadsheet": b"PK\x03\x04\x14\0",
    "old Excel": b"\xd0\xcf\x11\xe0\xa1\xb1",
    "PDF": b"%PDF-1.7\n",
    "picture": b"\x89PNG\r\n",
    "web page": b"\xef\xbb\xbf<!DOCTYPE html><html>",
    "CSV": "Name;Punkte\r\nZoë;3\r\nBo;4\r\n".encode("cp1252"),
    "(LIN)": b"vg|Final,Segment 1,I,1,16|\nrs|4S=,3NT-1|\nqx|o1|md|3SAKQ",
    "(TRF)": b"012 Open of Leiden\r\n022 Leiden\r\n032 NED\r\n001    1      Adler,Ada",
    "bridge deals (PBN)": b'% PBN 2.1\n[Event "x"]\n[Vulnerable "NS"]\n[Contract "4S"]\n',
    "chess": b'[Event "x"]\n[White "Adler, Ada"]\n[Black "Baker, Bo"]\n\n1. e4 e5\n',
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_another_file_is_named_in_one_sentence(kind: str) -> None:
    found = str(describe_foreign(FOREIGN[kind]))
    assert kind in found
    assert "no record of a hand." in found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem[:20])
def test_records_pass_also_as_they_are_pasted(path: Path) -> None:
    text = path.read_text()
    for pasted in (text, *(paste(text) for paste in PASTINGS.values())):
        assert describe_foreign(pasted) is None
        assert describe_foreign(pasted.encode()) is None
        assert describe_foreign(pasted.encode("utf-16")) is None
