from engine.cli.commands import rules
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = rules
