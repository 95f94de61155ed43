from engine.cli.commands import settle
from scoring.terminal.command import RecordCommand


class Command(RecordCommand):
    command = settle
