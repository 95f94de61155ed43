from engine.cli.commands import settle
from scoring.management.terminal.command import RecordCommand


class Command(RecordCommand):
    command = settle
