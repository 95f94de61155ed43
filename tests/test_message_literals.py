"""Every message can be translated: its template is a literal, and nothing is glued to it.

An f-string, ``+``, ``%``, ``format`` or a slice makes a plain text of a message, which then stays
English whoever reads it; and a template that is no literal is never collected for translation.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from engine.core.messages import Message, Sentence
from engine.rules.presets import PRESETS
from engine.rules.rule_sheet import sheet
from engine.verdicts.judge import Judge
from engine.verdicts.report import report_record

ROOT = Path(__file__).parents[1]
MODULES = sorted({*(ROOT / "engine").rglob("*.py")} - {ROOT / "engine/core/messages.py"})
SAMPLES = sorted(ROOT.rglob("*.phn"))
SLIPS = ((b"H2", b"H3"), (b"SA", b"S1"), (b'r "', b'r "?'), (b'"', b"'"), (b"\n\n", b"\n"))
"""What is written wrongly in the samples, so that more is said about them."""
FIELD = re.compile(r"\{(\w+)\}")
SAYS = frozenset(("message", "hint", "words", "title", "question", "proposal"))
"""What messages are called, as names and as attributes."""
CHANGES = frozenset(("format", "join", "capitalize", "upper", "lower", "replace", "strip"))
"""Methods of a text that give another text."""
PLAIN_ERRORS = frozenset(("ValueError", "LookupError", "KeyError", "IndexError"))
MAY_GLUE = {
    "engine/cli": "the command line draws lines of plain text",
    "engine/core/pictures.py": "a picture is drawn of plain text",
    "engine/rules/rule_sheet.py": "the sheet as a plain text is for programs that use the library",
    "engine/live/hand.py": "a hand at the prompt is drawn as plain text",
    "engine/replay/claims.py": "the name of a column is made of a word",
}
MAY_RAISE = {
    "engine/notation/canonical.py": "the writer is asked to write what is no hand",
    "engine/settlement/settlement.py": "facts that cannot be are a mistake of the program",
    "engine/live/hand.py": "undoing nothing and settling too early are mistakes of a program",
    "engine/analysis/costs.py": "costs before a suit is named are a mistake of a program",
    "engine/analysis/losses.py": "whoever asks for losses sees first whether all cards are known",
    "engine/live/choices.py": "choosing for nobody is a mistake of a program",
}


def findings_in(
    modules: Iterable[Path],
    find: Callable[[ast.AST], Iterator[str]],
    exempt: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """What is found in all modules but those exempt, each time with the place."""
    return [
        f"{module.relative_to(ROOT)}, {one}"
        for module in modules
        if not is_exempt(module, exempt)
        for one in find(ast.parse(module.read_text("utf-8")))
    ]


def calls_of(tree: ast.AST) -> Iterator[ast.Call]:
    """Where messages are made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in ("Message", "PluralMessage"):
            yield node


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def templates_of(call: ast.Call) -> list[str]:
    """The literals that a message is made of; those that are none are left out."""
    return [
        one.value
        for one in call.args
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def untranslatable(tree: ast.AST) -> Iterator[str]:
    """Messages without a literal template, or whose fields are not their arguments."""
    for call in calls_of(tree):
        wanted = 2 if name_of(call.func) == "PluralMessage" else 1
        templates = templates_of(call)
        arguments = {one.arg or "**" for one in call.keywords}
        if len(call.args) != wanted or len(templates) != wanted or "**" in arguments:
            yield f"line {call.lineno}: a template is no literal, or an argument has no name"
            continue
        fields = set().union(*(FIELD.findall(one) for one in templates))
        if wanted == 2:
            fields.add("count")
        plain = not arguments or not set("{}") & set(FIELD.sub("", "".join(templates)))
        if fields != arguments or not plain:
            yield f"line {call.lineno}: the fields are {sorted(fields)}, not {sorted(arguments)}"
        for one in call.keywords:
            if is_glued(one.value):
                yield f"line {call.lineno}: {one.arg} is put together of pieces of text"


def is_glued(node: ast.AST) -> bool:
    """Whether a text is put together of others; sums of numbers are not."""
    match node:
        case ast.JoinedStr(values=[ast.FormattedValue()]):
            return False  # a number or a day in a form of its own
        case ast.JoinedStr():
            return True
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return any(isinstance(one, ast.JoinedStr) or is_text(one) for one in (left, right))
        case ast.BinOp(op=ast.Mod(), left=left):
            return is_text(left)
        case ast.Call(func=ast.Attribute(attr="format")):
            return True
        case _:
            return False


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def flattened(tree: ast.AST) -> Iterator[str]:
    """Where a message is made a plain text."""
    for node in ast.walk(tree):
        match node:
            case ast.FormattedValue(value=value):
                found = value
            case ast.BinOp(op=ast.Add() | ast.Mod(), left=left, right=right):
                found = left if is_message(left) else right
            case ast.AugAssign(op=ast.Add(), target=target):
                found = target
            case ast.Subscript(value=value, slice=ast.Slice()):
                found = value
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGES:
                found = value
            case _:
                continue
        if is_message(found):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def is_message(node: ast.AST) -> bool:
    made = isinstance(node, ast.Call) and name_of(node.func) in ("Message", "PluralMessage")
    return made or name_of(node) in SAYS


def plain_errors(tree: ast.AST) -> Iterator[str]:
    """Errors of the language that are raised with a sentence; MessageError keeps its message."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.Call(func=kind, args=[_, *_])) if name_of(kind) in PLAIN_ERRORS:
                yield f"line {node.lineno}: {ast.unparse(node)}"
            case _:
                continue


def is_exempt(module: Path, reasons: Mapping[str, str]) -> bool:
    place = module.relative_to(ROOT)
    return any(place.is_relative_to(one) for one in reasons)


def test_a_template_is_a_literal_whose_fields_are_the_arguments() -> None:
    assert findings_in(MODULES, untranslatable) == []


def test_no_message_is_made_a_plain_text() -> None:
    assert findings_in(MODULES, flattened, MAY_GLUE) == []


def test_an_error_for_a_person_has_a_message() -> None:
    assert findings_in(MODULES, plain_errors, MAY_RAISE) == []


@pytest.mark.parametrize(
    "source",
    [
        'Message(f"{seat} passes")',
        'Message("{seat} passes")',
        'Message("{seat} passes", player=1)',
        'Message("{seat!r} passes", seat=1)',
        'Message("{seat:>9} passes", seat=1)',
        "Message(words)",
        'Message("{seat}", **arguments)',
        'PluralMessage("{count} chip", count=1)',
        'Message("{seat} passes", seat=f"seat {seat}")',
        'Message("{seat} passes", seat="seat " + seat)',
        'Message("{seat} passes", seat="seat %s" % seat)',
        'Message("{seat} passes", seat="seat {}".format(seat))',
    ],
)
def test_what_cannot_be_translated_is_found(source: str) -> None:
    assert list(untranslatable(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'f"{fault.message}!"',
        'message + "!"',
        '"! " + fault.hint',
        'words += "!"',
        "fault.message[:280]",
        "error.message.capitalize()",
        'Message("a revoke") + "!"',
        'Message("a revoke").lower()',
        '"%s" % message',
    ],
)
def test_what_makes_a_plain_text_of_a_message_is_found(source: str) -> None:
    assert list(flattened(ast.parse(source)))


def collected() -> frozenset[str]:
    """Every template that stands in the engine as a literal."""
    return frozenset(
        template
        for module in (*MODULES, ROOT / "engine/core/messages.py")
        for call in calls_of(ast.parse(module.read_text("utf-8")))
        for template in templates_of(call)
    )


def parts_of(message: Message) -> Iterator[Message]:
    """A message, and the messages that stand in its fields."""
    yield message
    for one in message.arguments.values():
        if isinstance(one, Message):
            yield from parts_of(one)


def said() -> Iterator[str]:
    """What the engine says about all samples, and about all rules."""
    for sample in SAMPLES:
        text = sample.read_bytes()
        for written in (text, *(text.replace(right, wrong) for right, wrong in SLIPS)):
            for record in Judge(written):
                for finding in record.findings:
                    yield from (finding.diagnostic.message, finding.diagnostic.hint)
                yield report_record(record)["sentence"]
    for rules in PRESETS.values():
        for line in sheet(rules):
            yield from line


def test_everything_that_is_said_can_be_translated() -> None:
    known = collected() | {"", Sentence(Message("a revoke")).template}
    sentences = dict.fromkeys(said())
    assert len(sentences) > 200
    plain = [one for one in sentences if not isinstance(one, Message) and one]
    assert plain == []
    lost = {
        part.template
        for one in sentences
        if isinstance(one, Message)
        for part in parts_of(one)
        if part.template not in known
    }
    assert lost == set()


def test_the_templates_give_the_english_sentence() -> None:
    for one in said():
        if isinstance(one, Message):
            assert one == one.in_language(str, lambda single, many, n: single if n == 1 else many)


SERVICES = sorted(
    {*(ROOT / "scoring").rglob("*.py"), *(ROOT / "tournaments").rglob("*.py")}
    - {ROOT / "tournaments/core/text_fields.py"}
)
FORWARDED = {
    "tournaments/standings/scoring.py": "a setting fills its value into these templates",
    "tournaments/standings/season.py": "a setting fills its value into these templates",
    "tournaments/standings/settings.py": "a setting fills its value into the template it was given",
    "tournaments/standings/order.py": "an ordinal takes the template of its ending",
    "tournaments/movements/certificate.py": "a bound takes the template of its conditions",
    "tournaments/audit.py": "what the trail has is a message that code has made",
    "scoring/web/desk/audit_fields.py": "a reason that the service gave, likewise",
    "tournaments/publishing/amendment_causes.py": "what the trail says was changed, likewise",
    "scoring/presentation/seat_names.py": "names take the place of seats in finished messages",
}
"""Modules that make a message of a template that another literal collects, and why."""
REFUSALS = frozenset(
    {
        *("RefusedError", "ConflictError", "GoneError", "StaleError", "TooOftenError"),
        *("NotAllowedError", "NotSignedInError", "GameOverError", "BarredError", "UnclearError"),
        *("SeatingError", "TableError", "CellFaultError", "RowError", "UrlError"),
        *("SignatureError", "CannotShareError", "TooManyRecordsError", "MessageError"),
    }
)
"""Errors whose first argument is told to a person."""


def plain_refusals(tree: ast.AST) -> Iterator[str]:
    """Where something is refused in words that cannot be translated."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef):
            continue
        plain = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and is_plain(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(scope):
            match node:
                case ast.Raise(exc=ast.Call(func=kind, args=[said, *_])) if name_of(
                    kind
                ) in REFUSALS and (
                    is_plain(said) or (isinstance(said, ast.Name) and said.id in plain)
                ):
                    yield f"line {node.lineno}: {ast.unparse(node)}"
                case _:
                    continue


def is_plain(node: ast.AST) -> bool:
    """Whether this is a text that is written out, put together or cut, and no message."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[made]):
            return "error.messages" not in ast.unparse(made)
        case ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in CHANGES
        case _:
            return is_text(node) or is_glued(node)


def test_a_template_of_a_service_is_a_literal_whose_fields_are_the_arguments() -> None:
    assert findings_in(SERVICES, untranslatable, FORWARDED) == []


def test_what_a_service_refuses_is_told_in_a_message() -> None:
    assert findings_in(SERVICES, plain_refusals) == []


@pytest.mark.parametrize(
    "source",
    [
        'raise RefusedError("No.", "why")',
        'raise RefusedError(f"{words}; nothing was changed", "file")',
        "raise RefusedError(str(error), 'url') from error",
        "raise RefusedError(words[:280])",
        'raise ConflictError(" ".join(words))',
        "raise RefusedError(error.message.capitalize())",
        'words = f"{n} of them"\n    raise RefusedError(words)',
    ],
)
def test_a_refusal_that_cannot_be_translated_is_found(source: str) -> None:
    assert list(plain_refusals(ast.parse(f"def refuse():\n    {source}")))
