"""Questions about a file to import, as a page asks them: each with its answers and reasons.

They come from three sources: options that somebody has to choose, what the file leaves open, and
names that are like those of members. All are answered on one page, and kept in the draft.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.imports import (
    MEMBERS_KNOWN,
    QUESTIONS,
    SOMEBODY_NEW,
    ImportOption,
    ImportPlan,
)
from tournaments.models import Club

LATER: Final = "later"
"""The answer that leaves out the rows of a name until somebody knows who it is."""
_EXPLAINED_MAX: Final = 4
"""How many answers of one question are tried out to say what comes of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as a page offers it, and the reason for or against it."""

    value: str
    words: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question on the page; ``chosen`` is the value of the answer that is ticked.

    ``name`` is that of the input; a question without ``answers`` takes text. ``examples`` are
    cells of the file. ``person``: the name that it is about. ``can_wait``: the rest of the file
    can be imported without an answer.
    """

    name: str
    text: str
    answers: Sequence[Answer] = ()
    chosen: str = ""
    examples: Sequence[str] = ()
    about: str = ""
    person: str = ""
    can_wait: bool = False


SimilarPeople = Sequence[tuple[str, Sequence[Mapping[str, Any]]]]
"""Names in a file, each with the members (their names and numbers) that it may mean."""


def ask_option(option: ImportOption, club: Club, about: str = "") -> AskedQuestion:
    """Ask for an option of an import, such as the league in which its nights count."""
    answers = [Answer(value=value, words=translate(words)) for value, words in option.choices(club)]
    return AskedQuestion(
        name=option.key,
        text=translate(option.label),
        answers=[] if option.is_text else answers,
        about=about or translate(option.help),
    )


def ask_about_file(outcome: Mapping[str, Any]) -> Iterator[AskedQuestion]:
    """Ask what a plan (as plain data) found open in the file."""
    for key in outcome.get("questions", []):
        question, details = QUESTIONS[key], outcome.get("details", {}).get(key, {})
        previews = details.get("previews", {})
        yield AskedQuestion(
            name=key,
            text=translate(question.text),
            answers=[
                Answer(
                    value=value,
                    words=translate(question.choices[value]),
                    reason=previews.get(value, ""),
                )
                for value in details.get("answers") or question.choices
            ],
            examples=details.get("examples", []),
        )


def ask_about_people(similar: SimilarPeople) -> Iterator[AskedQuestion]:
    """Ask about names that are like those of members."""
    for number, (name, members) in enumerate(similar, 1):
        text = _("Who is %(name)s?") % {"name": name}
        if len(members) == 1:
            told = {"name": name, "member": members[0]["name"]}
            text = _("Is %(name)s your %(member)s?") % told
        same = [
            Answer(
                value=str(member["number"]),
                words=_("Yes, the same person")
                if len(members) == 1
                else _("It is %(member)s") % {"member": member["name"]},
                reason=_("number %(number)s of the club; the name stays %(member)s")
                % {"number": member["number"], "member": member["name"]},
            )
            for member in members
        ]
        yield AskedQuestion(
            name=f"who-{number}",
            text=text,
            answers=[
                *same,
                Answer(
                    value=SOMEBODY_NEW,
                    words=_("No, somebody new"),
                    reason=_("there will be two people; you can merge them later"),
                ),
                Answer(
                    value=LATER,
                    words=_("I do not know yet"),
                    reason=_("rows and hands with this name are left out"),
                ),
            ],
            person=name,
            can_wait=True,
        )


def ask_about_members() -> AskedQuestion:
    """Ask what becomes of members of whom the table says something else."""
    return AskedQuestion(
        name="known",
        text=_("The table says other things of members than you have. What is right?"),
        answers=[
            Answer(value=value, words=translate(words)) for value, words in MEMBERS_KNOWN.items()
        ],
        chosen=next(iter(MEMBERS_KNOWN)),
    )


def explain_answers(
    question: AskedQuestion, plan_with: Callable[[Mapping[str, str]], ImportPlan]
) -> AskedQuestion:
    """Return the question with what each answer does to the totals and places in the file.

    ``plan_with`` plans the import with an answer; it may raise RefusedError. The only answer with
    which all of them agree is ticked. A question stays as it is where its answers do not matter
    for them, or there are many.
    """
    if question.person or not 1 < len(question.answers) <= _EXPLAINED_MAX:
        return question
    try:
        plans = {
            answer.value: plan_with({question.name: answer.value}) for answer in question.answers
        }
    except RefusedError:
        return question  # its answer decides whether the file can be read at all
    counts = {value: len(plan.differences) for value, plan in plans.items()}
    if any(plan.questions for plan in plans.values()) or not any(counts.values()):
        return question
    answers = [
        replace(answer, reason=_describe_differences(plans[answer.value]))
        for answer in question.answers
    ]
    fitting = [value for value, count in counts.items() if not count]
    chosen = question.chosen or (fitting[0] if len(fitting) == 1 else "")
    return replace(question, answers=answers, chosen=chosen)


def _describe_differences(plan: ImportPlan) -> str:
    """Say whether the totals in the file fit, and if not, the first that does not."""
    if not plan.differences:
        return _("fits all totals and places in your file")
    first, count = min(plan.differences), len(plan.differences)
    names = {row.line: row.subject for row in plan.rows}
    sentence = ngettext(
        "%(count)s total or place differs from your file: %(name)s, %(first)s",
        "%(count)s totals or places differ from your file, first %(name)s: %(first)s",
        count,
    )
    told = {"count": count, "name": names.get(first.row, ""), "first": translate(first.words)}
    return sentence % told
