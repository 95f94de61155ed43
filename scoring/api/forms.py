"""The request bodies of games and hands."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import SUIT_OF_LETTER
from engine.record.irregularities import Named
from engine.rulings import Decision, NextHand, Ruling
from engine.seats import Seat
from scoring.hands.rulings import Incident, code_named
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import AppealStep, Finding, Game
from scoring.models import Form as SentAs
from scoring.presentation.answers import seats_of
from scoring.settlement.changes import Decree
from scoring.settlement.consequences import Policy
from tournaments.api.fields import (
    Field,
    Flag,
    Form,
    Identifier,
    ListOf,
    Mapped,
    OneOf,
    Text,
    Whole,
    form,
    refuse,
)
from tournaments.api.problems import ProblemError
from tournaments.api.schema import Schema
from tournaments.core.errors import RefusedError


@dataclass(frozen=True, kw_only=True)
class Slip(Field):
    """An object that is read by those who know what it means (docs/use/sending-hands.md)."""

    def _read(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise refuse("TYPE", key, "must be an object.")
        if len(json.dumps(value)) > TEXT_BYTES_MAX:
            raise refuse("VALUE", key, "is too long.")
        for name, one in value.items():
            try:
                json.dumps({name: one}, ensure_ascii=False).encode()
            except UnicodeEncodeError as error:
                words = "holds half a surrogate pair."
                raise refuse("ENCODING", f"{key}.{name[:60]}", words) from error
        return value

    @property
    def _schema(self) -> Schema:
        return {"type": "object", "additionalProperties": True}


WHY = Text(most=1000, lines=True, words="The reason, which stays on record.")
SEAT = Text(most=2, words="The name of a seat: N, E, S, W, and so on.")
POLICY = OneOf(
    of=tuple(str(policy) for policy in Policy),
    required=False,
    words="What happens to the hands after: judged anew, or let stand as they were played.",
)
RECORD = {
    "text": Text(most=TEXT_BYTES_MAX, lines=True, raw=True, required=False, words="PHN or PBN."),
    "actions": Slip(required=False, words="The moves as they were made."),
    "result": Slip(required=False, words="Only what came out."),
}
OPENING = form(
    name=Text(most=200),
    rule_set=Identifier(),
    players=ListOf(of=Identifier(), least=3, most=6, words="By seat, clockwise."),
    dealer=Whole(required=False, most=5, words="The place of the first dealer, from 0."),
    id=Identifier(required=False),
)
GAME = form(name=Text(most=200), rule_set=Identifier())
SUBSTITUTE = form(
    seat=SEAT,
    player=Identifier(),
    first=Whole(least=1, most=100_000, words="The hand from which he plays."),
    why=Text(most=1000, lines=True, required=False, words="Needed where hands were played."),
)
HAND = Form(fields={"id": Identifier(), "number": Whole(least=1, most=100_000), **RECORD})
CORRECTION = Form(fields={**RECORD, "why": WHY, "policy": POLICY})
UNDOING = form(why=WHY)
WORD = form(version=Whole(least=1, most=100_000, words="The version that was seen."))
OBJECTION = Form(fields={**WORD.fields, "why": WHY})
CHOICE = form(keep=Flag(words="Keep the first record, or take this one."), why=WHY, policy=POLICY)
_AMOUNTS = Mapped(of=Whole(least=-(10**9), most=10**9), most=6, required=False)
THEN = Form(
    required=False,
    fields={
        "dealer": Text(most=2, required=False),
        "jackpot": Whole(required=False, most=1000),
        "namer": Text(most=2, required=False),
        "pain": OneOf(of=tuple(SUIT_OF_LETTER), required=False, words="That of the jackpot."),
        "deals": Whole(required=False, most=100_000),
        "feet": ListOf(of=SEAT, most=6, required=False),
        "play_on": Flag(required=False),
    },
    words="What the next hand inherits, where it is not what follows.",
)
RULING = Form(
    fields={
        "decision": OneOf(of=tuple(str(decision) for decision in Decision), required=False),
        "code": Text(most=30, required=False, words="The irregularity, by name or id."),
        "offenders": ListOf(of=SEAT, most=6, required=False),
        "taken": _AMOUNTS,
        "queen": Text(most=2, required=False),
        "score": _AMOUNTS,
        "chips": _AMOUNTS,
        "pot": Whole(least=-(10**9), most=10**9, required=False),
        "then": THEN,
        "facts": Text(most=2000, lines=True, required=False),
        "law": Text(most=300, required=False),
        "trick": Whole(least=1, most=17, required=False),
        "card": Text(most=2, required=False),
        "called_by": Text(most=2, required=False),
        "found": OneOf(of=tuple(Finding.values), required=False),
        "told_to": ListOf(of=Text(most=100), most=20, required=False),
        "supersedes": Identifier(required=False, words="The ruling that this one replaces."),
        "policy": POLICY,
    }
)
INCIDENT = form(
    code=Text(most=30, required=False, words="What happened, where the record does not show it."),
    offenders=Text(most=30, required=False, words="Seats, with commas between them."),
    found=OneOf(of=tuple(Finding.values), required=False),
)
APPEAL = form(
    step=OneOf(of=tuple(AppealStep.values)), text=Text(most=2000, lines=True, required=False)
)


@dataclass(frozen=True, slots=True)
class Told:
    """A hand in one of the three forms, as it came."""

    form: SentAs
    text: bytes = b""
    sent: bytes | None = None


def told_in(values: Mapping[str, Any]) -> Told:
    """What was sent of a hand. Raises ProblemError unless it is in exactly one form."""
    given = [name for name in RECORD if name in values]
    if len(given) != 1:
        words = "One of text, actions and result is needed."
        raise ProblemError("UNPROCESSABLE", words, where={"key": given[1] if given else "text"})
    (name,) = given
    if name == "text":
        return Told(SentAs.RECORD, text=str(values["text"]).encode())
    sent = json.dumps(values[name], sort_keys=True, separators=(",", ":")).encode()
    return Told(SentAs(name), sent=sent)


def seat_named(name: str, game: Game, key: str) -> Seat:
    """The place of a seat. Raises ProblemError."""
    seats = seats_of(game)
    if name.upper() not in seats:
        words = f"{name[:20]!r} is no seat of this table; the seats are {' '.join(seats)}."
        raise ProblemError("UNPROCESSABLE", words, where={"key": key})
    return Seat(seats.index(name.upper()))


def decree_of(values: Mapping[str, Any], game: Game) -> Decree:
    """A ruling as it was sent. Raises ProblemError."""
    ruling = _ruling(values, game) if "decision" in values else None
    called_by = values.get("called_by")
    return Decree(
        ruling=ruling,
        facts=values.get("facts", ""),
        law=values.get("law", ""),
        trick=values.get("trick"),
        card=values.get("card", ""),
        called_by=None if called_by is None else seat_named(called_by, game, "called_by"),
        found=values.get("found", ""),
        told_to=values.get("told_to", ()),
        supersedes=values.get("supersedes"),
        policy=policy_of(values),
    )


def incident_of(values: Mapping[str, Any], game: Game) -> Incident | None:
    """What the address says that happened, if it does. Raises ProblemError."""
    what = _code(values)
    if what is None:
        return None
    names = [name.strip() for name in values.get("offenders", "").split(",") if name.strip()]
    offenders = tuple(seat_named(name, game, "offenders") for name in names)
    return Incident(what, offenders, values.get("found") == Finding.BEFORE_ESTABLISHED)


def policy_of(values: Mapping[str, Any]) -> Policy:
    """What is to happen to later hands."""
    return Policy(values.get("policy", Policy.RESETTLE))


def _ruling(values: Mapping[str, Any], game: Game) -> Ruling:
    return Ruling(
        decision=Decision(values["decision"]),
        code=_code(values),
        offenders=tuple(
            seat_named(name, game, "offenders") for name in values.get("offenders", ())
        ),
        taken=_by_seat(values, "taken", game),
        queen=seat_named(values["queen"], game, "queen") if "queen" in values else None,
        score=_by_seat(values, "score", game),
        chips=_by_seat(values, "chips", game),
        pot=values.get("pot", 0),
        then=_then(values.get("then", {}), game),
        text=values.get("facts", "")[:300],
    )


def _code(values: Mapping[str, Any]) -> Named | None:
    if "code" not in values:
        return None
    try:
        return code_named(values["code"])
    except RefusedError as error:
        raise refuse("UNPROCESSABLE", "code", str(error)) from error


def _by_seat(values: Mapping[str, Any], key: str, game: Game) -> tuple[int, ...]:
    """One number for each seat; a seat that is left out has none."""
    if key not in values:
        return ()
    found = [0] * game.players
    for name, amount in values[key].items():
        found[seat_named(name, game, key)] = amount
    return tuple(found)


def _then(values: Mapping[str, Any], game: Game) -> NextHand:
    found = dict(values)
    for name in ("dealer", "namer"):
        if name in found:
            found[name] = seat_named(found[name], game, f"then.{name}")
    if "feet" in found:
        found["feet"] = frozenset(seat_named(one, game, "then.feet") for one in found["feet"])
    if "pain" in found:
        found["pain"] = SUIT_OF_LETTER[found["pain"]]
    return NextHand(**found)
