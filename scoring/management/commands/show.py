from engine.cli.commands import show
from scoring.terminal.command import RecordCommand


class Command(RecordCommand):
    command = show
