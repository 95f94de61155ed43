"""Forms of what happened at a table: fields for its seats, and what follows for later hands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from scoring.presentation.cards import seat_name
from scoring.settlement.consequences import Policy
from tournaments.core.errors import RefusedError, StaleError
from tournaments.web.desk.forms import DeskForm

POLICIES: Final = (
    (Policy.RESETTLE, gettext_lazy("Judge the hands after it again")),
    (Policy.LET_STAND, gettext_lazy("Let them stand as they were played, in good faith")),
)


class SeatForm(DeskForm):
    """A form about the seats of a table; ``names`` are those of the players, by seat.

    What is asked of each seat has a field for each, named ``kind_seat``.
    """

    def __init__(
        self, *args: Any, seats: Sequence[str], names: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.seats = seats
        self.sitters = {seat: seat_name(seat, names) for seat in seats}

    def seat_choice(self, label: str, nobody: str, initial: Any = None) -> forms.ChoiceField:
        """One of the seats, or none."""
        choices = [("", nobody), *self.sitters.items()]
        return forms.ChoiceField(label=label, choices=choices, required=False, initial=initial)

    def seats_choice(self, label: str) -> forms.MultipleChoiceField:
        """Any of the seats."""
        return forms.MultipleChoiceField(
            label=label,
            choices=[*self.sitters.items()],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def field_for_each(
        self, kind: str, make: Callable[[str], forms.Field], seats: Sequence[str] | None = None
    ) -> dict[str, forms.Field]:
        """A field for every seat, which may be left empty."""
        found = {}
        for seat in self.seats if seats is None else seats:
            field = found[f"{kind}_{seat}"] = make(seat)
            field.label, field.required = self.sitters[seat], False
        return found

    def value_for_each(self, kind: str) -> dict[str, Any]:
        """Return the typed values seat by seat; nothing for a seat that is left empty."""
        typed = {seat: self.cleaned_data.get(f"{kind}_{seat}") for seat in self.seats}
        return {seat: value for seat, value in typed.items() if value not in (None, "")}

    def refuse(self, error: RefusedError) -> None:
        """Say at its field why it cannot be; what is wrong of all seats, at the first of them."""
        if error.field not in self.fields and not isinstance(error, StaleError):
            of_seats = (name for name in self.fields if name.startswith(f"{error.field}_"))
            error.field = next(of_seats, error.field)
        super().refuse(error)


class HandChangeForm(SeatForm):
    """A form that changes a hand, and says what becomes of the hands after it."""

    policy = forms.ChoiceField(
        label=gettext_lazy("And the hands after it?"),
        choices=POLICIES,
        initial=Policy.RESETTLE,
        widget=forms.RadioSelect,
    )
