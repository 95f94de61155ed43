from engine.cli.commands import show
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = show
