"""What ``info`` says of trunk, head and arms, by their markers alone."""

from __future__ import annotations

from gaitdyn.tables.marked_person import upper_parts

WHOLE = [
    "CLAV", "C7", "STRN", "T10", "LFHD", "RFHD", "LBHD", "RBHD",
    *(side + name for side in "LR" for name in ("SHO", "ELB", "WRA", "WRB", "FIN")),
]  # fmt: skip


def test_a_whole_upper_body_lacks_nothing() -> None:
    found = upper_parts(WHOLE)
    assert not any("lacks" in words for words in found.values())
    assert found["whole body"] == "centre of mass and loads at the waist"


def test_what_lacks_is_named_and_what_it_costs() -> None:
    found = upper_parts([name for name in WHOLE if name not in {"LFHD", "RELB", "STRN", "T10"}])
    assert found["thorax"] == "lacks STRN or T10"
    assert found["head"] == "lacks LFHD"
    assert found["right arm"] == "lacks RELB"
    assert found["whole body"].startswith("nothing above the legs")
    arms = upper_parts([name for name in WHOLE if name not in {"RWRA", "RWRB"}])
    assert arms["right arm"] == "lacks RWRA or RWRB"
    assert arms["whole body"] == "no centre of mass, no loads at the waist: no right arm"


def test_legs_alone_have_no_upper_body() -> None:
    assert upper_parts(["LASI", "RASI", "LKNE"]) == {}
