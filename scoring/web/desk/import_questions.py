"""Questions about a file to import, as a page asks them: each with its answers and reasons.

They come from three sources: options that somebody has to choose, what the file leaves open, and
names that are like those of members. All are answered on one page, and kept in the draft.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Count, Max, Min
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import day as day_of
from tournaments.imports import (
    LEAVE_OUT,
    MEMBERS_KNOWN,
    QUESTIONS,
    SOMEBODY_NEW,
    DateOrder,
    DecimalMark,
    ImportOption,
    ImportPlan,
)
from tournaments.imports.planned_nights import NightsPlan
from tournaments.imports.season_nights import NEW_LEAGUE, NO_LEAGUE
from tournaments.models import Club, League, Player, PlayerKind

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


def ask_option(
    option: ImportOption, club: Club, plan: ImportPlan | None = None, about: str = ""
) -> AskedQuestion:
    """Ask for an option of an import, such as the league in which its nights count."""
    choices = [] if option.is_text else list(option.choices(club))
    nights = plan.value if plan is not None and isinstance(plan.value, NightsPlan) else None
    chosen, reasons = choices[0][0] if choices else "", dict[str, str]()
    if option.key == "league" and nights is not None:
        chosen, reasons = _explain_leagues(club, nights)
    elif option.key == "league":
        reasons = {chosen: _("the newest league")}
    elif option.key == "new":
        chosen, reasons = _explain_newcomers(nights)
        if nights is not None and nights.people:
            names = ", ".join(person.name for person in nights.people)
            about = about or _("New to the club: %(names)s") % {"names": names}
    elif option.key == "rule_set":
        reasons = {chosen: _("the points are those of the file, whatever you choose")}
    elif option.key == "year" and nights is not None:
        chosen = choices[0 if nights.nights else 1][0]
        reasons = {chosen: _("the last year in which all of these nights are past")}
    return AskedQuestion(
        name=option.key,
        text=translate(option.label),
        answers=[
            Answer(value=str(value), words=translate(words), reason=reasons.get(str(value), ""))
            for value, words in choices
        ],
        chosen=str(chosen),
        about=about or translate(option.help),
    )


def _explain_leagues(club: Club, nights: NightsPlan) -> tuple[str, dict[str, str]]:
    """Return the likely league of nights, and what speaks for each: the days of its own."""
    days = [night.starts_at for night in (*nights.nights, *nights.known_nights)]
    starts = "sessions__event__starts_at"
    leagues = League.objects.filter(club=club, closed_at=None, sessions__isnull=False)
    reasons, fitting = {NO_LEAGUE: _("they count in no table")}, list[str]()
    if nights.new_league is not None:
        reasons[NEW_LEAGUE] = _("called “%(name)s”") % {"name": nights.new_league["name"]}
    for row in leagues.annotate(first=Min(starts), last=Max(starts)):
        first, last = (
            date_format(day_of(moment, club.time_zone), _("j F Y"))
            for moment in (row.first, row.last)
        )
        told = {"first": first, "last": last}
        reasons[str(row.pk)] = _("its nights are from %(first)s to %(last)s") % told
        if days and min(days) <= row.last and row.first <= max(days):
            fitting.append(str(row.pk))
    known = [] if nights.league is None else [str(nights.league.pk)]
    return [*known, *fitting, NEW_LEAGUE][0], reasons


def _explain_newcomers(nights: NightsPlan | None) -> tuple[str, dict[str, str]]:
    """Return what people who are new to a club become: members, if they come to most nights."""
    reasons = {
        PlayerKind.MEMBER: _("they are invited to nights, and rated"),
        PlayerKind.GUEST: _("they stand in the tables, and are neither invited nor rated"),
        LEAVE_OUT: _("none of their results are kept, and places change"),
    }
    if nights is None or not nights.people:
        return PlayerKind.MEMBER, reasons
    played = sum(who in night.results for night in nights.nights for who in nights.people)
    if played * 2 < len(nights.nights) * len(nights.people):
        words, chosen = _("they came to few of the nights; %(reason)s"), PlayerKind.GUEST
    else:
        words, chosen = _("they came to most of the nights; %(reason)s"), PlayerKind.MEMBER
    return chosen, reasons | {chosen: words % {"reason": reasons[chosen]}}


def ask_about_file(outcome: Mapping[str, Any], club: Club) -> Iterator[AskedQuestion]:
    """Ask what a plan (as plain data) found open in the file."""
    for key in outcome.get("questions", []):
        question, details = QUESTIONS[key], outcome.get("details", {}).get(key, {})
        values = [*(details.get("answers") or question.choices)]
        reasons = dict(details.get("previews", {}))
        chosen, why = values[0], _LIKELY.get(key, "")
        if reasons:
            odd = {value: _count_odd_letters(text) for value, text in reasons.items()}
            chosen, why = min(odd, key=lambda value: odd[value]), ""
        elif key == "dates" and club.time_zone.startswith("America/"):
            chosen, why = DateOrder.MONTH_FIRST, _("as is usual where your club is")
        elif key == "decimals" and get_language() == "en":
            chosen = DecimalMark.POINT
        if why:
            reasons[chosen] = str(why)
        yield AskedQuestion(
            name=key,
            text=translate(question.text),
            answers=[
                Answer(
                    value=value,
                    words=translate(question.choices[value]),
                    reason=reasons.get(value, ""),
                )
                for value in values
            ],
            chosen=chosen,
            examples=details.get("examples", []),
        )


_LIKELY: Final[Mapping[str, Promise]] = {
    "dates": gettext_lazy("as is usual where your club is"),
    "decimals": gettext_lazy("as is usual in your language"),
    "footer": gettext_lazy("they stand at the foot, below everybody else"),
    "unused": gettext_lazy("what stands above them is no day"),
    "unfinished": gettext_lazy("nobody should lose points by a night that they did not finish"),
    "marked": gettext_lazy("this is how dropped results are mostly written"),
    "penalties": gettext_lazy("nobody should gain by a penalty"),
}
"""Reasons for the usual answers, where neither totals nor the file itself tell."""


def _count_odd_letters(text: str) -> int:
    """Return how many signs beyond plain English are no letters: few, if read as was written."""
    return sum(not sign.isalpha() for sign in text if not sign.isascii())


def ask_about_people(similar: SimilarPeople, club: Club) -> Iterator[AskedQuestion]:
    """Ask about names that are like those of members; who has played, and most often, is ticked.

    Nobody is ticked where nobody has played, or several of them as often.
    """
    numbers = {member["number"] for _name, members in similar for member in members}
    rows = Player.objects.filter(club=club, number__in=numbers).annotate(nights=Count("entries"))
    nights: dict[int, int] = dict(rows.values_list("number", "nights"))
    for number, (name, members) in enumerate(similar, 1):
        text = _("Who is %(name)s?") % {"name": name}
        if len(members) == 1:
            text = _("Is %(name)s your %(member)s?") % {"name": name, "member": members[0]["name"]}
        answers = list[Answer]()
        for member in members:
            count = nights.get(member["number"], 0)
            words = _("Yes, the same person")
            if len(members) > 1:
                words = _("It is %(member)s") % {"member": member["name"]}
            told = {"number": member["number"], "member": member["name"]}
            reason = _("number %(number)s of the club; the name stays %(member)s") % told
            if count:
                reason = ngettext(
                    "%(count)s night so far; %(reason)s",
                    "%(count)s nights so far; %(reason)s",
                    count,
                ) % {"count": count, "reason": reason}
            answers.append(Answer(value=str(member["number"]), words=words, reason=reason))
        played = sorted({nights.get(member["number"], 0) for member in members})
        likely = [one for one in members if 0 < nights.get(one["number"], 0) == played[-1]]
        yield AskedQuestion(
            name=f"who-{number}",
            text=text,
            answers=[
                *answers,
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
            chosen=str(likely[0]["number"]) if len(likely) == 1 else "",
            about=_("No other name is near.") if len(members) == 1 else "",
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


def assume_answers(
    questions: Sequence[AskedQuestion],
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the likely answers to questions, and who the people are that may be known.

    Whoever is not likely to be a member is somebody new: nobody is left out where it is tried.
    """
    people = {one.person: one.chosen or SOMEBODY_NEW for one in questions if one.person}
    return {one.name: one.chosen for one in questions if one.chosen and not one.person}, people


def explain_answers(
    question: AskedQuestion, plan_with: Callable[[Mapping[str, str]], ImportPlan]
) -> AskedQuestion:
    """Return the question with what each answer does to the totals and places in the file.

    ``plan_with`` plans the import with an answer to it, and the likely ones to the others; it may
    raise RefusedError. Where another answer than the likely one agrees with more of them, it is
    ticked. A question stays as it is where its answers do not matter for them, or there are many.
    """
    if question.person or question.name == "new" or not 1 < len(question.answers) <= _EXPLAINED_MAX:
        return question
    try:
        plans = {
            answer.value: plan_with({question.name: answer.value}) for answer in question.answers
        }
    except RefusedError:
        return question  # its answer decides whether the file can be read at all
    compared = {
        value: len(plan.differences)
        for value, plan in plans.items()
        if isinstance(plan.value, NightsPlan) and plan.value.is_stated and not plan.questions
    }
    is_same = len({*compared.values()}) < 2
    if is_same and any(compared.values()):
        return question
    told = {question.chosen} & compared.keys() if is_same else compared.keys()
    answers = [
        replace(answer, reason=_describe_differences(plans[answer.value]))
        if answer.value in told and (compared[answer.value] or not answer.reason)
        else answer
        for answer in question.answers
    ]
    if is_same:
        return replace(question, answers=answers)
    best, chosen = min(compared, key=lambda value: compared[value]), question.chosen
    # Nights by themselves agree with more totals than any league: that says nothing for them.
    is_worse = question.name != "league" and compared.get(chosen, 0) > compared[best]
    return replace(question, answers=answers, chosen=best if is_worse else chosen)


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
