"""One box for other people, one for those who may be: each pair in it, what holds for all once."""

from __future__ import annotations

from gaitdyn.judge.changes.whose import PersonCheck
from gaitdyn.report.first_screen.notices import person_notices

SAME = PersonCheck()
TALLER = PersonCheck("1.76 m and 1.50 m", two=True)
NAMED = PersonCheck("two pseudonyms", two=True, named=True)
LIGHTER = PersonCheck("74 kg and 55 kg")


def test_one_pair_is_told_by_its_own_sentence() -> None:
    (found,) = person_notices(["A", "B"], [TALLER])
    assert (found.title, found.glyph) == ("A and B: two people", "\u2717")
    assert found.text == f"{TALLER.sentence}."
    assert person_notices(["A", "B"], [SAME]) == ()


def test_several_pairs_share_what_holds_for_all() -> None:
    people, asked = person_notices("ABCD", [TALLER, LIGHTER, NAMED])
    assert people.title == "A, B, D: different people"
    assert people.text == (
        "A against B (1.76 m and 1.50 m), D (two pseudonyms): no change is judged; give all the"
        " same id if it is one person (subject.toml)."
    )
    assert (asked.title, asked.glyph) == ("A and C: one person?", "!")
    assert asked.text == f"{LIGHTER.sentence}."


def test_two_who_may_be_others_are_asked_about_at_once() -> None:
    (found,) = person_notices("ABC", [LIGHTER, LIGHTER])
    assert found.title == "A, B, C: one person?"
    assert "no change is called clear" in found.text


def test_people_of_one_folder_are_told_with_their_trials() -> None:
    apart = PersonCheck("body mass 53.5 to 57.0 kg", two=True, named=True, of="trials")
    trials = [["T02", "T03"], ["T04"]]
    (found,) = person_notices(["Person 1", "Person 2"], [apart], trials)
    assert found.text.endswith("no change is judged. Person 1: T02, T03; Person 2: T04.")
    (found,) = person_notices(["A", "B"], [TALLER], trials)
    assert "T02" not in found.text
