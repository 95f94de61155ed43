"""The desk's page of the service: what runs, what waits, what failed and is tried again."""

import html
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.operations import health
from config.operations.health import RELAY, WORKER, record_heartbeat
from config.operations.rehearsal import report
from scoring.models import Delivery, Webhook
from tests.scoring.club import make_club, make_rules
from tests.web.desk import Director, director_of
from tournaments.core.storage import DiskSpace
from tournaments.models import (
    AuditEntry,
    BackupKind,
    Club,
    Event,
    Job,
    JobKind,
    JobState,
    Published,
    Scope,
    Stale,
)

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of a service of which all parts run."""
    monkeypatch.setattr(health, "broker_state", lambda _url: "ok")
    monkeypatch.setattr(health, "broker_since", lambda _at: AT)
    for name in (RELAY, WORKER):
        record_heartbeat(name, timezone.now())
    return make_club()


def path_of(club: Club) -> str:
    return f"/desk/clubs/{club.pk}/status/"


def page_of(club: Club) -> str:
    return words(director_of(club, "admin").get(path_of(club)))


def press(club: Club, name: str, value: object) -> Any:
    admin = director_of(club, "admin")
    (form,) = [form for form in admin.forms(path_of(club)) if "key" in form.values]
    form.values[name] = [str(value)]
    return admin.send(form)


def failed_export(club: Club, kind: str = JobKind.EXPORT) -> Job:
    return Job.objects.create(
        club=club,
        kind=kind,
        params={"what": "members", "format": "csv"},
        state=JobState.FAILED,
        outcome={"why": "Put aside."},
        by="person:",
        source="page",
        created_at=AT,
        finished_at=AT,
    )


def make_night(club: Club) -> Event:
    return Event.objects.create(
        club=club,
        name="Friday",
        starts_at=AT,
        created_at=AT,
        rule_set=make_rules(club),
        rounds=3,
        hands=8,
    )


def standings_put_aside(club: Club) -> Published:
    event = make_night(club)
    return Published.objects.create(
        club=club,
        scope=Scope.EVENT,
        subject=event.pk,
        due_at=timezone.now() + timedelta(minutes=9),
        trouble="Put aside after 3 tries. KeyError: 4",
    )


def failing_webhook(club: Club) -> Webhook:
    hook = Webhook.objects.create(
        club=club,
        url="https://chat.example/a-secret-path",
        secret="",
        failures=3,
        quiet_until=timezone.now() + timedelta(hours=1),
        created_at=AT,
    )
    now = timezone.now()
    for due_at in (None, now + timedelta(hours=1)):
        Delivery.objects.create(webhook=hook, event="x", body="", due_at=due_at, created_at=now)
    return hook


def test_a_service_that_is_well_is_said_to_be(club: Club) -> None:
    page = page_of(club)
    assert "All parts of the service are running, and nothing has failed." in page
    for line in ("All are up to date.", "Nothing failed.", "Painsuit 0."):
        assert line in page
    assert "does not run" not in page


def test_a_part_that_does_not_run_is_named_with_what_to_do(club: Club) -> None:
    record_heartbeat(WORKER, timezone.now() - timedelta(minutes=5))
    page = page_of(club)
    assert "Something needs attention" in page
    assert re.search(
        r"Worker last heard of .* does not run Hands are entered; .* starts it\.", page
    )
    assert page.count("does not run") == 1


def test_a_disk_that_is_nearly_full_is_no_state_to_be_in(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "disk_space", lambda: DiskSpace("low", 200_000_000))
    assert "Something needs attention" in page_of(club)


def test_a_rehearsal_of_a_restore_that_failed_needs_attention(club: Club) -> None:
    report(BackupKind.BACKUP, Path("a.backup"), "written", is_good=True, at=timezone.now())
    assert "Last backup of all clubs: " in page_of(club)
    report(BackupKind.REHEARSAL, Path("a.backup"), "damaged", is_good=False, at=timezone.now())
    page = page_of(club)
    assert "The rehearsal of a restore failed" in page
    assert "Something needs attention" in page


def test_what_waits_is_that_of_the_own_club_and_the_oldest_of_all(club: Club) -> None:
    other = make_club("Another")
    now = timezone.now()
    for one, behind in ((club, 1), (other, 2)):
        for _ in range(behind):
            event = make_night(one)
            since = now - timedelta(seconds=90)
            Stale.objects.create(scope=Scope.EVENT, subject=event.pk, since=since)
        failing_webhook(one)
    messages = Delivery.objects.filter(webhook__club=other)
    messages.update(due_at=now + timedelta(hours=1))
    page = page_of(club)
    assert re.search(r"Standings 1 is behind, since", page)
    assert re.search(r"Messages to webhooks 1 was not taken yet", page)
    assert re.search(r"been waiting for 9\d seconds\. That is long\.", page)


def test_an_export_that_failed_is_begun_anew(club: Club) -> None:
    job = failed_export(club)
    assert "Put aside." in page_of(club)
    assert press(club, "job", job.pk).status_code == 302
    job.refresh_from_db()
    assert (job.state, job.attempts, job.outcome, job.finished_at) == ("waiting", 0, {}, None)
    assert job.due_at is not None
    assert "Nothing failed." in page_of(club)


def test_an_import_that_failed_is_brought_in_anew(club: Club) -> None:
    job = failed_export(club, JobKind.ARCHIVE)
    assert "Import the file again." in page_of(club)
    assert press(club, "job", job.pk).status_code == 422
    job.refresh_from_db()
    assert job.state == JobState.FAILED


def test_standings_that_were_put_aside_are_due_again(club: Club) -> None:
    row = standings_put_aside(club)
    assert "Standings of Friday Put aside after 3 tries. KeyError: 4" in page_of(club)
    press(club, "standings", row.pk)
    row.refresh_from_db()
    assert (row.due_at, row.trouble) == (None, "")
    assert Stale.objects.filter(subject=row.subject).exists()


def test_what_a_webhook_did_not_take_is_sent_again_at_once(club: Club) -> None:
    hook = failing_webhook(club)
    page = page_of(club)
    assert "Webhook at chat.example It did not answer 3 times in a row. 1 message was given" in page
    assert "a-secret-path" not in page
    press(club, "webhook", hook.pk)
    hook.refresh_from_db()
    assert hook.quiet_until is None
    assert Delivery.objects.due(timezone.now()).count() == 2
    assert AuditEntry.objects.filter(club_id=club.pk).count() == 1


def test_nobody_tries_again_what_is_of_another_club(club: Club) -> None:
    other = make_club("Another")
    rows = {
        "job": failed_export(other),
        "standings": standings_put_aside(other),
        "webhook": failing_webhook(other),
    }
    page = page_of(club)
    assert "Nothing failed." in page
    for name, row in rows.items():
        assert press(club, name, row.pk).status_code == 404
    assert press(club, "nothing", 1).status_code == 400


def test_only_admins_see_the_page_and_only_those_of_the_club_try_again(club: Club) -> None:
    job = failed_export(club)
    for kind in ("player", "director", "treasurer"):
        one = director_of(club, kind, f"A {kind}")
        assert one.get(path_of(club)).status_code == 403
        assert 'status/"' not in one.get(f"/desk/clubs/{club.pk}/").content.decode()
    stranger = director_of(make_club("Another"), "admin", "Ivo Boom")
    assert stranger.get(path_of(club)).status_code == 404
    assert Director().get(path_of(club)).status_code == 302
    assert f'value="{job.pk}"' in director_of(club, "admin").get(path_of(club)).content.decode()


def test_more_work_costs_no_more_queries(club: Club) -> None:
    admin = director_of(club, "admin")
    counts = []
    for _ in range(2):
        failed_export(club)
        standings_put_aside(club)
        failing_webhook(club)
        with CaptureQueriesContext(connection) as queries:
            admin.get(path_of(club))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_page_speaks_german(club: Club) -> None:
    admin = director_of(club, "admin")
    admin.client.cookies["painsuit-language"] = "de"
    assert "Alle Teile des Dienstes laufen" in words(admin.get(path_of(club)))


def test_a_test_message_is_sent_by_a_button_and_its_answer_stands_there(club: Club) -> None:
    assert "Send a test message" not in page_of(club)
    webhook = Webhook.objects.create(
        club=club, url="https://hooks.club.example/", secret="", created_at=AT
    )
    press(club, "test", webhook.pk)
    row = Delivery.objects.get()
    assert (row.event, row.webhook_id) == ("webhook.test", webhook.pk)
    assert "hooks.club.example The test message is on its way. Send a test message" in page_of(club)
    Delivery.objects.update(last_answer="Status 404.")
    assert "was not taken: Status 404." in page_of(club)
    Delivery.objects.update(last_answer="Status 204.", done_at=AT, due_at=None)
    assert re.search(r"message was taken 20 Nov, [\d:]{8}: Status 204\.", page_of(club))
