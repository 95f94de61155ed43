"""Replies to the invitation to a night: links, what members said, and how many are needed."""

from typing import Any, ClassVar, Final

from django import forms
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.handouts.seating import reaches_phones
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.core.mail import can_send
from tournaments.core.name_folding import fold_name
from tournaments.core.public_address import public_site, public_url
from tournaments.core.time_zones import local
from tournaments.events import replies
from tournaments.models import Quorum, Reply
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.selectors import first_name
from tournaments.tables.press import squares
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin
from tournaments.web.desk.event_consequences import describe_clock
from tournaments.web.desk.fields import MomentField
from tournaments.web.desk.forms import DeskForm, DeskFormMixin, clean_line

_SOUGHT_MAX: Final = 100
_LEAST: Final = Quorum._meta.get_field("least")


class QuorumForm(DeskForm):
    """The least number of players, until when, and what is done then if they are fewer."""

    ids = "quorum_%s"
    least = forms.IntegerField(label=_LEAST.verbose_name, min_value=1, max_value=replies.QUORUM_MAX)
    until = MomentField(label=Quorum._meta.get_field("until").verbose_name)
    is_automatic = forms.BooleanField(
        label=gettext_lazy("Then call it off by itself if they are too few"),
        required=False,
        help_text=gettext_lazy("Members read that beforehand. Else you are told, and decide."),
    )


class RepliesPage(ButtonsMixin, EventMixin, DeskPage):
    """The replies of all members, the buttons that ask for them, and the least number."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/replies.html"
    buttons: ClassVar[tuple[str, ...]] = ("make", "ask", "reply", "drop")
    button_forms: ClassVar = {"quorum": QuorumForm}

    def make(self, _value: str) -> str:
        """Make a link for every member without one."""
        count = replies.make_reply_links(event_id=self.event.pk, by=self.by, at=self.at)
        return ngettext("%(n)d link is made.", "%(n)d links are made.", count) % {"n": count}

    def ask(self, _value: str) -> str:
        """Send the links by e-mail to those who get mail and have not replied."""
        count = replies.ask_by_mail(
            event_id=self.event.pk,
            site=public_site(self.request),
            language=get_language() or "",
            by=self.by,
            at=self.at,
        )
        words = ngettext(
            "%(n)d member is asked by e-mail.", "%(n)d members are asked by e-mail.", count
        )
        return words % {"n": count}

    def reply(self, value: str) -> str:
        """Write down a reply by word of mouth: the reply, a colon, the player."""
        said, _colon, player = value.partition(":")
        if said not in Reply.values:
            raise NotThereError
        replies.note_reply(
            event_id=self.event.pk,
            player_id=parse_id(player),
            reply=Reply(said),
            by=self.by,
            at=self.at,
        )
        return ""

    def quorum(self, form: QuorumForm) -> str:
        """Say how many are needed by when."""
        replies.set_quorum(
            event_id=self.event.pk,
            least=form.cleaned_data["least"],
            until=form.cleaned_data["until"],
            cancel_reason=_("Too few players.") if form.cleaned_data["is_automatic"] else "",
            by=self.by,
            at=self.at,
        )
        return _("Saved.")

    def drop(self, _value: str) -> str:
        """Let the night take place however many come."""
        replies.drop_quorum(event_id=self.event.pk, by=self.by, at=self.at)
        return _("The night takes place however many come.")

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        known = Quorum.objects.filter(event=self.event).first()
        if known is not None:
            initial = {"least": known.least, "until": known.until}
            initial["is_automatic"] = bool(known.cancel_reason)
            kwargs = {"initial": initial, **kwargs}
        form = super().get_button_form(name, **kwargs)
        form.fields["until"].help_text = describe_clock(self.club)
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event, shared = self.event, shared_names(self.club)
        rows = list(replies.list_replies(event))
        said = [row.reply for row in rows]
        coming = replies.list_coming(event)
        members = {row.player_id for row in rows if row.reply == Reply.COMES}
        context = {
            "rows": [(row, distinct_name(row.player, shared)) for row in rows],
            "is_open": replies.is_open(event, self.at),
            "missing": replies.find_members(self.club).exclude(replies__event=event).count(),
            "asked": replies.find_asked(event, self.at).count() if can_send() else 0,
            "can_mail": can_send(),
            "coming": len(coming),
            "others": len(set(coming) - members),
            "perhaps": said.count(Reply.PERHAPS),
            "absent": said.count(Reply.NOT),
            "silent": said.count(""),
            "replies": Reply.choices,
            "quorum": Quorum.objects.filter(event=event).first(),
            "shortage": replies.find_shortages([event], self.at).get(event.pk),
            "version": event.version,
        }
        return super().get_context_data(**{**context, **kwargs})


class ReplyLinks(ButtonsMixin, EventMixin, DeskPage):
    """The link of each member: as a code to scan, and as a text to copy into a message.

    They are folded by reply and found by name (``?q=``), or all shown as codes to print (``?all``).
    """

    needs = Right.EVENTS_EDIT
    template_name = "desk/reply_links.html"
    buttons: ClassVar[tuple[str, ...]] = ("renew",)

    def renew(self, player: str) -> str:
        """Replace the link of a member, who gave it to somebody or lost it."""
        replies.renew_reply_link(
            event_id=self.event.pk, player_id=parse_id(player), by=self.by, at=self.at
        )
        return _("The link is replaced; the one before it opens nothing any more.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event, shared = self.event, shared_names(self.club)
        when = date_format(local(event.starts_at, self.club.time_zone), _("l j F Y, H:i"))
        links = []
        for row in replies.list_replies(event):
            path = reverse("reply", args=[replies.reply_token(row)])
            address = public_url(self.request, path)
            side, ink = squares(address)
            words = _("%(name)s, do you come to %(event)s? %(when)s. Say so here: %(link)s") % {
                "name": first_name(row.player.person.name),
                "event": event.name,
                "when": when,
                "link": address,
            }
            links.append((row, distinct_name(row.player, shared), side, ink, words))
        sought = clean_line(self.request.GET.get("q"), _SOUGHT_MAX)
        found = [link for link in links if fold_name(sought) in fold_name(link[1])]
        kinds = [("", _("No reply yet")), *Reply.choices]
        groups = [(title, [one for one in found if one[0].reply == kind]) for kind, title in kinds]
        return super().get_context_data(
            links=links,
            groups=[(title, rows) for title, rows in groups if rows],
            sought=sought,
            all="all" in self.request.GET,
            is_reached=reaches_phones(public_url(self.request)),
            **kwargs,
        )
