"""A small world for the table of permissions: three clubs with everything in them, and all who ask.

To let an endpoint be asked for, give the ids of its address a row in `ids`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.utils import timezone

from engine.record.rulings import Decision, Ruling
from scoring.games.links import make_links
from scoring.hands import rulings
from scoring.hands.drafts import DraftState, save_draft
from scoring.models import Delivery, Game, HandDraft, Slip, SlipState
from scoring.settlement.changes import RulingRequest
from scoring.slips.codes import SlipCode, write_code
from scoring.webhooks.subscriptions import add_webhook
from tests.api.asking import NOW, Asking, account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, chip_hand, enter, make_club, make_game, state_of
from tests.tournaments.night import draw, make_night, start
from tournaments.access.rights import NOT_FOR_KEYS, Right
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.ids import new_id
from tournaments.events.adjustments import adjust_score
from tournaments.events.decisions import NewDecision, decide_seats
from tournaments.events.leagues import (
    add_session,
    create_league,
    enrol,
)
from tournaments.imports import ImportLog
from tournaments.models import (
    Adjustment,
    Board,
    Club,
    ClubPicture,
    Event,
    Job,
    JobState,
    League,
    Player,
    PlayerBar,
    RoleKind,
    RuleSet,
    SeatDecision,
    Table,
)
from tournaments.people import api_keys
from tournaments.people.bars import bar_player

OWN, PRIVATE, PUBLIC = "own", "private", "public"
PLACES = (OWN, PRIVATE, PUBLIC)


@dataclass(frozen=True, slots=True)
class Corner:
    """A club, and the ids of one of everything in it, by their names in addresses."""

    club: Club
    game: Game
    ids: Mapping[str, UUID]


@dataclass(frozen=True, slots=True)
class World:
    """Clubs by place, and askers by part; everybody's roles are in the club of OWN."""

    corners: Mapping[str, Corner]
    askers: Mapping[str, Asking]


def make_world() -> World:
    """Everything new: three clubs and eleven askers."""
    corners = {place: _corner(place) for place in PLACES}
    own = corners[OWN]
    askers = {
        "visitor": Asking(),
        "stranger": signed_in(account_of("stranger@club.example")),
        "federation": _with_role("federation", None),
        "key": _with_key(own.club),
        "scorer": _with_link(own.game),
        "link": _with_link(make_game(own.club)),
    }
    for kind in RoleKind.values:
        if kind != RoleKind.FEDERATION:
            askers[str(kind)] = _with_role(str(kind), own.club)
    return World(corners, askers)


def _picture(club: Club) -> str:
    return ClubPicture.objects.create(
        club=club, image=b"RIFF", width=300, height=200, digest="5" * 64, changed_at=NOW
    ).digest


def _corner(place: str) -> Corner:
    club = make_club(place, is_public=place == PUBLIC)
    game = make_game(club)
    hand = enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand
    decree = RulingRequest(ruling=Ruling(decision=Decision.RESULT_STANDS), facts="As it lies.")
    ruled = rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=NOW)
    admin = account_of(f"admin-of-{place}@club.example")
    role_of(admin, club, RoleKind.ADMIN)
    by = Actor(ActorKind.PERSON, Source.API, admin.pk)
    role = role_of(account_of(f"other-of-{place}@club.example"), club, RoleKind.PLAYER)
    key, _secret = api_keys.make_key(
        club_id=club.pk, name="Results", kind="player", scopes=["club.read"], by=by, at=NOW
    )
    event = make_night(4, club=club)
    draw(event)
    start(event, 1)
    Board.objects.create(event=event, number=1, source="seed")
    url, events = "https://results.example.org/painsuit", ["hand.entered"]
    hook = add_webhook(club_id=club.pk, url=url, events=events, by=by, at=NOW)
    ids: dict[str, Any] = {
        "club_id": club.pk,
        "player_id": Player.objects.filter(club=club).first(),
        "bar_id": _barred(club),
        "rule_set_id": RuleSet.objects.filter(club=club).first(),
        "role_id": role,
        "key_id": key,
        "chain_id": club,
        "game_id": game,
        "hand_id": hand,
        "other_id": hand,
        "ruling_id": ruled.decided,
        "link_id": make_links(game_id=game.pk, seats=[1], by=DIRECTOR, at=NOW)[0].link,
        "draft_id": _draft(game),
        "webhook_id": hook,
        "event_id": event,
        "league_id": _league(club, event),
        "number": 1,
        "entry_id": event.entries.first(),
        "adjustment_id": _adjusted(event),
        "decision_id": _decided(event),
        "table_id": Table.objects.filter(round__event=event).first(),
        "slip_id": _slip(event),
        "delivery_id": Delivery.objects.create(
            webhook=hook, event="hand.entered", body="{}", created_at=NOW
        ),
        "job_id": _job(club, by),
        "digest": _picture(club),
        "import_id": ImportLog.begin(club_id=club.pk, kind="members", by=by, at=NOW).row,
    }
    return Corner(club, game, {name: getattr(row, "pk", row) for name, row in ids.items()})


def _barred(club: Club) -> PlayerBar:
    """A bar that begins long after everything else in this world."""
    player = Player.objects.filter(club=club).first()
    assert player is not None
    return bar_player(
        club_id=club.pk,
        player_id=player.pk,
        reason="Threw the cards.",
        since=date(2099, 1, 1),
        by=DIRECTOR,
        at=NOW,
    )


def _slip(event: Event) -> Slip:
    """A slip of another installation, which has a picture all the same."""
    text = write_code(SlipCode(installation=1, event=1, players=4, rules=1))
    return Slip.objects.create(
        event=event, code=text, state=SlipState.FOREIGN, crop=b"crop", read_at=NOW
    )


def _job(club: Club, by: Actor) -> Job:
    job = Job.objects.create(
        club=club,
        kind="export",
        state=JobState.DONE,
        by=by.label,
        source=str(by.source),
        file_name="results.csv",
        outcome={"signature": "{}"},
        created_at=NOW,
        finished_at=NOW,
    )
    path = job.result_path
    path.write_bytes(b"name")
    job.file = path.name
    job.save()
    return job


def _draft(game: Game) -> HandDraft:
    state = DraftState(id=new_id(), number=2, change=1, answers={"bid E": 3})
    return save_draft(game_id=game.pk, state=state, by=DIRECTOR, at=NOW)


def _league(club: Club, event: Event) -> League:
    league = create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=NOW)
    player = Player.objects.filter(club=club).order_by("pk")[0]
    enrol(league_id=league.pk, player=player.pk, by=DIRECTOR, at=NOW)
    add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=NOW)
    return league


def _adjusted(event: Event) -> Adjustment:
    entry = event.entries.first()
    assert entry is not None
    return adjust_score(
        event_id=event.pk, entry=entry.pk, amount="-1", reason="Late.", by=DIRECTOR, at=NOW
    )


def _decided(event: Event) -> SeatDecision:
    new = NewDecision(kind="forfeit", round=1, table=1, reason="Nobody came.")
    return decide_seats(event_id=event.pk, new=new, by=DIRECTOR, at=NOW)[0]


def _with_role(kind: str, club: Club | None) -> Asking:
    account = account_of(f"{kind}@club.example")
    role_of(account, club, kind)
    return signed_in(account)


def _with_key(club: Club) -> Asking:
    scopes = [str(right) for right in Right if right not in NOT_FOR_KEYS]
    by = Actor(ActorKind.SYSTEM, Source.COMMAND)
    _key, secret = api_keys.make_key(
        club_id=club.pk, name="Everything", kind="admin", scopes=scopes, by=by, at=NOW
    )
    return Asking(headers={"Authorization": f"Bearer {secret}"})


def _with_link(game: Game) -> Asking:
    made = make_links(game_id=game.pk, seats=[0], by=DIRECTOR, at=timezone.now())[0]
    return Asking(headers={"Authorization": f"Seat {made.token}"})
