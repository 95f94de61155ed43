"""The values of tags: seats, players, rules and single facts (notation.md 3.3)."""

from collections.abc import Callable, Sequence
from typing import Final

from ..core.cards import EMPTY, RANKS, CardSet, capitalise
from ..core.faults import Severity
from ..core.messages import NO_MESSAGE, Message, MessageError
from ..core.player_names import name_key
from ..core.seats import COMPASS, DEFAULT_SEATS, Seat, is_clockwise, pass_places
from ..record.record import Claim, Detail, Ending
from ..rules.presets import VARIANTS, rules_of_variant
from ..rules.rules import Rules, RulesError
from ..rules.switches import SettledBy, Toggle
from .diagnostics import NotationRule, Spot, did_you_mean
from .document import Tag
from .names import KNOWN_TAGS, PLAYERS
from .sections import listed_seats
from .sheet import NOTHING, DocumentReader, hint_of_east
from .values import (
    WordError,
    make_word_error,
    read_date,
    read_int,
)

_MAJOR: Final = "1"
_KEPT_MAX: Final = 512
_rules: dict[tuple[str, str], Rules] = {}


def read_seats(sheet: DocumentReader) -> tuple[str, ...]:
    """The seats of the table, from the Seats tag or from what else is written."""
    value = sheet.value("Seats").upper().replace(";", " ").replace(",", " ").split()
    if not value:
        return _guess_seats(sheet)
    seats = tuple(value)
    spot = sheet.tags["Seats"].value_spot
    unknown = [name for name in seats if name not in COMPASS]
    if unknown:
        error = make_word_error(
            NotationRule.SEAT,
            unknown[0],
            Message("a seat"),
            hint_of_east(unknown[0], COMPASS) or did_you_mean(unknown[0], COMPASS),
        )
        sheet.report_word_error(spot, error, unknown[0])
        return _guess_seats(sheet)
    if not is_clockwise(seats) and len(set(seats)) == len(seats):
        ordered = tuple(name for name in COMPASS if name in seats)
        message = Message("the seats are not written clockwise")
        hint = Message("write {text}", text=" ".join(ordered))
        sheet.report.add(NotationRule.SEAT, spot, message, hint=hint)
        return ordered
    if len(set(seats)) != len(seats):
        sheet.report.add(NotationRule.SEAT, spot, Message("a seat is written twice"))
        seats = tuple(dict.fromkeys(seats))
    if not 3 <= len(seats) <= 6:
        message = Message("{count} players; 3 to 6 can play", count=len(seats))
        sheet.report.add(NotationRule.PLAYERS, spot, message)
    return seats


def _guess_seats(sheet: DocumentReader) -> tuple[str, ...]:
    named = listed_seats(sheet.tags)
    return named if len(named) in DEFAULT_SEATS else DEFAULT_SEATS[4]


def read_names(sheet: DocumentReader) -> tuple[str, ...]:
    """The names of the players, by seat; nothing when none is written."""
    names = tuple(sheet.value(PLAYERS[seat]) for seat in sheet.seats)
    for seat in sheet.seats:
        check_name(sheet, PLAYERS[seat])
    for seat, before in seated_twice(sheet.seats, names):
        name = sheet.value(PLAYERS[seat])
        spot = sheet.tags[PLAYERS[seat]].value_spot
        message = Message(
            "{name} sits at {before} and at {seat}", name=name, before=before, seat=seat
        )
        hint = Message("write who sat there; give two players of one name different names")
        sheet.report.add(NotationRule.SEAT, spot, message, hint=hint, severity=Severity.WARNING)
    return names if any(names) else ()


def seated_twice(seats: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """The seats whose player sits at another one already, each with the first of them.

    >>> seated_twice("NESW", ("Adams, Nora", "Baker, Ed", "adams, nora", ""))
    [('S', 'N')]
    """
    first: dict[str, str] = {}
    twice = []
    for seat, name in zip(seats, names, strict=True):
        player = name_key(name)
        if player not in NOTHING and first.setdefault(player, seat) != seat:
            twice.append((seat, first[player]))
    return twice


def check_name(sheet: DocumentReader, tag: str) -> None:
    """Report a name that is not "Last, First"."""
    for name in sheet.value(tag).split(";"):
        if name.strip() and ", " not in name.strip():
            *given, family = name.split()
            hint = NO_MESSAGE
            if given:
                hint = Message('"{family}, {given}"?', family=family, given=" ".join(given))
            spot = sheet.tags[tag].value_spot
            message = Message('{name} is not "Last, First"', name=repr(name))
            sheet.report.add(NotationRule.NAME, spot, message, hint=hint)


def read_rules(sheet: DocumentReader) -> Rules | None:
    """The rules that the record was played by."""
    variant = sheet.value("Variant").strip().lower()
    written = sheet.value("Rules").strip()
    rules = _rules.get((variant, written))
    if rules is None:
        rules = _read_rules(sheet, variant, written)
        if rules is not None:
            if len(_rules) >= _KEPT_MAX:
                _rules.clear()
            _rules[variant, written] = rules
    if rules is not None and sheet.seats:
        _check_players(sheet, rules)
    return rules


def _check_players(sheet: DocumentReader, rules: Rules) -> None:
    least, most = rules.players
    if not least <= len(sheet.seats) <= most:
        tag = sheet.tags.get("Seats") or sheet.tags.get("Variant") or sheet.tags["Rules"]
        message = Message(
            "{count} players; these rules are for {players}",
            count=len(sheet.seats),
            players=rules.players.in_words(),
        )
        sheet.report.add(NotationRule.PLAYERS, tag.value_spot, message)


def _read_rules(sheet: DocumentReader, variant: str, written: str) -> Rules | None:
    profile, _, rest = written.partition(";")
    name, _, major = profile.strip().partition("/")
    if name and variant and name != variant:
        message = Message("Variant says {variant}, Rules says {other}", variant=variant, other=name)
        sheet.report.add(NotationRule.VARIANT, sheet.tags["Rules"].value_spot, message)
        return None
    tag = sheet.tags.get("Variant") if variant else sheet.tags.get("Rules")
    if tag is None or not (variant or name):
        return None
    if major not in ("", _MAJOR):
        message = Message(
            "version {version} of the rules {name} is not known", version=major, name=name
        )
        hint = Message("read the file with a newer program")
        sheet.report.add(NotationRule.VARIANT, sheet.tags["Rules"].value_spot, message, hint=hint)
        return None
    if (variant or name) not in VARIANTS:
        _unknown_variant(sheet, tag, variant or name)
        return None
    return _overridden(sheet, variant or name, rest)


def _unknown_variant(sheet: DocumentReader, tag: Tag, variant: str) -> None:
    private = variant.startswith("x-")
    if private:
        message = Message("{variant} is a private variant", variant=repr(variant))
        hint = Message("say which rules hold")
    else:
        message = Message("{variant} is no variant", variant=repr(variant))
        names = ", ".join(name for name in VARIANTS if name[:2] != "x-")
        known = Message("known are {variants}", variants=names)
        hint = did_you_mean(variant, VARIANTS) or known
    severity = Severity.WARNING if private else None
    sheet.report.add(NotationRule.VARIANT, tag.value_spot, message, hint=hint, severity=severity)


def _overridden(sheet: DocumentReader, variant: str, rest: str) -> Rules | None:
    overrides: dict[str, str] = {}
    for pair in rest.split(";"):
        key, equals, value = pair.partition("=")
        if equals:
            overrides[key.strip()] = value.strip()
        elif pair.strip():
            error = make_word_error(
                NotationRule.VARIANT,
                pair.strip(),
                Message("a house rule"),
                Message("write name=value"),
            )
            sheet.report_word_error(_part_spot(sheet.tags["Rules"], pair.strip()), error, pair)
            return None
    try:
        return rules_of_variant(variant, overrides)
    except RulesError as error:
        hyphened = error.switch.replace("_", "-")
        tag = sheet.tags.get("Rules") or sheet.tags["Variant"]
        part = next((key for key in overrides if key.replace("_", "-") == hyphened), "")
        words = Message("{switch}: {message}", switch=error.switch, message=error.message)
        sheet.report.add(NotationRule.VARIANT, _part_spot(tag, part), words)
        return None


def _part_spot(tag: Tag, part: str) -> Spot:
    at = tag.value.find(part) if part else -1
    spot = tag.value_spot
    return spot if at < 0 else Spot(spot.line, spot.col + at, spot.col + at + len(part), spot.tag)


def read_deal(sheet: DocumentReader) -> tuple[CardSet, ...] | None:
    """The holdings by seat from PBN's Deal tag."""
    tag = sheet.tags.get("Deal")
    if tag is None or tag.value.strip() in NOTHING:
        return None
    first, _, rest = tag.value.partition(":")
    hands = rest.split()
    if len(sheet.seats) != 4 or len(hands) != 4:
        message = Message(
            "Deal holds {hands} hands for {seats} seats", hands=len(hands), seats=len(sheet.seats)
        )
        hint = Message("Deal is for four players; others write a DealTable")
        sheet.report.add(NotationRule.VALUE, tag.value_spot, message, hint=hint)
        return None
    try:
        seat = sheet.seat(first.strip())
        found = [_hand(sheet, tag, hand) for hand in hands]
    except WordError as error:
        sheet.report_word_error(tag.value_spot, error, tag.value)
        return None
    return tuple(found[(place - seat) % 4] for place in range(4))


def _hand(sheet: DocumentReader, tag: Tag, hand: str) -> CardSet:
    spot = _part_spot(tag, hand)
    if hand == "-":
        return EMPTY
    suits = capitalise(hand).split(".")
    if len(suits) != 4:
        error = make_word_error(
            NotationRule.CARD,
            hand,
            Message("a hand of four suits"),
            Message("write spades.hearts.diamonds.clubs"),
        )
        sheet.report_word_error(spot, error, hand)
        return EMPTY
    total = EMPTY
    for letter, ranks in zip("SHDC", suits, strict=True):
        total = CardSet(total | _holding(sheet, letter, ranks, spot))
    return total


def _holding(sheet: DocumentReader, letter: str, ranks: str, spot: Spot) -> CardSet:
    odd = next((rank for rank in ranks if rank not in RANKS), None)
    if odd is not None:
        error = make_word_error(
            NotationRule.CARD,
            odd,
            Message("a rank (in {cards})", cards=letter + ranks),
            Message("the ranks are {ranks}", ranks=RANKS),
        )
        sheet.report_word_error(spot, error, ranks)
        return EMPTY
    return sheet.cards(letter + ranks, spot) if ranks else EMPTY


def read_claim(sheet: DocumentReader) -> Claim | None:
    """Read the claim: who, after how many tricks."""

    def read(text: str) -> Claim:
        words = text.split()
        if len(words) != 2:
            raise make_word_error(
                NotationRule.VALUE,
                text,
                Message("a claim"),
                Message('write seat and tricks, such as "S 9"'),
            )
        return Claim(sheet.seat(words[0]), read_int(words[1]))

    return sheet.read("Claim", read)


def read_direction(sheet: DocumentReader) -> str | None:
    """The passing direction."""

    def read(text: str) -> str:
        try:
            pass_places(text.lower(), len(sheet.seats))
        except MessageError as error:
            raise WordError(
                NotationRule.VALUE, error.message, did_you_mean(text, _DIRECTIONS)
            ) from None
        return text.lower()

    return sheet.read("Pass", read)


_DIRECTIONS: Final = ("left", "right", "across", "hold")


def read_ending(sheet: DocumentReader) -> Ending | None:
    """Read the end of the hand."""

    def read(text: str) -> Ending:
        try:
            return Ending(text.lower())
        except ValueError:
            hint = did_you_mean(text, list(Ending))
            raise make_word_error(
                NotationRule.TERMINATION, text, Message("a Termination"), hint
            ) from None

    return sheet.read("Termination", read)


def read_detail(sheet: DocumentReader) -> Detail | None:
    """The level of detail that the record claims."""

    def read(text: str) -> Detail:
        try:
            return Detail(text.lower())
        except ValueError:
            hint = did_you_mean(text, list(Detail)) or Message("use full, play, score or game")
            raise make_word_error(
                NotationRule.VALUE, text, Message("a level of detail"), hint
            ) from None

    return sheet.read("Detail", read)


def read_number(sheet: DocumentReader) -> int | None:
    """The number of the hand."""

    def read(text: str) -> int:
        digits = text.removeprefix("+")
        fine = digits.isascii() and digits.isdigit() and len(digits) <= 9
        if not fine or int(digits) < 1:
            raise make_word_error(NotationRule.BOARD, text, Message("a hand number"))
        return int(text)

    return sheet.read("Board", read)


def read_declarer(sheet: DocumentReader) -> Seat | None:
    """Read the seat that names the pain suit; a mark of PBN before the seat is dropped."""
    return sheet.read("Declarer", lambda text: sheet.seat(text.removeprefix("^")))


def read_count(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from some least one."""

    def read(text: str) -> int:
        number = read_int(text)
        if number < least:
            raise make_word_error(
                NotationRule.NUMBER, text, Message("a number from {least}", least=least)
            )
        return number

    return read


def check_scoring(sheet: DocumentReader, rules: Rules | None) -> None:
    """Report a Scoring tag that is not that of the rules."""
    written = sheet.value("Scoring").strip()
    if rules is None or written in NOTHING or written == scoring_of(rules):
        return
    message = Message(
        "Scoring says {written}; these rules score {right}",
        written=written,
        right=scoring_of(rules),
    )
    spot = sheet.tags["Scoring"].value_spot
    hint = Message("write {right}, or name other rules", right=scoring_of(rules))
    sheet.report.add(NotationRule.VALUE, spot, message, hint=hint, severity=Severity.WARNING)


def scoring_of(rules: Rules) -> str:
    """The Scoring tag: the parts of which the score is made."""
    if rules.settlement is SettledBy.POT:
        return "Chips;Pot"
    if rules.settlement is SettledBy.AVERAGE:
        return "Points;AverageSettlement"
    parts = ["Points"]
    if rules.insurance is Toggle.ON:
        parts.append("Insurance")
    if rules.centre_auction is Toggle.ON:
        parts.append("CentreAuction")
    if rules.prize.value == "winner_takes_all":
        parts.append("WinnerTakesAll")
    return ";".join(parts)


def check_other_tags(sheet: DocumentReader) -> None:
    """Check the tags that a hand record has no field for."""
    for name in ("Date", "UTCDate"):
        sheet.read(name, read_date)
    sheet.read("HandId", _read_uuid)
    sheet.read("Currency", _read_currency)
    for name in ("Vulnerable", "Contract", "Result"):
        if sheet.value(name).strip() not in NOTHING:
            message = Message(
                "{tag} belongs to bridge; in a hand of Hearts it is not used", tag=name
            )
            hint, spot = Message("leave it empty"), sheet.tags[name].value_spot
            severity = Severity.WARNING
            sheet.report.add(NotationRule.VALUE, spot, message, hint=hint, severity=severity)
    for tag in sheet.document.tags:
        if sheet.report.full:
            break
        if tag.name.startswith("X_"):
            message = Message("{tag} is private", tag=tag.name)
            sheet.report.add(NotationRule.PRIVATE_TAG, tag.spot, message)
        elif tag.name not in KNOWN_TAGS:
            hint = did_you_mean(tag.name, KNOWN_TAGS)
            severity = Severity.WARNING if hint else Severity.INFO
            message = Message("{tag} is no tag that this program knows; it is kept", tag=tag.name)
            sheet.report.add(
                NotationRule.VALUE,
                tag.spot,
                message,
                hint=hint or Message("begin private names with X_"),
                severity=severity,
            )


def _read_uuid(text: str) -> str:
    digits = text.replace("-", "").lower()
    if len(digits) != 32 or not set(digits) <= set("0123456789abcdef"):
        raise make_word_error(NotationRule.VALUE, text, Message("a UUID"))
    return text


def _read_currency(text: str) -> str:
    if not (len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()):
        raise make_word_error(
            NotationRule.VALUE,
            text,
            Message("a currency code"),
            Message("write three letters, such as EUR"),
        )
    return text
