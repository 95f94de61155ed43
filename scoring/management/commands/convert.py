from engine.cli.commands import convert
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = convert
