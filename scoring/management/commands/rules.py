from engine.cli.commands import rules
from scoring.terminal.command import RecordCommand


class Command(RecordCommand):
    command = rules
