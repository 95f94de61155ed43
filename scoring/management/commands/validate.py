from engine.cli.commands import validate
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = validate
