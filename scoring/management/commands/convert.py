from engine.cli.commands import convert
from scoring.terminal.command import RecordCommand


class Command(RecordCommand):
    command = convert
