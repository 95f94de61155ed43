"""Lists of names as clubs have them, and whom they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import DIRECTOR, at, make_club
from tournaments.core.errors import RefusedError
from tournaments.imports import MemberRoll, match_names, read_name_list
from tournaments.imports.headings import NAME_FIELDS
from tournaments.models import Club, Player, PlayerKind
from tournaments.people.members import NewPlayer, add_player


def names(text: str) -> list[str]:
    return [one.name for one in read_name_list(text.encode()).names]


def add(club: Club, name: str, kind: str = PlayerKind.MEMBER) -> Player:
    new = NewPlayer(person={"name": name}, kind=kind)
    return add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ada Adler\nBob Baker\n", ["Ada Adler", "Bob Baker"]),
        ("Ada Adler, Bob Baker,\nCarl", ["Ada Adler", "Bob Baker", "Carl"]),
        ("Ada, Bob, Carl", ["Ada", "Bob", "Carl"]),
        ("Ada Adler; Bob Baker", ["Ada Adler", "Bob Baker"]),
        ("Adler; Ada\nBaker; Bob", ["Ada Adler", "Bob Baker"]),
        ("Adler, Ada", ["Ada Adler"]),
        ("van der Berg, Jan", ["Jan van der Berg"]),
        ("Ada Adler, Bob", ["Ada Adler", "Bob"]),
        ("Adler, Ada\nGarcía Márquez, Gabriel", ["Ada Adler", "Gabriel García Márquez"]),
        ("1. Ada Adler\n2) Bob\n- Carl\n• Dora\n☐ Ed", ["Ada Adler", "Bob", "Carl", "Dora", "Ed"]),
        ("Ada Adler <ada@example.org>\nbob@example.org\n", ["Ada Adler"]),
        ("Ada Adler\t17\t+31 6 1234\nBob\tBaker\n", ["Ada Adler", "Bob Baker"]),
        ("Name\nAda Adler, Bob Baker", ["Ada Adler", "Bob Baker"]),
        ("Nachname;Vorname\nGrün;Zoë\nAdler;Ada\n", ["Zoë Grün", "Ada Adler"]),
        ("No\tName\n7\tGrün, Zoë\n", ["Zoë Grün"]),
        ("Adler;Ada\nLast;Jan\n", ["Ada Adler", "Jan Last"]),
        ('Bob "Bobby Baker\nCarl', ['Bob "Bobby Baker', "Carl"]),
        ("\ufeffZoë Grün\r\n\r\nÆsa Groß\r\n", ["Zoë Grün", "Æsa Groß"]),
    ],
)  # fmt: skip
def test_a_list_is_read_as_it_is_meant(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


def test_member_numbers_stand_in_a_column_or_behind_the_name() -> None:
    found = read_name_list(b"Number;Name\n17;Ada\n").names
    assert [(one.name, one.number) for one in found] == [("Ada", 17)]
    found = read_name_list(b"Ada (17)\nBob").names
    assert [(one.name, one.number) for one in found] == [("Ada", 17), ("Bob", None)]
    assert [one.text for one in found] == ["Ada (17)", "Bob"]


@pytest.mark.parametrize("text", ["", " \n\n", "1.\n2.\n", "---", "Vorname;Telefon\n"])
def test_a_list_without_names_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="no name"):
        names(text)


def test_rows_that_cannot_be_used_are_named_and_the_others_are_read() -> None:
    found = read_name_list("Name;Phone\nAda;1\n;2\n{};3\n".format("x" * 201).encode())
    assert [one.name for one in found.names] == ["Ada"]
    assert [(one.row, one.column) for one in found.remarks] == [(3, 1), (4, 1)]
    found = read_name_list(f"Ada\n{'x' * 201}".encode())
    assert [one.sentence for one in found.remarks] == ["Row 2: the name has more than 200 letters"]


HEADINGS = {heading for field in NAME_FIELDS for heading in field.headings}
LETTERS = st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F)
WORD = st.text(LETTERS, min_size=2, max_size=9).filter(lambda word: word.lower() not in HEADINGS)
FULL = st.tuples(WORD, WORD).map(" ".join)


@given(st.lists(FULL, min_size=1, max_size=40), st.sampled_from(["\n", ", ", "; ", ",\n", "\r\n"]))
def test_whole_names_are_read_with_any_sign_between_them(people: list[str], sign: str) -> None:
    assert names(sign.join(people)) == people


@given(st.lists(st.tuples(WORD, WORD), min_size=2, max_size=40), st.sampled_from([";", ", ", "; "]))
def test_surnames_that_come_first_are_turned(people: list[tuple[str, str]], sign: str) -> None:
    text = "\n".join(sign.join(pair) for pair in people)
    assert names(text) == [f"{first} {last}" for last, first in people]


@pytest.mark.django_db
def test_a_name_means_a_member_a_similar_one_or_somebody_new() -> None:
    club = make_club()
    ada, jon = add(club, "Ada Adler"), add(club, "Jon Ødegård", PlayerKind.GUEST)
    one, two = add(club, "Ann Archer"), add(club, "Ann Archer")
    text = "adler, ada\nJon Odegard\nAnn Archer\nAnn Archer (4)\nOdegard Jon\nAda Addler\nZoë\nZoe"
    found = match_names(read_name_list(text.encode()).names, MemberRoll(club.pk))
    assert [[each.player for each in match.members] for match in found] == [
        *([ada.pk], [], [one.pk, two.pk], [two.pk], [], [], [], []),
    ]
    assert [[each.player for each in match.similar] for match in found[4:]] == [
        *([jon.pk], [ada.pk], [], []),
    ]
    assert [each.player for each in found[1].similar] == [jon.pk]
    assert [match.repeats for match in found] == [0, 0, 0, 0, 0, 0, 0, 7]
    assert [match.is_clear for match in found] == [
        *(True, False, False, True, False, False, True, False)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Anna Berg <anna@club.example>; Bo Holm <bo@club.example>",
        '"Berg, Anna" <anna@club.example>, "Holm, Bo" <bo@club.example>',
        "> 1) Anna Berg\n> 2) Bo Holm",
        "- [x] Anna Berg\n- [ ] Bo Holm",
        "1 Anna Berg\n2 Bo Holm +49 171 1234567",
        "\u2705 Anna Berg \U0001f44d\n\u27a1\ufe0f Bo Holm",
        "1\ufe0f\u20e3 'Anna Berg'\n2\ufe0f\u20e3 \u201eBo Holm\u201c",
        "a) Anna Berg (anna@club.example)\nb) Bo Holm <mailto:bo@club.example>",
    ],
)
def test_names_out_of_mails_and_chats_are_names_alone(text: str) -> None:
    assert names(text) == ["Anna Berg", "Bo Holm"]
