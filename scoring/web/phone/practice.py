"""The practice table: a page on which a phone plays hands against bots, without a network too."""

from collections.abc import Iterable
from typing import Any, Final, TypedDict
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from engine.core.seats import DEFAULT_SEATS, Seat
from engine.record.game_state import beginning
from engine.rules.presets import PRESETS, TITLES, variant_of
from engine.rules.rule_sheet import idle_switches
from engine.rules.rules import Rules, change
from engine.rules.switch_specs import SWITCHES
from engine.rules.switches import ON, Toggle, Winner
from engine.verdicts.settlement_json import next_hand
from scoring.web.phone import files
from scoring.web.phone.wording import words
from tournaments.core.language import translate
from tournaments.models import Club, RuleSet
from tournaments.people.rule_sets import rules_of

_IN_PLAY: Final = (
    "settlement", "pain", "queen", "passing", "pass_cycle", "pass_count", "insurance",
    "first_leader", "first_trick_penalty", "pain_lead", "zero_clean", "three_player_sweep",
    "jackpot_split", "moon", "average_each", "starting_chips", "length", "limit",
)  # fmt: skip
"""The switches that a newcomer has to know to play a hand."""
_FIRST: Final = ("standard", "bicycle", "hoyle_auction", "hoyle_hearts", "sahara", "insurance")
"""The presets that are offered, the best known first."""


class PracticeTable(TypedDict):
    """The seats of a table, and what its first hand finds."""

    seats: tuple[str, ...]
    next: dict[str, Any]


class PracticeRules(TypedDict):
    """Rules to practise by, as the scripts of a phone know them, and as a record names them.

    ``about`` says what of them is left out and whether tricks are good, ``sheet`` has questions
    and answers on what matters in play; ``tables`` has one table for each number of players.
    """

    key: str
    name: str
    about: str
    sheet: list[tuple[str, str]]
    rules: dict[str, str]
    variant: str
    overrides: str
    tables: list[PracticeTable]


def practice_rules(key: str, name: str, rules: Rules) -> PracticeRules:
    """Describe rules to the practice table; the centre and the foot are not played there."""
    left_out = [switch for switch in ("centre_auction", "foot") if rules.texts[switch] == str(ON)]
    played = change(rules, dict.fromkeys(left_out, str(Toggle.OFF)))
    about = list[str]()
    if left_out:
        about.append(_("Without buying cards from the centre, and without a foot."))
    if played.winner is Winner.TRICKS:
        about.append(_("Whoever takes most tricks in the game wins it: here you want tricks."))
    variant, overrides = variant_of(played)
    idle = idle_switches(played)
    sizes = range(played.players.least, played.players.most + 1)
    return {
        "key": key,
        "name": name,
        "about": " ".join(about),
        "sheet": [
            (translate(switch.question), translate(switch.say(getattr(played, name))))
            for name in _IN_PLAY
            if name not in idle
            for switch in [SWITCHES[name]]
        ],
        "rules": dict(played.texts),
        "variant": variant,
        "overrides": ";".join(f"{switch}={value}" for switch, value in overrides.items()),
        "tables": [
            {
                "seats": DEFAULT_SEATS[size],
                "next": dict(
                    next_hand(played, beginning(played, size, Seat(0)), DEFAULT_SEATS[size])
                ),
            }
            for size in sizes
        ],
    }


def _presets() -> Iterable[PracticeRules]:
    return (practice_rules(key, translate(TITLES[key]), PRESETS[key]) for key in _FIRST)


def _of_club(club: Club) -> Iterable[PracticeRules]:
    rows = RuleSet.objects.filter(club=club, retired_at=None).order_by("name")
    return (practice_rules(str(row.pk), row.name, rules_of(row)) for row in rows)


def practice_words() -> dict[str, str]:
    """The sentences of the practice table; it uses those of the phone, too."""
    return words() | {
        "practice": _("Practice"),
        "me": pgettext("the person at a practice table", "You"),
        "bot 1": "Rosa",
        "bot 2": "Hugo",
        "bot 3": "Mia",
        "bot 4": "Emil",
        "bot 5": "Ida",
        "play a hand": _("Play a hand"),
        "practice lede": _("You against bots, with no account and without a network too."),
        "go on": _("Go on with your game: {name}"),
        "how to play": _(
            "Everybody plays a card to each trick. If you have the suit that was led, you play it."
            " The highest card of that suit takes the trick, and whoever took it leads the next"
            " one. Some cards bring penalty points or cost chips. Try not to take them."
        ),
        "the rules": _("The rules"),
        "rules of": _("The rules: {name}"),
        "other rules": _("Other rules"),
        "players": _("{count} players"),
        "play with": _("{name}: play with {count} players"),
        "what bots are": _(
            "The bots know no more than you would in their place. They play as well as other good"
            " programs for Hearts, and never try to take everything. Nothing of this counts"
            " anywhere."
        ),
        "your cards": _("Your cards"),
        "your lead": _("You lead. Which card?"),
        "your card": _("Your card?"),
        "you pass": _("Choose {count} cards for {to}"),
        "pass these": _("Pass these {count}"),
        "your call": _("What do you bid?"),
        "your suit": _("Which suit do you name?"),
        "your paper": _("What do you write on your insurance paper?"),
        "your moon": _("You took everything. What do you choose?"),
        "hint": _("A hint"),
        "your point": _("1 point for you"),
        "one choice": _("It makes no difference which of these you play."),
        "your points": _("{count} points for you"),
        "won one": _("You win 1 chip"),
        "won many": _("You win {count} chips"),
        "lost one": _("You lose 1 chip"),
        "lost many": _("You lose {count} chips"),
        "you kept": _("You win nothing and lose nothing"),
        "next hand of practice": _("Next hand"),
        "new game": _("New game"),
        "take last back": _("Take my last card back"),
        "practice player": _("Player"),
        "practice took": _("Took"),
        "practice won or lost": _("Won or lost"),
        "practice points": _("Points"),
        "practice now": _("Now"),
        "pot goes": _("The pot of {pot} goes to {seats}."),
        "pot stays": _("The pot of {pot} stays on the table."),
        "what cards cost": _("What your cards cost"),
        "nothing costly": _("None of your cards cost you much."),
        "card cost points": _(
            "Trick {number}: {card} cost you about {loss} points (±{error}). Better: {better}"
        ),
        "card cost chips": _(
            "Trick {number}: {card} cost you about {loss} chips (±{error}). Better: {better}"
        ),
        "bars points": _("Points more than with the best card, on the average"),
        "bars chips": _("Chips lost against the best card, on the average"),
        "best card": _("the best"),
        "no worse": _("as good ±{error}"),
        "lay there": _("On the table:"),
        "you led it": _("You led it."),
        "who judges": _(
            "The bots judge: they try each card in 60 deals that agree with what you could know,"
            " and play on as they do. Who thinks further than they do can be right against them."
        ),
        "practice event": _("Practice: you are {seat}"),
        "card by card": _("Look at it card by card"),
    }


@require_safe
def practice_page(request: HttpRequest, club_id: UUID | None = None) -> HttpResponse:
    """The page; with a public club, its own rules come first."""
    club = None if club_id is None else get_object_or_404(Club, pk=club_id, is_public=True)
    said = practice_words()
    context = {
        "words": said,
        "lede": said["practice lede"],
        "styles": files.PRACTICE.styles,
        "scripts": files.PRACTICE.first_scripts(),
        "practice": {
            "club": [] if club is None else list(_of_club(club)),
            "presets": list(_presets()),
            "check": reverse("check"),
        },
        "to": request.path,
        "language_door": reverse("practice-language"),
    }
    return render(request, "phone/practice.html", context)


@require_safe
def practice_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with all that it keeps."""
    return files.worker_response(
        request,
        files.PRACTICE,
        page=practice_page(request),
        at=reverse("practice"),
        language=reverse("practice-language"),
    )
