from engine.cli.commands import analyse
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = analyse
