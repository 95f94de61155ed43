"""Findings on a hand as sentences across the table, each with the tricks that show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.core.faults import Code
from engine.core.messages import Message
from engine.notation.diagnostics import NotationRule
from scoring.presentation.cards import CardFace, faces, suit_name
from scoring.presentation.checks import Finding, Judged, Trick
from scoring.presentation.ruling_names import title_of
from scoring.presentation.seat_names import name_people
from scoring.settlement.replay import KNOWN_TAGS
from scoring.web.engine_wording import sentence, show_card, with_cards_of


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card, who played it (empty for cards that are held), and whether it is spoken of."""

    face: CardFace
    player: str
    is_meant: bool


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick beside a finding, in the order of play."""

    title: str
    cards: list[ShownCard]


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding that waits for the director.

    ``title`` is short; ``sentence`` says what happened, by names; ``held`` are the cards that the
    player held then; ``advice`` says how the record is put right, where ``is_mistake``: it cannot
    be right as it stands.
    """

    title: str
    sentence: SafeString
    tricks: list[ShownTrick]
    player: str
    held: list[ShownCard]
    advice: str
    is_mistake: bool

    @property
    def plain(self) -> str:
        """The sentence as plain text, for words that the table will read."""
        return unescape(strip_tags(self.sentence))


def list_open_findings(record: Judged, names: Mapping[str, str]) -> list[OpenFinding]:
    """List what a director has to decide about a record, in its order; ``names`` are by seat."""
    return [
        _describe(found, record, names)
        for found in record["diagnostics"]
        if found["severity"] in ("error", "ruling")
        and not (found["rule"] == NotationRule.TAG_MISSING and found["tag"] in KNOWN_TAGS)
    ]


def _describe(found: Finding, record: Judged, names: Mapping[str, str]) -> OpenFinding:
    name = names.get(found["seat"] or "", "")
    trick = next((one for one in record["tricks"] if one["number"] == found["trick"]), None)
    card = next(iter(faces(found["card"])), None)
    title, tricks, held = title_of(found["name"] or ""), [], []
    message = found["message"]
    said = with_cards_of(found, sentence(name_people(message, names)))
    if name and not (isinstance(message, Message) and "seat" in message.arguments):
        said = format_html("{}: {}", name, said)
    if trick is not None and card is not None and name:
        is_revoke = found["name"] == Code.REVOKE.name
        later = _find_later_card(record, found["seat"], trick) if is_revoke else None
        said = _say_play(found, name, trick, (card, later)) or said
        if is_revoke:
            title = _("%(name)s did not follow suit") % {"name": name}
        tricks = [_show_trick(trick, names, card)]
        if later is not None:
            tricks.append(_show_trick(later[0], names, later[1]))
        held = _held_then(record, found, trick)
    elif found["name"] == Code.BAD_PAPER.name and found["severity"] == "error" and name:
        title = _("two papers of %(name)s") % {"name": name}
    elif found["name"] == Code.CAPTURE_COUNT.name and record["captures"]:
        counts = (f"{names[seat]} {one['pain']}" for seat, one in record["captures"].items())
        words = sentence(name_people(found["message"], names)).rstrip(".")
        said = format_html("{}: {}.", words, ", ".join(counts))
    return OpenFinding(
        title=title or _("something is open"),
        sentence=said,
        tricks=tricks,
        player=name,
        held=held,
        advice=sentence(found["hint"]),
        is_mistake=found["severity"] == "error",
    )


def _say_play(
    found: Finding,
    name: str,
    trick: Trick,
    cards: tuple[CardFace, tuple[Trick, CardFace] | None],
) -> SafeString | None:
    """Say how a card broke a rule; None where the engine's words have to do."""
    played, later = cards
    values = {"name": name, "n": trick["number"], "card": show_card(played)}
    if found["name"] == Code.REVOKE.name:
        values["suit"] = suit_name(trick["plays"][0]["card"][0])
        if later is not None:
            values |= {"later": later[0]["number"], "other": show_card(later[1])}
            words = _(
                "{name} showed no {suit} in trick {n}, and played the {other} in trick {later}."
            )
            return format_html(words, **values)
        values["held"] = format_html_join(
            " ", "{}", ((show_card(face),) for face in faces(found["legal"]))
        )
        return format_html(
            _("{name} showed no {suit} in trick {n}, but the {card}, and held {held}."), **values
        )
    words = {
        Code.FIRST_TRICK.name: _("{name} played the {card} in trick {n}, where it is not allowed."),
        Code.PAIN_LED.name: _("{name} led the {card} in trick {n}, before that suit was broken."),
    }.get(found["name"] or "", "")
    return format_html(words, **values) if words else None


def _find_later_card(
    record: Judged, seat: str | None, trick: Trick
) -> tuple[Trick, CardFace] | None:
    """Find the first later trick in which a seat played the suit that it did not follow."""
    suit = trick["plays"][0]["card"][0]
    for later in record["tricks"]:
        for play in later["plays"]:
            is_theirs = play["seat"] == seat and later["number"] > trick["number"]
            if is_theirs and play["card"][0] == suit:
                return later, CardFace(play["card"])
    return None


def _show_trick(trick: Trick, names: Mapping[str, str], meant: CardFace) -> ShownTrick:
    leader = names.get(trick["leader"], "")
    suit = suit_name(trick["plays"][0]["card"][0])
    title = _("Trick %(n)d, %(suit)s led by %(name)s")
    return ShownTrick(
        title % {"n": trick["number"], "suit": suit, "name": leader},
        [
            ShownCard(face, names.get(play["seat"], ""), face == meant)
            for play in trick["plays"]
            for face in faces(play["card"])
        ],
    )


def _held_then(record: Judged, found: Finding, trick: Trick) -> list[ShownCard]:
    """Return the cards that a seat held before a trick; those that were legal are meant."""
    seat, held = found["seat"], record["held"] or record["deal"] or {}
    gone = {
        play["card"]
        for one in record["tricks"]
        for play in one["plays"]
        if one["number"] < trick["number"] and play["seat"] == seat
    }
    legal = {face.code for face in faces(found["legal"])}
    return [
        ShownCard(face, "", face.code in legal)
        for face in faces(held.get(seat or ""))
        if face.code not in gone
    ]
