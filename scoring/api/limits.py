"""The limits and periods of this installation, for programs that keep to them."""

from datetime import timedelta
from typing import TypedDict

from rest_framework.response import Response

from scoring.webhooks import queue
from scoring.webhooks.client import SECONDS
from scoring.webhooks.subscriptions import WEBHOOKS_MAX
from tournaments import idempotency, jobs
from tournaments.api.filters import SignedCursorPagination
from tournaments.api.parsers import BODY_BYTES_MAX
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.ids import AFTER_THE_GAME, LONGEST_LIFE
from tournaments.events.entries import ENTRIES_MAX
from tournaments.models.limits import CORRECTION_HOURS_MAX, HANDS_MAX, ROUNDS_MAX, SESSIONS_MAX
from tournaments.people import invitations
from tournaments.publishing import thinning


class LimitsOut(TypedDict):
    """Limits and periods; those of one event, such as `corrections_until`, stand with the event."""

    page_rows: int
    page_rows_most: int
    body_bytes_most: int
    upload_bytes_most: int
    upload_hands_most: int
    repeat_days: int
    job_days: int
    invitation_days: int
    link_days_most: int
    link_hours_after_game: int
    event_rounds_most: int
    event_hands_most: int
    event_entries_most: int
    event_correction_hours_most: int
    league_events_most: int
    standings_days: int
    webhooks_most: int
    webhook_seconds: int
    webhook_hours: int
    webhook_days: int


class LimitsViewSet(ApiViewSet):
    """Limits and periods."""

    outputs = {"retrieve": LimitsOut}
    rights = {"retrieve": None}

    def retrieve(self, request: ApiRequest) -> Response:
        """Read the limits and periods of this installation.

        `repeat_days` is how long a key of a write is known; `job_days` how long files are kept;
        `standings_days` how long every version of standings is kept;
        `webhook_hours` how long a message is tried again, `webhook_days` how long it can be
        looked at.
        """
        data: LimitsOut = {
            "page_rows": SignedCursorPagination.page_size,
            "page_rows_most": SignedCursorPagination.max_page_size,
            "body_bytes_most": BODY_BYTES_MAX,
            "upload_bytes_most": jobs.UPLOAD_BYTES_MAX,
            "upload_hands_most": jobs.UPLOAD_HANDS_MAX,
            "repeat_days": idempotency.RETENTION.days,
            "job_days": jobs.KEPT.days,
            "invitation_days": invitations.LIFE.days,
            "link_days_most": LONGEST_LIFE.days,
            "link_hours_after_game": AFTER_THE_GAME // timedelta(hours=1),
            "event_rounds_most": ROUNDS_MAX,
            "event_hands_most": HANDS_MAX,
            "event_entries_most": ENTRIES_MAX,
            "event_correction_hours_most": CORRECTION_HOURS_MAX,
            "league_events_most": SESSIONS_MAX,
            "standings_days": thinning.KEPT_WHOLE.days,
            "webhooks_most": WEBHOOKS_MAX,
            "webhook_seconds": int(SECONDS),
            "webhook_hours": queue.GIVEN_UP_AFTER // timedelta(hours=1),
            "webhook_days": queue.KEPT.days,
        }
        return Response(data)
