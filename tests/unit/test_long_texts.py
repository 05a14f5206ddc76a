"""However long a text in a file is, a message is one line that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.calibrate.body.subject_file import read_subject_file
from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.calibrate.models.files import load_model
from gaitdyn.emg.maxima import read_maxima
from gaitdyn.errors import LONGEST, GaitdynError, OptionRefused, UsageError
from gaitdyn.io.storage import read_storage
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.quality.rules import load_rules
from gaitdyn.uncertainty.inputs import input_errors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG = "w" * 5000
TABLE = "segment,sex,proximal,distal,mass,cm_along,r_x,r_y,r_z,source\n"
NORM = "group,speed,count,curve,percent,mean,sd,unit\n"


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("t.csv", f"{LONG},{TABLE}", load_table),
        ("t.csv", f"{TABLE}foot,,ankle,toe,{LONG},0.5,0.4,0.4,0.1,me\n", load_table),
        ("m.toml", f"{LONG} = 1\nname = 'a'\nengine = 'chord'\nlabels = {{}}\n", load_model),
        ("s.toml", f"[subject]\n{LONG} = 1\n", read_subject_file),
        ("s.toml", f"[subject]\nleft = '{LONG}'\n", read_subject_file),
        ("s.toml", f"[subject]\nmass_kg = '{LONG}'\n", read_subject_file),
        ("e.toml", f"'{LONG}' = 'x'\n", read_maxima),
        ("w.mot", f"f\nendheader\n{LONG}\tf\n0\t1\n", read_storage),
        ("w.mot", f"DataType={LONG}\nendheader\ntime\tf\n0\t1\n", read_storage),
        ("n.csv", f"{NORM}free,0.43,25,{LONG},0,1,5,deg\n", read_norm),
        ("n.csv", f"{NORM}free,0.43,25,hip_angle_flexion,0,{LONG},5,deg\n", read_norm),
        ("n.csv", f"{NORM}free,0.43,25,hip_angle_flexion,0,1,5,{LONG}\n", read_norm),
        ("n.gcd", f"$LeftX\n!LeftHipFlexExt\n{LONG} 2\n" + "1 2\n" * 50, read_norm),
        ("q.toml", f"[{LONG}]\nlimit = 1\n", load_rules),
        ("q.toml", f"[order-up]\n{LONG} = 1\n", load_rules),
        ("u.toml", f"{LONG} = 1\n", input_errors),
    ],
)
def test_a_long_text_of_a_file_is_cut(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    read: Callable[[Any], Any],
) -> None:
    monkeypatch.setattr("gaitdyn.errors.LONGEST", 10**6)  # where it is cut last of all
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(GaitdynError) as caught:
        read(str(path))
    said = str(caught.value)
    assert len(said) < 700
    assert name in said
    assert "\n" not in said


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_a_table_in_another_encoding_is_told_as_such(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"{TABLE}foot,,ankle,toe,0.01,0.5,0.4,0.4,0.1,me\n".encode(encoding))
    with pytest.raises(UsageError, match=r"t.csv: the text is not in utf-8 \(save it"):
        load_table(str(path))


def test_a_message_keeps_what_was_found_and_what_to_do() -> None:
    said = str(UsageError(f"t.csv: found {LONG}; wanted a table; check the file"))
    assert len(said) <= LONGEST
    assert said.startswith("t.csv: found www")
    assert said.endswith("www; wanted a table; check the file")
    assert len(OptionRefused(LONG, LONG).of_command) <= LONGEST
    assert str(UsageError("short")) == "short"
