"""Signed files: whose they are, and that not a byte of them was changed."""

import base64
import hashlib
import json
import stat
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from scoring.jobs.kinds import JOB_TYPES
from scoring.transfer import signatures
from scoring.transfer.signatures import (
    Digested,
    Signature,
    SignatureError,
    Signing,
    find_signature,
    key_of,
)
from tests.api.asking import account_of, club_of, signed_in
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import at, make_club
from tournaments import jobs
from tournaments.models import Club, Job

OURS = "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI"
THEIRS = "Q0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0M"


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.SIGNING_KEY = OURS
    settings.SIGNERS = tmp_path / "signers"
    settings.FILES = str(tmp_path / "files")


def signature_of(text: bytes) -> Signature:
    found = find_signature(hashlib.sha256(text).digest())
    assert found is not None
    return found


def is_refused(text: bytes, beside: bytes) -> bool:
    try:
        Signature.read(beside).check(hashlib.sha256(text).digest())
    except SignatureError:
        return True
    return False


def test_a_signature_is_the_same_every_time_and_right() -> None:
    one, other = signature_of(b"a file"), signature_of(b"a file")
    assert one.text() == other.text()
    assert Signature.read(one.text().encode()) == one
    assert Signature.read(f"{one.text()}\n".encode()) == one
    assert not is_refused(b"a file", one.text().encode())
    assert is_refused(b"another", one.text().encode())


def test_ten_thousand_flipped_bytes_are_ten_thousand_refusals() -> None:
    """reliability.md, threat 13."""
    text, beside = (
        b"The whole club.\n" * 40,
        signature_of(b"The whole club.\n" * 40).text().encode(),
    )
    luck = Random(13)
    for _ in range(10_000):
        both = bytearray(text + beside)
        both[luck.randrange(len(both))] ^= luck.randrange(1, 256)
        assert is_refused(bytes(both[: len(text)]), bytes(both[len(text) :]))


@given(st.binary(max_size=400))
def test_whatever_is_no_signature_is_refused(text: bytes) -> None:
    assert is_refused(b"a file", text)


def test_the_signature_of_another_key_does_not_pass_as_ours(settings: Any) -> None:
    ours = signature_of(b"a file")
    settings.SIGNING_KEY = THEIRS
    theirs = signature_of(b"a file")
    assert theirs.key != ours.key
    mixed = Signature(ours.digest, theirs.public, ours.value)
    assert is_refused(b"a file", mixed.text().encode())
    data = json.loads(ours.text()) | {"key": theirs.key}
    assert is_refused(b"a file", json.dumps(data, sort_keys=True, separators=(",", ":")).encode())


def test_pieces_are_signed_on_their_way_and_checked_while_they_are_read(tmp_path: Path) -> None:
    signing = Signing()
    path = tmp_path / "file"
    path.write_bytes(b"".join(signing.passing([b"one ", b"", b"two"])))
    signature = signing.sign()
    assert signature == signature_of(b"one two")
    with path.open("rb") as source:
        digested = Digested(source)
        while digested.read(3):
            pass
    signature.check(digested.digest())


def test_whose_a_key_is_is_what_was_written_down(settings: Any) -> None:
    signature = signature_of(b"a file")
    assert signatures.signer_of(signature) == "this installation"
    key = signatures.own_key()
    assert key is not None
    assert key_of(key) == signature.key
    settings.SIGNING_KEY = THEIRS
    assert signatures.signer_of(signature) is None
    assert signatures.trust(key, "Leiden\n  Hearts") == signature.key
    assert signatures.signer_of(signature) == "Leiden Hearts"
    signatures.trust(key, "Leiden")
    assert signatures.signers() == {key: "Leiden"}
    assert stat.S_IMODE(Path(settings.SIGNERS).stat().st_mode) == 0o600
    for wrong in ("", "short", base64.urlsafe_b64encode(b"x" * 32).decode(), "é" * 43):
        with pytest.raises(SignatureError, match="no public key"):
            signatures.trust(wrong, "Somebody")
    with pytest.raises(SignatureError, match="say whose"):
        signatures.trust(key, " ")


def test_without_a_key_nothing_is_signed(settings: Any) -> None:
    settings.SIGNING_KEY = None
    assert find_signature(b"x" * 32) is None
    assert signatures.own_key() is None
    assert said("signature") == "2"


def said(*words: str, **options: Any) -> str:
    out = StringIO()
    try:
        call_command(*words, stdout=out, **options)
    except SystemExit as end:
        return f"{out.getvalue()}{end.code}"
    return out.getvalue()


@pytest.mark.django_db
def test_a_bundle_says_whose_it_is_and_a_changed_one_builds_nothing(
    settings: Any, tmp_path: Path
) -> None:
    club = make_club()
    bring(club, file(in_turn(night(2, hands=2))))
    path = tmp_path / "leiden.bundle"
    beside = Path(f"{path}.sig")
    key = Signature.read
    assert f"signed with key {key_of(str(signatures.own_key()))}" in said(
        "export", str(path), club=str(club.pk)
    )
    assert "intact; signed by this installation" in said("signature", str(path))
    assert "intact; signed by this installation" in said("import", str(path))
    ours = str(signatures.own_key())
    settings.SIGNING_KEY = THEIRS
    assert "which this installation does not know" in said("signature", str(path))
    said("signature", trust=ours, name="Leiden")
    assert "signed by Leiden" in said("import", str(path), dry_run=True)
    other = Signing()
    b"".join(other.passing([b"something else"]))
    # Were there no key, this test should fail here.
    beside.write_text(str(key(other.sign().text().encode()).text()))  # type: ignore[union-attr]
    assert "changed after it was signed" in said("signature", str(path))
    assert "changed after it was signed" in said("import", str(path))
    beside.write_text("{}")
    assert said("import", str(path)).endswith("this is no signature\n1")
    beside.unlink()
    assert "it is not signed" in said("import", str(path))
    assert Club.objects.count() == 1


@pytest.mark.django_db
def test_what_a_job_made_has_its_signature_beside_it() -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    path = f"/api/v1/clubs/{club.pk}/exports"
    asked = asking.post(path, {"what": "members", "format": "csv"})
    assert asked.status_code == 202, asked.content
    while due := Job.objects.due_names(at(10**6), 10):
        for name, _since in due:
            jobs.run(job_id=UUID(name), types=JOB_TYPES, clock=lambda: at(10**6))
    job = Job.objects.get()
    made = b"".join(asking.get(f"/api/v1/jobs/{job.pk}/file").streaming_content)
    beside = b"".join(asking.get(f"/api/v1/jobs/{job.pk}/signature").streaming_content)
    assert not is_refused(made, beside)
    small = asking.get(f"{path}?what=members&format=csv")
    whole = b"".join(small.streaming_content)
    assert not is_refused(whole, small["Painsuit-Signature"].encode())
    Job.objects.update(outcome={})
    assert asking.get(f"/api/v1/jobs/{job.pk}/signature").status_code == 404
