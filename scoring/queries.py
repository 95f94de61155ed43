"""All reads, each in a fixed number of queries."""

from uuid import UUID

from django.db.models import QuerySet

from scoring.models import Decided, Game, Hand, HandVersion, SharedRecord, Sitting, Word
from scoring.models.transfer import Transfer


def shared_record(public_id: str) -> SharedRecord | None:
    """The text behind a link; None when there is no such link. One query."""
    return SharedRecord.objects.filter(public_id=public_id).first()


def game(game_id: UUID) -> Game | None:
    """A game with its club. One query."""
    return Game.objects.select_related("club").filter(pk=game_id).first()


def games(club_id: UUID) -> QuerySet[Game]:
    """The games of a club, the newest first."""
    return Game.objects.filter(club_id=club_id).order_by("-id")


def sittings(of: Game) -> list[Sitting]:
    """Who sat where in a game, and from which hand on. One query."""
    return list(Sitting.objects.filter(game=of).order_by("seat", "first"))


def hand(hand_id: UUID) -> Hand | None:
    """A hand with its game and its club. One query."""
    return Hand.objects.select_related("game__club").filter(pk=hand_id).first()


def hands(of: Game) -> QuerySet[Hand]:
    """The hands of a game in order, rivals after the one that came first."""
    return Hand.objects.filter(game=of).order_by("number", "id")


def versions(of: Hand) -> list[HandVersion]:
    """Every version of a hand's record, the first one first. One query."""
    return list(HandVersion.objects.filter(hand=of).order_by("number"))


def words(of: Hand) -> list[Word]:
    """What seats said of each version of a hand. One query."""
    said = Word.objects.filter(version__hand=of).select_related("version")
    return list(said.order_by("id"))


def rulings(of: Hand) -> list[Decided]:
    """Every ruling on a hand with its appeals, in order. Two queries."""
    found = Decided.objects.filter(hand=of).select_related("superseded_by")
    return list(found.prefetch_related("appeals").order_by("number"))


def ruled_hand(ruling_id: UUID) -> Hand | None:
    """The hand of a ruling, with its game and its club. One query."""
    found = Hand.objects.select_related("game__club").filter(decisions__pk=ruling_id)
    return found.first()


def transfers(of: Game) -> QuerySet[Transfer]:
    """Every transfer of a game with its accounts, in order of posting."""
    related = Transfer.objects.select_related("payer", "payee", "hand", "reverses")
    return related.filter(game=of).order_by("id")
