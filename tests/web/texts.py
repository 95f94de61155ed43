"""Records for the tests of the pages, made from the examples."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "scoring" / "web" / "examples"
SLUGS = sorted(path.stem for path in FOLDER.glob("*.phn"))


def example(slug: str) -> str:
    return (FOLDER / f"{slug}.phn").read_text(encoding="utf-8")


BICYCLE = example("1-bicycle-auction-full")
# West does not follow clubs in trick 3; the club comes out in trick 9. Nothing else changes.
REVOKE = BICYCLE.replace("CJ C5 CA C4", "CJ S4 CA C4").replace("D9 S4 SJ C3", "D9 C5 SJ C3")
DISPUTED = (
    BICYCLE.replace("CJ C5 CA C4", "CJ C5 HK C4")
    .replace("C2 CK HK CQ", "C2 CK CA CQ")
    .replace("2 Pass 4 3", "2 Pass 60 3")
    .replace("D8 DA D5 D7", "D8 DA D5 S4")
    .replace("D9 S4 SJ C3", "D9 D7 SJ C3")
    .replace("0 4 13 17 0", "1 4 12 17 2")
    .replace("N 7 50 0 7 0 43", "N 8 50 0 7 1 43")
    .replace("W 1 50 0 1 0 49", "W 1 50 0 2 0 49")
    .replace('[Date "2025.11.14"]', '[Date "2025.02.30"]')
    .replace('[Board "7"]', '[Board "seven"]')
    .replace('[Termination "normal"]', '[Termination "bored"]\n[Table "2"]')
)
LONG_NAMES = (
    BICYCLE.replace("de Vries, Wim", "von und zu Hohenstaufen-Württemberg, Maximilian Ferdinand")
    .replace("Adams, Nora", "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine")
    .replace("Baker, Ed", "Ng, Y")
    .replace("Leiden Hearts League, round 3", "The Grand Autumn Invitational " * 4)
)
NEXT_HAND = (
    BICYCLE.replace('[Board "7"]', '[Board "8"]')
    .replace("% PHN 1.0\n", "")
    .replace("N 7 50 0 7 0 43", "N 7 43 0 7 0 36")
    .replace("E 0 41 0 0 17 58", "E 0 58 0 0 17 75")
    .replace("S 5 59 4 5 0 50", "S 5 50 4 5 0 41")
    .replace("W 1 50 0 1 0 49", "W 1 49 0 1 0 48")
)
BRIDGE = """[Event "Club pairs"]
[Board "1"]
[Dealer "N"]
[Deal "N:AKQ2.K42.A65.KQ3 J543.AQ3.K42.A52 T98.JT98.QJT.JT4 76.765.9873.9876"]
[Declarer "N"]
[Contract "3NT"]
[Auction "N"]
1NT Pass 3NT AP
"""
GAME = f"{BICYCLE}\n{NEXT_HAND}"
SEVERAL = f"{GAME}\n{example('3-hoyle-auction-6p-jackpot').replace('% PHN 1.0', '')}"
