"""Secret papers: sealed by each seat, opened when all have sealed, shown when all are open."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from scoring.api import forms
from scoring.api.places import GameDoor, game_of
from scoring.hands import papers
from scoring.hands.papers import PublicPaper, Which
from scoring.models import Game, PaperKind
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import OneOf, Text, Whole, form

KIND = OneOf(of=tuple(PaperKind.values))
NUMBER = Whole(least=1, most=100_000)
SEALING = form(
    hand=NUMBER,
    seat=forms.SEAT,
    kind=KIND,
    seal=Text(most=64, least=64, words="SHA-256 of the salt, a colon and the value, in hex."),
)
OPENING = form(
    hand=NUMBER, seat=forms.SEAT, kind=KIND, value=Text(most=40), salt=Text(most=64, raw=True)
)
REVEALING = form(hand=NUMBER, kind=KIND, why=forms.WHY)
OF_HAND = form(hand=NUMBER)


class PaperOut(TypedDict):
    """A paper as everybody may see it; ``value`` and ``salt`` are null until all are open."""

    seat: str
    kind: str
    seal: str
    sealed_at: datetime
    is_open: bool
    value: str | None
    salt: str | None


class Papers(TypedDict):
    """The papers of a hand."""

    papers: list[PaperOut]


class OpenedPapers(TypedDict):
    """What came of opening a paper: whether it fits its seal, and what may be seen now."""

    fits: bool
    papers: list[PaperOut]


class PaperDoor(GameDoor):
    """The secret papers of a game."""

    @read(Right.CLUB_READ, gives=Papers, query=OF_HAND)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """List who has sealed a paper for a hand; values only once all are open."""
        game = game_of(ask)
        return Answer(_out(papers.papers_of(game, ask.query["hand"]), game))

    @write(Right.HANDS_ENTER, takes=SEALING, gives=Papers, status=201)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Seal a paper for the next hand; a seal cannot be replaced."""
        game = game_of(ask)
        seal = ask.values["seal"]
        found = papers.seal_paper(
            game_id=game_id, which=_which(ask, game), seal=seal, by=ask.by, at=ask.at
        )
        return Answer(_out(found, game))


class PaperOpening(GameDoor):
    """A paper opened."""

    @write(Right.HANDS_ENTER, takes=OPENING, gives=OpenedPapers)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Open a sealed paper, once every seat has sealed its own.

        What does not fit the seal opens nothing: ``fits`` is false then, and the trail notes it.
        """
        game = game_of(ask)
        written = (ask.values["value"], ask.values["salt"])
        opened = papers.open_paper(
            game_id=game_id, which=_which(ask, game), written=written, by=ask.by, at=ask.at
        )
        return Answer({"fits": opened.fits, **_out(opened.shown, game)})


class Revealing(GameDoor):
    """Papers that nobody waits for any longer."""

    @write(Right.HANDS_RULE, takes=REVEALING, gives=Papers)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Reveal what is open; papers that are not count as missing, for good."""
        kind = PaperKind(ask.values["kind"])
        which = Which(hand=ask.values["hand"], seat=0, kind=kind)
        found = papers.reveal_papers(
            game_id=game_id, which=which, why=ask.values["why"], by=ask.by, at=ask.at
        )
        return Answer(_out(found, game_of(ask)))


def _which(ask: Ask, game: Game) -> Which:
    return Which(
        hand=ask.values["hand"],
        seat=forms.seat_named(ask.values["seat"], game, "seat"),
        kind=PaperKind(ask.values["kind"]),
    )


def _out(found: Iterable[PublicPaper], game: Game) -> Papers:
    seats = seats_of(game)
    return {
        "papers": [
            {
                "seat": seats[one.seat],
                "kind": str(one.kind),
                "seal": one.seal,
                "sealed_at": one.sealed_at,
                "is_open": one.is_open,
                "value": one.value,
                "salt": one.salt,
            }
            for one in found
        ]
    }
