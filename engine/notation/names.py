"""Names: the tags, tables and columns that the notation defines (notation.md 3.3)."""

from typing import Final

ROSTER: Final = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
"""The mandatory tags, in the order of PBN."""

PLAYERS: Final = {
    "N": "North",
    "NE": "NorthEast",
    "E": "East",
    "SE": "SouthEast",
    "S": "South",
    "SW": "SouthWest",
    "W": "West",
    "NW": "NorthWest",
}
"""The tag of the player's name, by seat."""

TABLES: Final = (
    "SeatTable",
    "DealTable",
    "InsuranceTable",
    "PassTable",
    "CentreTable",
    "AuctionTable",
    "PlayTable",
    "CaptureTable",
    "RulingTable",
    "RebuyTable",
    "PotTable",
    "ScoreTable",
    "TotalScoreTable",
    "NoteTable",
    "DecisionTable",
    "SupersededTable",
    "ConfirmationTable",
    "CarriedTable",
)
"""The tables, in the order of the game."""

CLUB_TAGS: Final = (
    "GameName",
    "GamePhase",
    "GameRules",
    "CarriedPot",
    "BoardStart",
    "Outside",
    "EnteredText",
)
"""What only the club knows where a hand was played, and archives of clubs tell."""

CLUB_TABLES: Final = (
    "SeatTable",
    "DecisionTable",
    "SupersededTable",
    "ConfirmationTable",
    "CarriedTable",
)
"""Tables of what was known or decided beside a hand, which its record did not say."""

CLUB_RECORD: Final = "ClubRecord"
"""The tag of a record that is no hand: it tells of an event, a league or the books of a club."""
CLUB_RECORD_COLUMNS: Final = {
    "PersonTable": "Id;Name;Kind",
    "SettingTable": "Setting;Value",
    "EntryTable": "Entry;Id;Standing;Presence;First;Last;Handicap;Lot;Team",
    "ResultTable": "Entry;Points;Place;Games",
    "SeatingTable": "Round;Table;Seat;Entry",
    "SitOutTable": "Round;Entry",
    "AdjustmentTable": "Entry;Amount;Round;Place;Text",
    "SeatDecisionTable": "Game;Entry;Kind;Hands;Amount;Text",
    "BoardTable": "Board;Source;Table;Deal;Key",
    "BoardDecisionTable": "Game;Hand;Verdict;Board;Turn;Text",
    "LeagueTable": "League;Setting;Value",
    "SessionTable": "League;Session;Weight;Division",
    "RollTable": "League;Id;Division;Opening;Events;Handicap;Joined;Withdrawn",
    "PaymentTable": "Kind;From;To;Amount;Unit;At;Game;Text",
    "NotCarriedTable": "What;Count",
}
"""The tables of such records, with their columns (notation.md 11)."""

SECTIONS: Final = ("Auction", "Play")
"""The sections of PBN: tags with rows that are no tables."""

HEARTS_TAGS: Final = (
    "Detail",
    "Seats",
    "PainSuit",
    "Jackpot",
    "Pass",
    "Stripped",
    "Centre",
    "Claim",
    "DealTable",
    "InsuranceTable",
    "PassTable",
    "CentreTable",
    "PlayTable",
    "CaptureTable",
    "RebuyTable",
    "PotTable",
)
"""Tags that no bridge file has."""

HEARTS_MARKS: Final = frozenset((*HEARTS_TAGS, "Variant", "Rules"))
"""Tags that show a record of a Hearts game."""

PHN_TAGS: Final = (
    "Variant",
    "Rules",
    "Termination",
    "Ante",
    "Currency",
    "Stake",
    "Hands",
    "HandId",
    "GameId",
    "Recorder",
    "Round",
    "Section",
    "Stage",
    "Table",
    "DealId",
    "Time",
    "UTCDate",
    "UTCTime",
    "Annotator",
    "Application",
    "Competition",
    "Generator",
    "Description",
    "Mode",
    "NorthEast",
    "NorthWest",
    "SouthEast",
    "SouthWest",
    "AuctionTable",
    "RulingTable",
    "ScoreTable",
    "TotalScoreTable",
    "NoteTable",
    *CLUB_TAGS,
    *CLUB_TABLES,
    CLUB_RECORD,
    *CLUB_RECORD_COLUMNS,
)

BRIDGE_TAGS: Final = (
    "AnnotatorNA",
    "Auction",
    "AuctionTimeTable",
    "ActionTable",
    "BCFlags",
    "BidSystemEW",
    "BidSystemNS",
    "DealId",
    "DoubleDummyTricks",
    "EastNA",
    "EastType",
    "EventDate",
    "EventSponsor",
    "FrenchMP",
    "HomeTeam",
    "InstantScoreTable",
    "NorthNA",
    "NorthType",
    "Note",
    "OptimumPlayTable",
    "OptimumResultTable",
    "OptimumScore",
    "PairEW",
    "PairNS",
    "ParContract",
    "Play",
    "PlayTimeTable",
    "Room",
    "Score",
    "ScoreIMP",
    "ScoreMP",
    "ScorePercentage",
    "ScoreRubber",
    "ScoreRubberHistory",
    "SouthNA",
    "SouthType",
    "Termination",
    "TimeCall",
    "TimeCard",
    "TimeControl",
    "UTCDate",
    "UTCTime",
    "VisitTeam",
    "WestNA",
    "WestType",
)

KNOWN_TAGS: Final = frozenset((*ROSTER, *HEARTS_TAGS, *PHN_TAGS, *BRIDGE_TAGS))
"""Every tag that this program has heard of."""

SCORE_COLUMNS: Final = frozenset(
    (
        *("Seat", "Pain", "Before", "Bid", "Paid", "Won", "After"),
        *("Hearts", "Queen", "Insurance", "Centre", "Adjust", "Moon", "Points", "Total"),
    )
)
"""The columns that a score table can have, in whatever system."""

COLUMNS: Final = {
    "DealTable": frozenset(("Seat", "S", "H", "D", "C")),
    "PassTable": frozenset(("From", "To", "Cards")),
    "CentreTable": frozenset(("Seat", "Card", "Bid", "Shown", "Got", "Pays")),
    "CaptureTable": frozenset(("Seat", "Tricks", "Cards")),
    "RulingTable": frozenset(("Trick", "Seat", "Code", "Points", "Text")),
    "RebuyTable": frozenset(("Seat", "When", "Stacks")),
    "PotTable": frozenset(("Before", "Bid", "Paid", "Won", "After")),
    "ScoreTable": SCORE_COLUMNS,
    "TotalScoreTable": frozenset(
        ("Rank", "Seat", "Names", "TotalScore", "Average", "Settlement", "Cash")
    ),
}
"""The columns of the tables that a hand record is read from, where they are not seats."""

_START: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_PART: Final = _START | frozenset("0123456789_")


def is_name(text: str) -> bool:
    """Whether a text can be the name of a tag; lower case is let through, to be mended."""
    return bool(text) and text[0] in _START and _PART.issuperset(text)
