from engine.cli.commands import validate
from scoring.terminal.command import RecordCommand


class Command(RecordCommand):
    command = validate
