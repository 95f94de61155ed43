"""Demo: a club after three nights and a season, made by nothing but the use cases of a real one.

The engine plays every hand by the rules, with dice of one seed; what went wrong is altered
afterwards, as somebody would have written it down. The same seed gives the same club: only the
password, the links and some identifiers differ.
"""

from scoring.management.demo.build import TABLES, Size, build
from scoring.management.demo.new_club import DemoAccount, Founded
from scoring.management.demo.season import NIGHTS
from scoring.management.demo.summary import ClubFigures, tell

__all__ = ["NIGHTS", "TABLES", "ClubFigures", "DemoAccount", "Founded", "Size", "build", "tell"]
