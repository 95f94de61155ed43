"""Imports of tables: members of a club, nights and points from before.

A file is opened and its columns are mapped (`table`), what its rows would do is planned (`plan`),
and a plan is carried out as a whole or not at all. What it makes and changes is noted in its log,
and can be undone as one step.
"""

from tournaments.imports.dates import DateOrder
from tournaments.imports.kinds import TABLE_IMPORTS, request_from_params
from tournaments.imports.log import ImportLog
from tournaments.imports.members import MEMBERS, MEMBERS_KNOWN
from tournaments.imports.name_list import (
    ListedName,
    NameList,
    NameMatch,
    match_names,
    read_name_list,
)
from tournaments.imports.names import read_number, split_number
from tournaments.imports.night_plan import LEAVE_OUT
from tournaments.imports.night_units import NIGHT_UNITS
from tournaments.imports.numbers import DecimalMark
from tournaments.imports.openings import OPENINGS
from tournaments.imports.plan import (
    ACCEPT,
    ACTION_TITLES,
    ImportOption,
    ImportPlan,
    ImportRequest,
    RowAction,
    RowPlan,
    TableImport,
    plan_import,
    run_import,
)
from tournaments.imports.questions import QUESTIONS
from tournaments.imports.roll import (
    SOMEBODY_NEW,
    ImportedMember,
    MemberRoll,
    ask_who,
    check_new_name,
)
from tournaments.imports.table import TableSettings, open_import
from tournaments.imports.undo import (
    EventFactUndoer,
    ImportedRow,
    Obstacle,
    ObstaclesError,
    PlayerUndoer,
    Undoer,
    UndoPlan,
    plan_undo,
    undo_import,
    undoer_of,
)

__all__ = [
    "ACCEPT",
    "ACTION_TITLES",
    "LEAVE_OUT",
    "MEMBERS",
    "MEMBERS_KNOWN",
    "NIGHT_UNITS",
    "OPENINGS",
    "QUESTIONS",
    "SOMEBODY_NEW",
    "TABLE_IMPORTS",
    "DateOrder",
    "DecimalMark",
    "EventFactUndoer",
    "ImportLog",
    "ImportOption",
    "ImportPlan",
    "ImportRequest",
    "ImportedMember",
    "ImportedRow",
    "ListedName",
    "MemberRoll",
    "NameList",
    "NameMatch",
    "Obstacle",
    "ObstaclesError",
    "PlayerUndoer",
    "RowAction",
    "RowPlan",
    "TableImport",
    "TableSettings",
    "UndoPlan",
    "Undoer",
    "ask_who",
    "check_new_name",
    "match_names",
    "open_import",
    "plan_import",
    "plan_undo",
    "read_name_list",
    "read_number",
    "request_from_params",
    "run_import",
    "split_number",
    "undo_import",
    "undoer_of",
]
