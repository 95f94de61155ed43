"""A list of names that is pasted or brought: looked at, asked about, then checked in as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import message_of
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.events import entries
from tournaments.events.entries import NewEntry
from tournaments.imports import MemberRoll, NameMatch, match_names, read_name_list
from tournaments.models import PlayerKind, Presence
from tournaments.people import members
from tournaments.people.bars import barred_players
from tournaments.people.members import NewPlayer
from tournaments.web.desk.base import REFUSED, DeskFormView, EventMixin
from tournaments.web.desk.forms import DeskForm

_LETTERS_MAX: Final = 100_000
NEW: Final = "new"
NOBODY: Final = "nobody"
"""Answers to the question who is meant, where it is no member."""


class NameListForm(DeskForm):
    """A list of names as text or as a file, and who those are whom the club does not know."""

    names = forms.CharField(
        label=gettext_lazy("The names"),
        max_length=_LETTERS_MAX,
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A name a line, or with commas between them; “Surname; First name” is turned round."
            " Rows copied from a spreadsheet can have a heading."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        help_text=gettext_lazy("Text, CSV, Excel (xlsx) or OpenDocument (ods)."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("People new to the club are"),
        choices=(
            (PlayerKind.MEMBER, gettext_lazy("members")),
            (PlayerKind.GUEST, gettext_lazy("guests")),
        ),
        initial=PlayerKind.MEMBER,
        widget=forms.RadioSelect,
    )
    presence = forms.ChoiceField(
        label=gettext_lazy("They"),
        choices=(
            (Presence.HERE, gettext_lazy("are here")),
            (Presence.EXPECTED, gettext_lazy("come later")),
        ),
        initial=Presence.HERE,
        widget=forms.RadioSelect,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """A name of the list with what is known of it.

    ``choices`` are the answers to the question who is meant, each with its label; empty where
    nothing is asked. ``note``: why nobody is entered for it, or what the question is.
    """

    number: int
    match: NameMatch
    choices: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    badge: str = ""
    note: str = ""

    @property
    def field(self) -> str:
        """The name of the field with the answer."""
        return f"who-{self.number}"

    @property
    def is_open(self) -> bool:
        """Whether the question is not answered yet."""
        return bool(self.choices) and not self.answer


class NameLists(EventMixin, DeskFormView[NameListForm]):
    """Enter everybody on a list: what was read is shown first, and asked where it is not clear.

    The button that enters counts only for the text that was shown; all are entered, or none.
    """

    needs = Right.EVENTS_EDIT
    template_name = "desk/names.html"
    form_class = NameListForm

    def get_success_url(self) -> str:
        return reverse("desk-event", args=[self.event.pk]) + "#people"

    def form_valid(self, form: NameListForm) -> HttpResponse:
        text, remarks = _plain_lines(form.cleaned_data["names"]), []
        try:
            if file := form.cleaned_data["file"]:
                name_list = read_name_list(file.read(), file.name)
                # Shown as text from here on: what was read can be mended.
                text = "\n".join(name.text for name in name_list.names)
                remarks = [translate(remark.sentence) for remark in name_list.remarks]
            listed = read_name_list(text.encode())
            remarks += [translate(remark.sentence) for remark in listed.remarks]
        except RefusedError as error:
            form.add_error("names", translate(message_of(error)))
            return self.form_invalid(form)
        rows = list(self._rows(match_names(listed.names, MemberRoll(self.club.pk))))
        is_shown = "enter" in self.request.POST and not self._is_other_text()
        if is_shown and not any(row.is_open for row in rows):
            self.rows = rows
            return super().form_valid(form)
        initial = {**form.cleaned_data, "names": text, "file": None}
        return self.render(
            REFUSED if is_shown else 200,
            form=NameListForm(initial=initial),
            rows=rows,
            shown=text,
            remarks=remarks,
            is_unanswered=is_shown,
            questions=sum(bool(row.choices) for row in rows),
            many=sum(row.answer != NOBODY for row in rows),
        )

    def _rows(self, matches: list[NameMatch]) -> Iterator[NameRow]:
        here = set(
            selectors.entries(self.event)
            .filter(presence=Presence.HERE)
            .values_list("player_id", flat=True)
        )
        barred = barred_players(self.club, self.at)
        taken: set[object] = set()
        for number, match in enumerate(matches):
            row = self._ask(number, match) if not match.is_clear else None
            member = next(iter(match.members), None)
            if row is None and member is None:
                row = NameRow(number=number, match=match, answer=NEW, badge=NEW)
            elif row is None and member is not None:
                answer, badge, note = str(member.player), "", ""
                if member.player in barred:
                    answer, badge, note = NOBODY, "barred", _("barred: is not entered")
                elif member.player in here:
                    answer, badge, note = NOBODY, "here", _("is here already")
                elif member.player in taken:
                    answer, badge, note = NOBODY, "here", _("stands in the list already")
                row = NameRow(number=number, match=match, answer=answer, badge=badge, note=note)
            assert row is not None
            taken.add(parse_id(row.answer) if row.answer not in ("", NEW, NOBODY) else None)
            yield row

    def _ask(self, number: int, match: NameMatch) -> NameRow:
        question, choices = ask_about(match)
        answer = self.request.POST.get(f"who-{number}", "")
        if answer not in dict(choices) or self._is_other_text():
            answer = ""
        return NameRow(number=number, match=match, choices=choices, answer=answer, note=question)

    def _is_other_text(self) -> bool:
        """Whether the text was changed since the questions about it were asked."""
        shown, names = (self.request.POST.get(name, "") for name in ("shown", "names"))
        return _plain_lines(shown) != _plain_lines(names) or "file" in self.request.FILES

    def save(self, form: NameListForm) -> None:
        typed = form.cleaned_data
        coming = [row for row in self.rows if row.answer != NOBODY]
        # All new players before the first entry: the club is locked before the event.
        new = {row.number: self._add(row, typed["kind"]) for row in coming if row.answer == NEW}
        for row in coming:
            player = new.get(row.number) or parse_id(row.answer)
            entry = NewEntry(player=player, presence=typed["presence"])
            entries.enter(event_id=self.event.pk, new=entry, by=self.by, at=self.at)
        many = len(coming)
        self.success_message = ngettext(
            "%(n)d of the list is entered.", "%(n)d of the list are entered.", many
        ) % {"n": many}

    def _add(self, row: NameRow, kind: str) -> UUID:
        self.require(Right.PLAYERS_EDIT)
        new = NewPlayer(person={"name": row.match.listed.name}, kind=kind)
        return members.add_player(club_id=self.club.pk, new=new, by=self.by, at=self.at).pk


def ask_about(match: NameMatch) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the question about a name that is not clear, and its answers with their labels."""
    name = match.listed.name
    if match.repeats and len(match.members) <= 1:
        question = _("%(name)s stands there twice. One person or two?")
        choices = [(NOBODY, _("One person")), (NEW, _("Two people"))]
        return question % {"name": name}, tuple(choices)
    choices = [
        (str(one.player), f"{one.name} ({min(one.numbers)})")
        for one in (*match.members, *match.similar)
    ]
    choices.append((NEW, _("somebody new: %(name)s") % {"name": name}))
    if match.repeats:
        choices.append((NOBODY, _("the same person again")))
        question = _("%(name)s stands there twice. One person or two?")
    else:
        choices.append((NOBODY, _("nobody: leave out")))
        question = (
            _("The club knows several of this name. Which one is %(name)s?")
            if match.members
            else _("Nobody is called %(name)s. Who do you mean?")
        )
    return question % {"name": name}, tuple(choices)


def _plain_lines(text: str) -> str:
    r"""Return a text with the line breaks that we write, however a browser sends them.

    >>> _plain_lines(" Ada\r\nBob\r\n")
    'Ada\nBob'
    """
    return "\n".join(text.strip().splitlines())
