"""Boards of a duplicate night, prepared; hands that were not played with the cards of theirs."""

from functools import cached_property
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.hands.board_verdicts import HandVerdict, decide_hand_board, find_other_board
from scoring.hands.recording import judge_current_hand
from scoring.settlement.replay import JudgedHand, describe_cards
from scoring.settlement.reporting import find_played_board
from scoring.web.desk.base import HandMixin
from scoring.web.desk.games import find_event, format_game_name
from scoring.web.record_listing import decode
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.models import Board, BoardDecision, BoardVerdict, Event
from tournaments.models.limits import REASON_MAX, ROUNDS_MAX, TABLE_NUMBER_MAX
from tournaments.web.desk.base import DeskFormView, EventMixin
from tournaments.web.desk.forms import DeskForm


class BoardForm(DeskForm):
    """A verdict on the hand; ``other`` is the number of the board whose cards they are."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("What does this hand count for?"), widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=gettext_lazy("Note"), required=False, max_length=REASON_MAX, widget=forms.Textarea
    )

    def __init__(self, *args: Any, board: int, other: int | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            (BoardVerdict.FOULED, _("It was fouled: all its players have the assigned score.")),
            (
                BoardVerdict.MISWRITTEN,
                _("The cards were entered wrongly: it counts as board %(n)d.") % {"n": board},
            ),
        ]
        if other is not None:
            words = _("It was board %(n)d: it counts as that board.") % {"n": other}
            if other == board:
                words = _("The board was turned: each seat counts for the cards that it held.")
            choices.insert(0, (BoardVerdict.OTHER_BOARD, words))
        field = self.fields["verdict"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class BoardPage(HandMixin, DeskFormView[BoardForm]):
    """Decide what a hand counts for that was played with other cards."""

    needs = Right.HANDS_RULE
    template_name = "desk/hand_board.html"
    form_class = BoardForm
    success_message = gettext_lazy("Your decision is saved.")

    @cached_property
    def played(self) -> JudgedHand:
        """The hand, judged. Raises Http404 if it is no hand of a board."""
        played = judge_current_hand(self.game, self.hand)
        if played is None or played.board not in played.entered.deals or self.event is None:
            raise Http404
        return played

    @cached_property
    def event(self) -> Event | None:
        """The event of the game."""
        return find_event(self.game)

    def get_form_kwargs(self) -> dict[str, Any]:
        assert self.game.table is not None
        place = find_other_board(self.played, self.game.table)
        other = None if place is None else place[0]
        return {**super().get_form_kwargs(), "board": self.played.board, "other": other}

    def get_initial(self) -> dict[str, Any]:
        held = BoardDecision.objects.filter(
            game=self.game.pk, number=self.hand.number, cancelled_at=None
        ).first()
        return {} if held is None else {"verdict": held.verdict, "reason": held.reason}

    def save(self, form: BoardForm) -> None:
        asked = HandVerdict(
            verdict=BoardVerdict(form.cleaned_data["verdict"]),
            reason=form.cleaned_data["reason"],
            revision=self.version_seen(),
        )
        decide_hand_board(hand_id=self.hand.pk, asked=asked, by=self.by, at=self.at)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        assert self.played.board is not None
        dealt = find_played_board(self.played)
        context = {
            "row": self.game,
            "table_name": format_game_name(self.game),
            "hand": self.hand,
            "version": self.hand.revision,
            "event": self.event,
            "whose": translate(describe_cards(self.played.board, dealt)),
        }
        return super().get_context_data(**{**context, **kwargs})


BYTES_MAX: Final = 200_000


class PreparationForm(DeskForm):
    """The source of the deals."""

    file = forms.FileField(
        label=gettext_lazy("A file with a deal for each board"),
        required=False,
        help_text=gettext_lazy(
            "PHN or PBN; without it, all are dealt from the secret of the night."
        ),
    )
    table = forms.IntegerField(
        label=gettext_lazy("Or from the records of table"),
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=gettext_lazy(
            "That table shuffles and deals; its full records tell the deal of each board, and"
            " every other table plays the same cards."
        ),
    )
    round = forms.IntegerField(
        label=gettext_lazy("Only for round"),
        min_value=1,
        max_value=ROUNDS_MAX,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def preparation(self) -> Preparation:
        """Return the deals that were brought. Raises RefusedError."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        where = {"table": self.cleaned_data["table"], "round": self.cleaned_data["round"]}
        if file is None:
            return Preparation(**where)
        if file.size is None or file.size > BYTES_MAX:
            raise RefusedError(_("This file is too long to be the deals of a night."), "file")
        content: bytes = file.read()
        return Preparation(records=decode(content), **where)


class Boards(EventMixin, DeskFormView[PreparationForm]):
    """The boards of an event, and who played them; prepares those that were not played yet."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/boards.html"
    form_class = PreparationForm

    def save(self, form: PreparationForm) -> None:
        preparation = form.preparation()
        made = boards.prepare_boards(
            event_id=self.event.pk, preparation=preparation, by=self.by, at=self.at
        )
        self.success_message = _("%(n)d boards are prepared.") % {"n": len(made)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        played = selectors.boards_played(event)
        rows = boards.with_deals(Board.objects.filter(event=event).order_by("number"))
        context = {
            "rows": [(row, played.get(row.number, 0)) for row in rows],
            "needed": event.rounds * event.hands,
        }
        return super().get_context_data(**{**context, **kwargs})
