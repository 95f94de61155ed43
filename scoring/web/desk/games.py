"""A game at the desk: its hands, who sits where, and what a director may do to it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.games import links, nights
from scoring.games.nights import Adjournment
from scoring.models import Game, Hand, Phase, Sitting, State
from scoring.presentation.answers import seats_of
from scoring.presentation.seat_names import name_people, sitters_of
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.web.desk.base import GameMixin
from scoring.web.pending_reasons import reasons_shown
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.models import Event, Status, Table, TableSeat
from tournaments.models.limits import REASON_MAX
from tournaments.people.display_names import distinct_name, players_by_name, shared_names
from tournaments.web.desk.base import ButtonsMixin, DeskPage
from tournaments.web.desk.forms import DeskForm, DeskFormMixin
from tournaments.web.desk.schedule import ReasonForm


class AdjournForm(ReasonForm):
    """The day on which a table is finished, and why not today."""

    ids = "adjourn_%s"
    reasons = (
        gettext_lazy("Somebody has to leave."),
        gettext_lazy("It is late."),
        gettext_lazy("The room closes."),
    )
    finish_on = forms.DateField(
        label=gettext_lazy("On which day, if you know it?"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    field_order = ["finish_on"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["why"].help_text = _("It stays on record, for directors.")


class EndTableForm(DeskForm):
    """The reason for which a table ends before it has played its hands."""

    ids = "end_%s"
    why = forms.CharField(
        label=gettext_lazy("Why, if it has hands to play?"),
        max_length=REASON_MAX,
        required=False,
        help_text=gettext_lazy("The reason stays on record. Open hands are left out."),
    )


class GamePage(ButtonsMixin, GameMixin, DeskPage):
    """The page of a game: its submissions, newest first, its players, and finishing another day."""

    needs = Right.HANDS_RULE
    template_name = "desk/game.html"
    buttons = ("play_on",)
    button_forms: ClassVar = {"adjourn": AdjournForm, "end": EndTableForm}

    @cached_property
    def table(self) -> Table | None:
        """The table of an event at which the game is played; None for a game of its own."""
        if self.game.table_id is None:
            return None
        tables = Table.objects.select_related("round__event").prefetch_related("games")
        return tables.get(pk=self.game.table_id)

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        if name == "adjourn" and self.table is not None and self.table.is_adjourned:
            known = {"why": self.table.adjourn_reason, "finish_on": self.table.finish_on}
            kwargs = {"initial": known, **kwargs}
        return super().get_button_form(name, **kwargs)

    def adjourn(self, form: AdjournForm) -> str:
        """Let the table be finished another day."""
        wanted = Adjournment(why=form.reason, finish_on=form.cleaned_data["finish_on"])
        table = self._table_to_change()
        nights.adjourn_table(table_id=table.pk, wanted=wanted, by=self.by, at=self.at)
        return _("The table will be finished another day. Its round can be closed.")

    def play_on(self, _value: str) -> str:
        """Let the table play on in its round."""
        nights.play_on(table_id=self._table_to_change().pk, by=self.by, at=self.at)
        return _("The table plays on.")

    def end(self, form: EndTableForm) -> str:
        """End the table: its game is closed."""
        table, why = self._table_to_change(), form.cleaned_data["why"]
        nights.end_table(table_id=table.pk, why=why, by=self.by, at=self.at)
        return _("The game of this table is ended.")

    def _table_to_change(self) -> Table:
        """Return the table for a director who may. Raises NotThereError, NotAllowedError."""
        self.require(Right.GAMES_OPEN)
        if self.table is None:
            raise NotThereError
        return self.table

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game = self.game
        disputed = Q(rival__isnull=False, state__in=(State.DISPUTED, State.DRAFT))
        hands = list(queries.hands(game).exclude(disputed))
        sat = sitters_of(game, in_full=True)
        names = {hand.pk: sat.names_at(hand.number) for hand in hands}
        sentences = _sentences(game, hands, names)
        reasons = reasons_shown(hands, in_full=True, names=names)
        sitters = list_sitters(game)
        here = {sitting.player_id for _seat, _name, sitting in sitters}
        context = {
            "game": game,
            "table": self.table,
            "can_adjourn": self.table is not None
            and self.table.round.event.status == Status.RUNNING
            and game.phase in (Phase.OPEN, Phase.OVER),
            "table_name": format_game_name(game),
            "event": None if self.table is None else self.table.round.event,
            "hands": [
                (hand, sentences.get(hand.pk, ""), reasons[hand.pk])
                for hand in sorted(hands, key=lambda hand: (-hand.number, hand.pk.hex))
            ],
            "seated": sitters,
            "players": [
                (player.pk, name)
                for player, name in players_by_name(game.club)
                if player.pk not in here
            ],
            "entrants": entrants(game),
            "links": [(link, links.is_open(link, self.at)) for link in links.list_links(game)],
        }
        return super().get_context_data(**{**context, **kwargs})


def _sentences(
    game: Game, hands: Sequence[Hand], names: Mapping[UUID, Mapping[str, str]]
) -> dict[UUID, str]:
    """Return a one-sentence result for each hand that is part of the game, by people's names."""
    rows = sorted((one for one in hands if one.rival_id is None), key=lambda one: one.number)
    rows = [row for place, row in enumerate(rows, 1) if row.number == place]
    if not rows:
        return {}
    played = plan.plan_of(game, rows).hands
    return {
        row.pk: translate(name_people(one.sentence, names[row.pk]))
        for row, one in zip(rows, played, strict=False)
    }


def format_game_name(game: Game) -> str:
    """Return a game's name for pages that already name its event."""
    table = game.table_id and Table.objects.filter(pk=game.table_id).select_related("round").first()
    if not table:
        return game.name
    numbers = {"round": table.round.number, "table": table.number}
    return _("Round %(round)d, table %(table)d") % numbers


def find_event(game: Game) -> Event | None:
    """The event of a table; None for a game of its own."""
    if game.table_id is None:
        return None
    return Event.objects.filter(round_rows__tables=game.table_id).first()


def list_sitters(game: Game) -> list[tuple[str, str, Sitting]]:
    """List the current players: seat, name and first hand. At most three queries."""
    seats, shared = seats_of(game), shared_names(game.club)
    rows = game.sittings.filter(last=None).select_related("player__person").order_by("seat")
    return [(seats[row.seat], distinct_name(row.player, shared), row) for row in rows]


def entrants(game: Game) -> list[tuple[UUID, str]]:
    """List the entrants of an event's table, in seat order."""
    if game.table_id is None:
        return []
    rows = TableSeat.objects.filter(table=game.table_id).order_by("seat")
    shared = shared_names(game.club)
    return [
        (row.entry_id, distinct_name(row.entry.player, shared))
        for row in rows.select_related("entry__player__person")
    ]
