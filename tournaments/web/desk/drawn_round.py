"""Drawn rounds as the desk shows them, with the certificate in words."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from uuid import UUID

from engine.core.seats import DEFAULT_SEATS
from tournaments.access.rights import Right
from tournaments.api.rounds import RoundOut, SeatOut, proposal_out, rounds_out
from tournaments.core.language import translate
from tournaments.events.seating import DrawProposal
from tournaments.models import Round
from tournaments.movements import Certificate


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat of a table, or a place beside the tables, and whose it is."""

    seat: str
    entry: UUID
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class DrawnTable:
    number: int
    places: tuple[DrawnSeat, ...]
    id: UUID | None
    games: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round with its tables, and how good it is.

    ``is_best``: none is better of those that meet the conditions of its certificate;
    ``has_conditions``: whether there are any.
    """

    number: int
    tables: tuple[DrawnTable, ...]
    sit_outs: tuple[DrawnSeat, ...]
    says: tuple[str, ...]
    is_best: bool
    has_conditions: bool


def to_drawn_rounds(rows: Sequence[Round], names: Mapping[UUID, str]) -> list[DrawnRound]:
    """Rounds that were read with their tables, seats and sit-outs; ``names`` are by entry."""
    # The page says itself why a draw does not fit any more.
    found = rounds_out(rows, {Right.NAMES_READ}, outdated={})
    return [_round(round_out, names) for round_out in found]


def proposed_rounds(
    proposal: DrawProposal, rights: AbstractSet[Right], names: Mapping[UUID, str]
) -> list[DrawnRound]:
    """Rounds that nobody has decided on; ``names`` are by entry."""
    return [_round(one, names) for one in proposal_out(proposal, rights)]


def _round(round_out: RoundOut, names: Mapping[UUID, str]) -> DrawnRound:
    certificate = (
        Certificate.from_data(dict(round_out["certificate"])) if round_out["certificate"] else None
    )
    return DrawnRound(
        number=round_out["number"],
        tables=tuple(
            DrawnTable(
                number=table["number"],
                places=tuple(
                    _place(seat, sitter, names)
                    for seat, sitter in zip(
                        DEFAULT_SEATS[len(table["seats"])], table["seats"], strict=True
                    )
                ),
                id=table["id"],
                games=tuple(table["games"]),
            )
            for table in round_out["tables"]
        ),
        sit_outs=tuple(_place("", out, names) for out in round_out["sit_outs"]),
        says=tuple(map(translate, round_out["says"])),
        is_best=certificate is not None and certificate.is_best,
        has_conditions=certificate is not None and bool(certificate.conditions),
    )


def _place(seat: str, sitter: SeatOut, names: Mapping[UUID, str]) -> DrawnSeat:
    name = names.get(sitter["entry"], sitter["name"])
    return DrawnSeat(seat, sitter["entry"], sitter["number"], name)
