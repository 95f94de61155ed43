"""Replies of members to the invitation to an event, for those who run it."""

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin

from tournaments.access.rights import Right
from tournaments.api.players import PlayerNameField
from tournaments.api.serializers import StrictModelSerializer
from tournaments.api.views import EventViewSetBase
from tournaments.events import replies
from tournaments.models import EventReply


class EventReplySerializer(StrictModelSerializer):
    """The reply of a member; empty, with null for its time, until they said anything."""

    name = PlayerNameField(source="player")

    class Meta:
        model = EventReply
        fields = ["player", "name", "reply", "replied_at"]


class EventReplyViewSet(ListModelMixin, EventViewSetBase):
    """List what the members replied, whether they come; those who have a link and said nothing."""

    queryset = EventReply.objects.all()
    serializer_class = EventReplySerializer
    rights = {"list": Right.EVENTS_EDIT}

    def get_queryset(self) -> QuerySet[EventReply]:
        return replies.list_replies(self.event)
