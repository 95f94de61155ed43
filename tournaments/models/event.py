from typing import Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.core.ids import new_id
from tournaments.models.choices import DetailedChoices
from tournaments.models.club import Club, RuleSet
from tournaments.models.limits import (
    CLOCK_MINUTES_MAX,
    CORRECTION_HOURS_MAX,
    HANDS_MAX,
    MONEY_MAX,
    REASON_MAX,
    ROUNDS_MAX,
    TABLE_NUMBER_MAX,
    TEAM_BEST_MAX,
    VENUE_MAX,
)
from tournaments.models.player import Player


class Status(DetailedChoices):
    """The progress of an event; its results can be corrected until they are official.

    One that is called off takes no hands, no check-in and no seating, and counts nowhere. The
    details are for public pages, labels for badges at the desk.
    """

    PLANNED = "planned", _("planned"), "Planned"
    RUNNING = "running", _("running"), "Running"
    FINISHED = "finished", _("finished"), "Finished"
    OFFICIAL = "official", _("official"), "Official"
    CANCELLED = "cancelled", _("called off"), "Called off"


class Movement(DetailedChoices):
    """Ways to seat rounds (`tournaments.movements`); details are short, for a public page."""

    PLANNED = (
        "planned",
        _("everybody meets as many others as possible"),
        _("Planned: everybody meets as many others as can be"),
    )
    RANDOM = (
        "random",
        _("drawn by lot"),
        _("Drawn by lot, round by round, without meeting again"),
    )
    SWISS = (
        "swiss",
        _("seated by the standings"),
        _("Swiss: neighbours in the standings meet, nobody twice"),
    )
    DANISH = (
        "danish",
        _("seated by the standings, repeats allowed"),
        _("Danish: neighbours in the standings meet, also again"),
    )
    LADDER = (
        "ladder",
        _("up and down a ladder of tables"),
        _("Ladder: the best of a table move up, the last move down"),
    )
    SNAKE = (
        "snake",
        _("seeded into even tables"),
        _("Snake: every table is as strong as the others"),
    )
    FIXED = "fixed", _("fixed tables"), _("Fixed: everybody stays at one table")
    PRESCRIBED = (
        "prescribed",
        _("a prescribed movement"),
        _("Prescribed: a perfect plan from the books, where there is one"),
    )


class Event(models.Model):
    """One night or tournament: who plays, by which rules, how seated and how scored.

    Columns that can be edited are its settings; a column says how it is called, what it means to
    whoever fills it in, and its limits. ``hands`` are the par of a round. ``wishes`` are further
    limits of the seating, ``scoring`` and ``prizes`` the settings of `tournaments.standings` and
    `tournaments.prizes`; ``scoring_reason`` is why the scoring was changed after hands were played,
    for everybody. ``round_rules`` are the ids of the house rules of rounds that have others than
    the event, by round number as text (`tournaments.events.round_rules`). ``entry_fee`` and
    ``added`` are in minor units; ``frozen_fees`` are the fees of the pool by entry, once it is
    official (DEC-14). ``team_best`` None: all count. Guests are ranked like members by DEC-8, who
    may know of a hidden event says `tournaments.access.visibility`. Results can be corrected for
    ``correction_hours`` after the end of the playing, or until the director ended that at
    ``corrections_ended_at`` (DEC-7). ``is_results_only``: nothing is seated and no hand is recorded
    in it; it has what everybody came to (`RecordedResult`). 0 ``round_minutes``: no clock.
    ``cancel_reason`` is why it is called off; ``moved_from`` when it was to begin before it was
    last moved, for ``move_reason``. ``schedule_changed_at``: the last of these changes.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events", editable=False)
    name = models.CharField(_("Name"), max_length=200)
    starts_at = models.DateTimeField(_("Begins"))
    rule_set = models.ForeignKey(
        RuleSet, on_delete=models.PROTECT, related_name="events", verbose_name=_("House rules")
    )
    round_rules = models.JSONField(_("Other house rules in some rounds"), default=dict)
    status = models.CharField(max_length=9, choices=Status, default=Status.PLANNED, editable=False)
    movement = models.CharField(
        _("Who meets whom"), max_length=10, choices=Movement, default=Movement.PLANNED
    )
    rounds = models.PositiveSmallIntegerField(
        _("Rounds"),
        default=5,
        validators=[MaxValueValidator(ROUNDS_MAX)],
    )
    hands = models.PositiveSmallIntegerField(
        _("Hands in a round"),
        default=4,
        validators=[MaxValueValidator(HANDS_MAX)],
    )
    sizes = models.JSONField(_("Tables of"), default=list)
    sit_outs = models.BooleanField(_("May somebody sit out a round?"), default=False)
    wishes = models.JSONField(_("limits of the seating"), default=dict)
    scoring = models.JSONField(_("scoring"), default=dict)
    scoring_reason = models.CharField(
        max_length=REASON_MAX, blank=True, default="", db_default="", editable=False
    )
    prizes = models.JSONField(_("prizes"), default=dict)
    entry_fee = models.PositiveIntegerField(
        _("Entry fee a player"), default=0, db_default=0, validators=[MaxValueValidator(MONEY_MAX)]
    )
    added = models.PositiveIntegerField(
        _("What the club adds to the pool"),
        default=0,
        db_default=0,
        validators=[MaxValueValidator(MONEY_MAX)],
    )
    frozen_fees = models.JSONField(null=True, default=None, editable=False)
    team_best = models.PositiveSmallIntegerField(
        _("Of a team, how many of its members count?"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(TEAM_BEST_MAX)],
        help_text=_("The best of them. Left empty: all."),
    )
    duplicate = models.BooleanField(_("All tables play the same deals (duplicate)"), default=False)
    rated = models.BooleanField(_("It counts in ratings"), default=True, db_default=True)
    rank_guests = models.BooleanField(
        _("Guests are ranked"),
        default=True,
        db_default=True,
        help_text=_("In a season guests count only if they are on its roll."),
    )
    is_hidden = models.BooleanField(
        _("Hidden from strangers"),
        default=False,
        db_default=False,
        help_text=_(
            "Only the club's people see it and its games. With it are hidden every season that"
            " it counts for and, once it is played, the club's ratings."
        ),
    )
    venue = models.CharField(
        _("Where"),
        max_length=VENUE_MAX,
        blank=True,
        default="",
        db_default="",
        help_text=_("Left empty: where the club usually plays."),
    )
    correction_hours = models.PositiveSmallIntegerField(
        _("How many hours can results be corrected after the end?"),
        blank=True,
        default=24,
        db_default=24,
        validators=[MaxValueValidator(CORRECTION_HOURS_MAX)],
        help_text=_(
            "Then they can be official. 0: at once. Left empty: as the house rules say, usually 24."
        ),
    )
    is_results_only = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether nothing is played in it: see /results. It has no rounds.",
    )
    round_minutes = models.PositiveSmallIntegerField(
        _("Minutes for a round"),
        blank=True,
        default=0,
        db_default=0,
        validators=[MaxValueValidator(CLOCK_MINUTES_MAX)],
        help_text=_("Everybody sees the clock: here, on the wall and on the phones. Empty: none."),
    )
    break_minutes = models.PositiveSmallIntegerField(
        _("Minutes between two rounds"),
        blank=True,
        default=0,
        db_default=0,
        validators=[MaxValueValidator(CLOCK_MINUTES_MAX)],
        help_text=_("Left empty: the break is not counted."),
    )
    starts_clock = models.BooleanField(
        _("The clock starts with the round"),
        default=True,
        db_default=True,
        help_text=_("Else you start it at the desk, when everybody sits."),
    )
    shows_calls = models.BooleanField(
        _("The wall says which table calls the director"),
        default=False,
        db_default=False,
        help_text=_("Not why, and no names; until the director has taken the call."),
    )
    seed = models.CharField(
        _("What draws and lots are made from"),
        max_length=64,
        blank=True,
        help_text=_("Any text, made public: whoever has it can draw again. Empty: ours."),
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    corrections_ended_at = models.DateTimeField(null=True, editable=False)
    official_at = models.DateTimeField(null=True, editable=False)
    cancel_reason = models.CharField(
        max_length=REASON_MAX,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="Why it is called off, for everybody; empty if it is not.",
    )
    moved_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When it was to begin before it was last moved; null if it never was.",
    )
    move_reason = models.CharField(
        max_length=REASON_MAX,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="Why it was moved, for everybody.",
    )
    schedule_changed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="an_event_has_a_name"),
            models.CheckConstraint(
                condition=~models.Q(status=Status.CANCELLED) | ~models.Q(cancel_reason=""),
                name="a_cancelled_event_has_a_reason",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=Status.values), name="event_status_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(movement__in=Movement.values), name="movement_is_known"
            ),
        ]
        indexes = [models.Index(fields=["club", "starts_at"])]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        """The place where it is played; empty where neither it nor its club says so."""
        return self.venue or self.club.venue


EVENT_SETTINGS: Final = tuple(
    column.name for column in Event._meta.concrete_fields if column.editable
)
"""Columns that whoever sets an event up may fill in."""
SET_ONCE: Final = ("is_results_only", "seed")
"""Those that cannot be changed after that."""


class EntryStanding(models.TextChoices):
    """Standings of those who entered an event."""

    PLAYER = "player"
    GUEST = "guest"
    HOUSE = "house"


class Presence(DetailedChoices):
    """Whether somebody who entered is in the room; details are for running text."""

    EXPECTED = "expected", pgettext_lazy("presence", "expected"), "Expected"
    HERE = "here", pgettext_lazy("presence", "here"), "Here"
    LEFT = "left", pgettext_lazy("presence", "left"), "Left"
    WITHDRAWN = "withdrawn", pgettext_lazy("presence", "withdrawn"), "Withdrawn"


class Entry(models.Model):
    """Somebody who takes part in an event, from round ``first`` to ``last`` (None: to the end).

    Results belong to the entry; a substitute plays for it. ``pot`` is its seeding pot,
    ``stay_table`` and ``stay_seat`` where it always sits, ``never_tables`` the numbers of tables
    where it never does; entries of one ``household`` meet as seldom as can be. ``handicap`` is a
    fraction as text. ``lot`` is what its lot is drawn from, where that is not its id: an entry that
    came with an archive keeps its lot. ``fee_paid`` is what was paid of the entry fee, in minor
    units; the books are `scoring.games.fees`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="entries", editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="entries", editable=False
    )
    standing = models.CharField(max_length=6, choices=EntryStanding, default=EntryStanding.PLAYER)
    presence = models.CharField(max_length=9, choices=Presence, default=Presence.EXPECTED)
    first = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(ROUNDS_MAX)]
    )
    last = models.PositiveSmallIntegerField(null=True, editable=False)
    team = models.CharField(
        _("Team"),
        max_length=100,
        blank=True,
        help_text=_("Those of one team are kept apart."),
    )
    household = models.CharField(
        _("Household"),
        max_length=100,
        blank=True,
        db_default="",
        help_text=_("Those of one household meet as seldom as can be."),
    )
    pot = models.PositiveSmallIntegerField(
        _("Seeding pot"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
    )
    stay_table = models.PositiveSmallIntegerField(
        _("Always at table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(TABLE_NUMBER_MAX)],
    )
    stay_seat = models.PositiveSmallIntegerField(
        _("Always in seat"), null=True, blank=True, validators=[MaxValueValidator(5)]
    )
    never_tables = models.JSONField(_("Never at tables"), default=list)
    sits_out = models.BooleanField(_("Sits out first, if somebody has to"), default=False)
    handicap = models.CharField(
        _("Handicap"),
        max_length=40,
        blank=True,
        help_text=_("A number such as 3 or 21/2."),
    )
    lot = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    fee_paid = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    entered_at = models.DateTimeField(editable=False)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="a_player_enters_once"),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once"),
            models.CheckConstraint(
                condition=models.Q(standing__in=EntryStanding.values),
                name="entry_standing_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(presence__in=Presence.values), name="presence_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(last__isnull=True) | models.Q(last__gte=models.F("first") - 1),
                name="an_entry_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number}"


ENTRY_SETTINGS: Final = tuple(
    column.name
    for column in Entry._meta.concrete_fields
    if column.editable and column.name != "first"
)
"""Columns that can be changed; the first round is said once, with the entry."""


class Apart(models.Model):
    """Two entries that never sit at one table if it can be helped; ``one`` has the lower number."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="apart")
    one = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = "pair kept apart"
        verbose_name_plural = "pairs kept apart"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="a_pair_is_kept_apart_once"),
            models.CheckConstraint(
                condition=~models.Q(one=models.F("other")), name="nobody_is_apart_from_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} apart from {self.other_id}"


class Adjustment(models.Model):
    """A penalty or a bonus in the score of an event, by the director; cancelled, never changed.

    ``amount`` is a fraction as text, ``round`` the one that it belongs to, if to one.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="adjustments")
    amount = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(null=True)
    affects_place = models.BooleanField(default=False)
    reason = models.CharField(max_length=REASON_MAX)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(reason=""), name="an_adjustment_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} for {self.entry_id}"


class RecordedResult(models.Model):
    """The result of an entry in an event with results only (`Event.is_results_only`).

    ``points`` are a fraction as text, empty where the place alone is known. Entries that share a
    ``place`` have the same. ``games`` is 0 where nobody wrote down how many were played.
    """

    entry = models.OneToOneField(
        Entry, on_delete=models.PROTECT, primary_key=True, related_name="recorded_result"
    )
    points = models.CharField(max_length=40, blank=True)
    place = models.PositiveSmallIntegerField(null=True)
    games = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(points="") | models.Q(place__isnull=False),
                name="a_result_has_points_or_a_place",
            ),
            models.CheckConstraint(
                condition=models.Q(place__isnull=True) | models.Q(place__gte=1),
                name="places_count_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.points or self.place} for {self.entry_id}"
