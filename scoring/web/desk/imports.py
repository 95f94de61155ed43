"""Importing a file at the desk: what was found, what has to be known, what will be different.

The file is kept as a draft until it is imported; nothing is written before the last step. What a
page shows is computed from the draft, so that each step has an address and can be gone back to.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import Message
from scoring.transfer.importing import read_options
from scoring.web.desk.import_forms import ArchiveForm, ColumnsForm, ImportFileForm, check_file
from scoring.web.desk.import_plans import (
    PLAN_SHOWN,
    PROBLEMS_SHOWN,
    ShownRow,
    describe_file,
    describe_findings,
    describe_growth,
)
from scoring.web.desk.import_questions import (
    LATER,
    AskedQuestion,
    SimilarPeople,
    ask_about_file,
    ask_about_members,
    ask_about_people,
    ask_option,
    assume_answers,
    explain_answers,
)
from scoring.web.desk.jobs import address_of, title_of
from tournaments import jobs
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.imports import (
    ACCEPT,
    ACTION_TITLES,
    QUESTIONS,
    TABLE_IMPORTS,
    ImportOption,
    ImportPlan,
    ImportRequest,
    RowAction,
    open_import,
    plan_import,
    request_from_params,
)
from tournaments.models import Import, Job, JobKind, JobState
from tournaments.tables.input_model import column_letters
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, DeskPage

_ARCHIVE_HELP: Final = Message("What was played, hand by hand, as PHN or PBN.")
AT_ONCE_BYTES: Final = 512 * 1024
"""A longer file is looked through by a worker; a shorter one while somebody waits."""
_ARCHIVE_FIGURES: Final = (
    ("new", gettext_lazy("new games"), "games"),
    ("new", gettext_lazy("new hands"), "hands"),
    ("new", gettext_lazy("new people"), "new_players"),
    ("known", gettext_lazy("known already"), "known"),
    ("left_out", gettext_lazy("left out"), "left_out"),
)
"""The counts of an archive that pages show: their colour, their title and their key."""
STEPS: Final = (
    gettext_lazy("What I found"),
    gettext_lazy("What I need to know"),
    gettext_lazy("What will be different"),
)
FOUND, QUESTIONS_OPEN, DIFFERENCE, DONE = 1, 2, 3, 4


class ChooseFile(DeskFormView[ImportFileForm]):
    """The first step."""

    needs = Right.IMPORTS_MAKE
    template_name = "desk/import_file.html"
    form_class = ImportFileForm
    draft: Job

    def get_initial(self) -> dict[str, Any]:
        wanted = self.request.GET.get("kind", "")
        return {"kind": wanted or next(iter(TABLE_IMPORTS))}

    def save(self, form: ImportFileForm) -> None:
        request = form.to_request()
        check_file(request)
        self.draft = jobs.create_draft(
            club_id=self.club.pk, request=request, by=self.by, at=self.at
        )

    def get_success_url(self) -> str:
        return address_of(self.draft)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        about = [*(one.help for one in TABLE_IMPORTS.values()), _ARCHIVE_HELP]
        kinds = zip(context["form"]["kind"], map(translate, about), strict=True)
        return {**context, "kinds": list(kinds)}


class ImportMixin(ButtonsMixin):
    """A page of an import: of the draft that keeps its file, or of a job that a worker does."""

    needs = Right.IMPORTS_MAKE
    job: Job
    draft: Job | None
    step: int

    def get_place(self) -> Place:
        job = jobs.find(self.kwargs["job_id"])
        if job is None or job.kind not in (JobKind.ARCHIVE, *TABLE_IMPORTS):
            return Place(None)
        self.job, self.draft = job, job
        if job.state != JobState.DRAFT:
            self.draft = jobs.find_draft(job)
        return Place(job.club)

    def get_draft(self) -> Job:
        """The draft. Raises NotThereError where it is not kept any more."""
        if self.draft is None or not self.draft.upload_path.is_file():
            raise NotThereError
        return self.draft

    @property
    def is_long(self) -> bool:
        """Whether a worker reads the file, rather than the page while somebody waits."""
        return (self.get_draft().total or 0) > AT_ONCE_BYTES

    def request_with(self, params: Mapping[str, Any]) -> ImportRequest:
        """Return the request to import the draft's file with parameters beside its own."""
        draft = self.get_draft()
        params = {**draft.params, "name": draft.file_name, **params}
        return request_from_params(draft.kind, draft.upload_path.read_bytes(), params)

    def plan_openly(
        self, answers: Mapping[str, str], people: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[ImportPlan, list[ImportOption]]:
        """Plan the import with answers that are tried, and return the options still to be chosen.

        The first choice of these shows how everything else is understood; nothing of it is kept.
        ``people``: who the names are that are like those of members. Raises RefusedError where
        something else is to blame.
        """
        chosen = {**self.get_draft().params, **answers}
        known = {"people": {**chosen.get("people", {}), **people}}
        options = {option.key: option for option in options_of(self.get_draft())}
        missing = missing_options(options.values(), chosen)
        while True:
            filled = {option.key: str(option.choices(self.club)[0][0]) for option in missing}
            request = self.request_with({**answers, **filled, **known})
            try:
                return plan_import(self.club, request, self.at), missing
            except RefusedError as error:
                blamed = options.get(error.field)
                is_open = blamed is not None and not blamed.is_text and blamed not in missing
                if blamed is None or not is_open or chosen.get(blamed.key):
                    raise
                missing.append(blamed)

    def ask(
        self,
        outcome: Mapping[str, Any],
        *,
        missing: Sequence[ImportOption],
        similar: SimilarPeople = (),
        plan: ImportPlan | None = None,
    ) -> list[AskedQuestion]:
        """Return the questions that are open before the import, with what was chosen before."""
        if self.draft is None or self.step == DONE:
            return []
        rows = [ShownRow.of(row) for row in outcome.get("plan", [])]
        in_rows = {row.subject: row.similar for row in rows if row.similar}
        people = [*similar, *in_rows.items()][:PROBLEMS_SHOWN]
        questions = [
            *(ask_option(option, self.club, plan) for option in missing),
            *ask_about_file(outcome, self.club),
            *ask_about_people(people, self.club),
        ]
        if any(row.differs for row in rows) and not self.draft.params.get("known"):
            questions.append(ask_about_members())
        return questions

    def start(self, *, dry_run: bool) -> str:
        """Let a worker import the file, or only try it; return the address of its progress."""
        draft = self.get_draft()
        once = {ACCEPT: True} if not dry_run and self.request.POST.get(ACCEPT) else {}
        job = jobs.create_from_draft(
            draft=draft, dry_run=dry_run, by=self.by, at=self.at, once=once
        )
        return reverse("desk-import-result", args=[job.pk])

    def bring(self, _value: str) -> str:
        """Let a worker import the file. Raises RefusedError: an option is not chosen yet."""
        draft = self.get_draft()
        for option in missing_options(options_of(draft), draft.params):
            raise RefusedError(Message("Please choose: {option}", option=option.label), option.key)
        self.following = self.start(dry_run=False)
        return ""

    following = ""

    def get_success_url(self) -> str:
        return self.following or super().get_success_url()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        frame = {"job": self.job, "draft": self.draft, "title": title_of(self.job.kind)}
        if self.draft is not None:
            frame["first_page"] = address_of(self.draft)
        steps = {"steps": STEPS, "step": self.step}
        return super().get_context_data(**{**frame, **steps, **kwargs})


class Columns(ImportMixin, DeskFormView[ColumnsForm]):
    """The first step: how the file was read. What was read wrongly is put right in a fold."""

    template_name = "desk/import_columns.html"
    form_class = ColumnsForm
    step = FOUND

    def get_form_kwargs(self) -> dict[str, Any]:
        request, draft = self.request_with({}), self.get_draft()
        table = open_import(
            request.data, request.table_import.fields, request.settings, request.name
        )
        own = {"table": table, "table_import": request.table_import, "params": draft.params}
        return {**super().get_form_kwargs(), **own, "club": self.club}

    def save(self, form: ColumnsForm) -> None:
        params = form.to_params()
        request = self.request_with(params)
        table_import = request.table_import
        table = open_import(request.data, table_import.fields, request.settings)
        if not form.is_other_table and (missing := table_import.require(table.columns.keys())):
            raise RefusedError(missing)
        if not form.is_other_table and not self.is_long:
            try:
                plan_import(self.club, request, self.at)
            except RefusedError as error:
                # What was typed is refused here, at its field; what is missing is asked next.
                if request.options.get(error.field) != "":
                    raise
        draft = self.get_draft()
        self.draft = jobs.change_draft(draft=draft, params={**draft.params, **params})
        if not form.is_other_table:
            self.following = reverse("desk-import-check", args=[draft.pk])
            if self.is_long:
                self.following = self.start(dry_run=True)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        return {**context, **self.describe_reading(context["form"])}

    def describe_reading(self, form: ColumnsForm) -> dict[str, Any]:
        """Return how the file is understood: its headline, sentences, and what is open."""
        if self.is_long:
            return {"headline": _("A long file"), "found": [_("It is read when you go on.")]}
        chosen = form.chosen_options()
        try:
            plan, missing = self.plan_openly(chosen)
        except RefusedError as error:
            is_asked = error.field in chosen
            return {"open": [translate(error.message)], "is_unclear": not is_asked}
        questions = self.ask(translate(plan.as_data()), missing=missing, plan=plan)
        answers, people = assume_answers(questions)
        with suppress(RefusedError):
            plan = replace(
                self.plan_openly({**chosen, **answers}, people)[0],
                understood=plan.understood,
            )
        return {
            "headline": describe_file(form.table_import, plan),
            "found": list(describe_findings(self.club, plan)),
            "open": [question.text for question in questions],
        }


class Archive(ImportMixin, DeskFormView[ArchiveForm]):
    """The first step of records of hands: where they go. A worker tries them first."""

    template_name = "desk/import_archive.html"
    form_class = ArchiveForm
    step = FOUND

    def get_form_kwargs(self) -> dict[str, Any]:
        params = self.get_draft().params
        return {"club": self.club, **super().get_form_kwargs(), "initial": params}

    def save(self, form: ArchiveForm) -> None:
        params = {name: text for name, text in form.cleaned_data.items() if text}
        read_options(params)
        self.draft = jobs.change_draft(draft=self.get_draft(), params=params)
        self.following = self.start(dry_run=True)


class AnswersMixin(ImportMixin):
    """A page that shows a plan, after the questions that have to be answered first."""

    buttons: ClassVar[tuple[str, ...]] = ("bring", "answer", "forget")
    step = DIFFERENCE

    def answer(self, _value: str) -> str:
        """Keep the answers to the questions; one that is not offered is asked again."""
        draft, post = self.get_draft(), self.request.POST
        choices: dict[str, Collection[str]] = {key: one.choices for key, one in QUESTIONS.items()}
        texts = set[str]()
        for option in options_of(draft):
            choices[option.key] = [value for value, _words in option.choices(self.club)]
            texts |= {option.key} if option.is_text else set()
        answers = {
            key: post[key]
            for key, known in choices.items()
            if key in post and (post[key] in known or key in texts)
        }
        who = {
            name: post.get(f"who-{number}", "")
            for number, name in enumerate(post.getlist("name"), 1)
        }
        decided = {name: value for name, value in who.items() if value not in ("", LATER)}
        people = {**draft.params.get("people", {}), **decided}
        self.draft = jobs.change_draft(
            draft=draft, params={**draft.params, **answers, "people": people}
        )
        self.following = reverse("desk-import-check", args=[draft.pk])
        if draft.kind == JobKind.ARCHIVE or self.is_long:
            self.following = self.start(dry_run=True)
        self.following += "?answered"
        return ""

    def forget(self, _value: str) -> str:
        """Forget the answers, so that everything is asked again."""
        draft = self.get_draft()
        asked = {*QUESTIONS, "known", "people", "answers"}
        params = {key: value for key, value in draft.params.items() if key not in asked}
        self.draft = jobs.change_draft(draft=draft, params=params)
        self.following = address_of(draft)
        return ""

    def describe(
        self,
        outcome: Mapping[str, Any],
        remarks: list[str],
        *,
        missing: Sequence[ImportOption],
        similar: SimilarPeople = (),
        plan: ImportPlan | None = None,
    ) -> dict[str, Any]:
        """Return the contents of a page about a plan, from its data."""
        rows = [ShownRow.of(row) for row in outcome.get("plan", [])]
        names = {row.line: row.subject for row in rows}
        self.questions = self.ask(outcome, missing=missing, similar=similar, plan=plan)
        if any(not question.can_wait for question in self.questions) or (
            self.questions and "answered" not in self.request.GET
        ):
            self.step = QUESTIONS_OPEN
        standings = outcome.get("standings") or {}
        return {
            "counts": outcome,
            "figures": [
                (str(action), translate(title), outcome.get(action, 0))
                for action, title in ACTION_TITLES.items()
                if action != RowAction.CHANGED or outcome.get(action)
            ],
            "growth": describe_growth(self.club, outcome),
            "left_out": outcome.get("left_out", 0),
            "has_work": bool(outcome.get("new") or outcome.get("changed")),
            "remarks": remarks,
            "unused": outcome.get("unused", []),
            "questions": self.questions,
            "has_answers": any(self.job.params.get(key) for key in (*QUESTIONS, "known", "people")),
            "understood": outcome.get("understood", []),
            "differences": [
                (
                    difference["line"],
                    names.get(difference["line"], ""),
                    column_letters(difference["column"]) if difference["column"] else "",
                    difference["message"],
                )
                for difference in outcome.get("differences", [])[:PROBLEMS_SHOWN]
            ],
            "difference_count": outcome.get("difference_count", 0),
            "standings": standings,
            "has_adjustments": any(row["adjustment"] for row in standings.get("rows", [])),
            "nights": [date.fromisoformat(day) for day in standings.get("nights", [])],
            "headline": self.describe_step(outcome),
            "odd_rows": [row for row in rows if row.problems][:PROBLEMS_SHOWN],
            "plan_rows": rows[:PLAN_SHOWN],
            "more_rows": max(outcome.get("rows", 0) - PLAN_SHOWN, 0),
        }

    def describe_step(self, outcome: Mapping[str, Any]) -> str:
        """Return the headline of the step: how many questions there are, or whether it fits."""
        differing, asked = outcome.get("difference_count", 0), len(self.questions)
        if self.step == DONE:
            return ""
        if self.step == QUESTIONS_OPEN:
            return ngettext("One question", "%(count)s questions", asked) % {"count": asked}
        if differing:
            return ngettext(
                "%(count)s total or place differs from your file",
                "%(count)s totals or places differ from your file",
                differing,
            ) % {"count": differing}
        rows = (outcome.get("standings") or {}).get("rows", [])
        if any(row["agrees"] for row in rows):
            return _("It comes out as in your file")
        return _("What will be different")


class Check(AnswersMixin, DeskPage):
    """The questions that are open, then what will be different. Nothing is written yet."""

    template_name = "desk/import_check.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            plan, missing = self.plan_openly({})
        except RefusedError as error:
            return super().get_context_data(**{**self.describe_refusal(error), **kwargs})
        remarks = [translate(remark.sentence) for remark in plan.remarks]
        context = self.describe(translate(plan.as_data()), remarks, missing=missing, plan=plan)
        if self.step == QUESTIONS_OPEN:
            likely, people = assume_answers(self.questions)
            context["questions"] = [
                explain_answers(
                    question,
                    lambda answers: self.plan_openly({**likely, **answers}, people)[0],
                )
                for question in self.questions
            ]
        return super().get_context_data(**{**context, **kwargs})

    def describe_refusal(self, error: RefusedError) -> dict[str, Any]:
        """Ask for the option that is to blame, or say why nothing of the file can be used."""
        reason = translate(error.message)
        options = [option for option in options_of(self.get_draft()) if option.key == error.field]
        if not options:
            return {"why": reason}
        self.step = QUESTIONS_OPEN
        self.questions = [ask_option(option, self.club, about=reason) for option in options]
        return {"questions": self.questions, "headline": self.describe_step({})}


class Result(AnswersMixin, DeskPage):
    """The last step: the progress of the worker, then the result of every row."""

    template_name = "desk/import_result.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        job = self.job
        self.step = DIFFERENCE if job.dry_run else DONE
        remarks = [
            translate(problem["message"]) for problem in job.problems if not problem.get("line")
        ]
        preview = job.outcome.get("preview", {})
        similar = [
            (person["name"], person["similar"])
            for person in preview.get("new_people", [])
            if person["similar"] and person["name"] not in job.params.get("people", {})
        ]
        missing = list[ImportOption]()
        if self.draft is not None:
            missing = missing_options(options_of(self.draft), self.draft.params)
        found = self.describe(translate(job.outcome), remarks, missing=missing, similar=similar)
        if job.kind == JobKind.ARCHIVE:
            found["has_work"] = bool(job.outcome.get("hands"))
            found["figures"] = [
                (action, title, job.outcome.get(key, 0)) for action, title, key in _ARCHIVE_FIGURES
            ]
            found["remarks"] = []
            told = [translate(problem) for problem in job.problems]
            found["problems"] = [one for one in told if not one.get("conflict")][:PROBLEMS_SHOWN]
            found["conflicts"] = [one for one in told if one.get("conflict")][:PROBLEMS_SHOWN]
            found["notices"] = translate(job.outcome.get("notices", []))
            found["preview"] = preview
        found["why"] = translate(job.outcome.get("why", ""))
        return super().get_context_data(
            **{**found, "made": Import.objects.filter(job=job.pk).first(), **kwargs}
        )


def options_of(draft: Job) -> tuple[ImportOption, ...]:
    """Return what somebody chooses beside a table; nothing for records of hands."""
    table_import = TABLE_IMPORTS.get(draft.kind)
    return table_import.options if table_import else ()


def missing_options(
    options: Iterable[ImportOption], chosen: Mapping[str, Any]
) -> list[ImportOption]:
    """Return the options that have to be chosen, and are not."""
    return [option for option in options if option.is_required and not chosen.get(option.key)]
