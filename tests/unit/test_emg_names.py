"""Which channels are electromyography, of which muscle and side."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.emg.copies import copies_of
from gaitdyn.emg.muscle_table import muscle_table, norm_of
from gaitdyn.emg.naming import name_channels, read_name, without_muscle
from gaitdyn.emg.norms import norm_shape
from gaitdyn.errors import UsageError
from gaitdyn.session.emg_names import read_emg_file
from gaitdyn.session.session_file import read_session_file
from gaitdyn.types.emg import AnalogChannels

WRITTEN = [
    ("Voltage.L Rect", "rectus_femoris", "left"),
    ("Voltage.R Hams", "hamstrings", "right"),
    ("Voltage.L Tib Post", "tibialis_posterior", "left"),
    ("R_ST", "medial_hamstrings", "right"),
    ("R_PE", "peroneus_longus", "right"),
    ("Left Rectus femoris", "rectus_femoris", "left"),
    ("Right Semimembranosus", "medial_hamstrings", "right"),
    ("Right Biceps femoris caput longu", "lateral_hamstrings", "right"),
    ("Right Gastrocnemius medialis", "medial_gastrocnemius", "right"),
    ("L.Ant.Tib", "tibialis_anterior", "left"),
    ("R.Quads", "rectus_femoris", "right"),
    ("L Med Ham", "medial_hamstrings", "left"),
    ("R VMed", "vastus_medialis", "right"),
    ("LTIB", "tibialis_anterior", "left"),
    ("L Vaste Ext", "vastus_lateralis", "left"),
    ("R Jum Int", "medial_gastrocnemius", "right"),
    ("Voltage.Sol_Gauche", "soleus", "left"),
    ("HamL_r", "lateral_hamstrings", "right"),
    ("TA_r", "tibialis_anterior", "right"),
    ("Gluet Max", "gluteus_maximus", ""),
    ("Vast Lat", "vastus_lateralis", ""),
    ("TFL", "tensor_fasciae_latae", ""),
    ("EMG 1 - RTA", "tibialis_anterior", "right"),
    ("LeftTibAnt", "tibialis_anterior", "left"),
    ("RT MED. GASTRO", "medial_gastrocnemius", "right"),
    ("R TIBIALIS ANTERIOR: EMG 1", "tibialis_anterior", "right"),
    ("EMG-VL-R", "vastus_lateralis", "right"),
    ("Rectus femoris R (EMG)", "rectus_femoris", "right"),
    ("m. soleus links", "soleus", "left"),
    ("EMG7", "", ""),
    ("Voltage.L Spare", "", "left"),
    ("G Med", "gluteus_medius", ""),
    ("G Med R", "gluteus_medius", "right"),
    ("TA G", "tibialis_anterior", "left"),
    ("Droit fem G", "rectus_femoris", "left"),
    ("Droit TA", "tibialis_anterior", "right"),
    ("Re Fem L", "rectus_femoris", "left"),
    ("Re Spare L", "", ""),
    ("Vasto lat sx", "vastus_lateralis", "left"),
    ("Vastinterno", "vastus_medialis", ""),
    ("Jambier antérieur G", "tibialis_anterior", "left"),
    ("Soléaire D", "soleus", "right"),
    ("tibial anterior", "tibialis_anterior", ""),
    ("Ischio externe", "lateral_hamstrings", ""),
    ("isquiotibiales internos", "medial_hamstrings", ""),
    ("Hamstrings_lat", "lateral_hamstrings", ""),
    ("demi tendineux G", "medial_hamstrings", "left"),
    ("gemelo interno derecho", "medial_gastrocnemius", "right"),
    ("Gemello laterale dx", "lateral_gastrocnemius", "right"),
    ("glúteo mayor", "gluteus_maximus", ""),
    ("bifem_r", "lateral_hamstrings", "right"),
    ("Retto femorale", "rectus_femoris", ""),
    ("aductor", "adductor_longus", ""),
    ("L Adductor Longus", "adductor_longus", "left"),
    ("L Adductor Magnus", "adductor_magnus", "left"),
    ("R Peroneus Brevis", "peroneus_brevis", "right"),
    ("R_PB", "peroneus_brevis", "right"),
    ("Court péronier D", "peroneus_brevis", "right"),
    ("Peroneus tertius L", "peroneus_tertius", "left"),
    ("Long péronier G", "peroneus_longus", "left"),
    ("R Iliocostalis", "erector_spinae", "right"),
    ("R Iliopsoas", "iliopsoas", "right"),
    ("L Quadratus Lumborum", "", "left"),
    ("R Semispinalis", "", "right"),
    ("R G Medialis", "medial_gastrocnemius", "right"),
    ("grande gluteo dx", "gluteus_maximus", "right"),
    ("Grand dorsal G", "", "left"),
    ("Gracile D", "gracilis", "right"),
    ("Bicipite brachiale sx", "", "left"),
    ("Ext Dig Brevis L", "", "left"),
    ("Ext Dig Long L", "extensor_digitorum_longus", "left"),
    ("LeftSOL.IM EMG1", "soleus", "left"),
    ("sEMG: lateral gastrocnemius", "lateral_gastrocnemius", ""),
    ("EMG_Channels_EMG02_L_gastro_med", "medial_gastrocnemius", "left"),
    ("Noraxon Ultium-RT TIB.ANT.", "tibialis_anterior", "right"),
    ("Upper tibialis anterior", "tibialis_anterior", ""),
    ("LT LUMBAR ES (uV)", "erector_spinae", "left"),
    ("ercspn_r", "erector_spinae", "right"),
    ("LTIBIANT", "tibialis_anterior", "left"),
    ("RTAP", "tibialis_anterior", "right"),
    ("LPEROLNG", "peroneus_longus", "left"),
    ("Long fibulaire D", "peroneus_longus", "right"),
    ("RTNSRFLT", "tensor_fasciae_latae", "right"),
    ("LSEMB", "medial_hamstrings", "left"),
    ("reto_femoral", "rectus_femoris", ""),
    ("Vasto intermedio derecho", "vastus_intermedius", "right"),
    ("Isquiotibiales der", "hamstrings", "right"),
    ("Ischio-jambiers G", "hamstrings", "left"),
    ("Moyen glutéal", "gluteus_medius", ""),
    ("VASL", "vastus_lateralis", ""),
    ("BicepsDroit", "lateral_hamstrings", "right"),
    ("DroitAnterieurGauche", "rectus_femoris", "left"),
    ("R Hip Flexors", "iliopsoas", "right"),
    ("RT Hip Flexion", "", "right"),
]
"""Label, muscle, side."""


def test_labels_of_many_laboratories_tell_muscle_and_side():
    names = [(label, read_name(label)) for label, _, _ in WRITTEN]
    assert [(label, name.muscle, name.side) for label, name in names] == WRITTEN


def test_beside_a_medial_twin_the_l_of_a_label_means_lateral():
    others = ("MHAMS", "LHAMS", "MGAST", "LGAST", "MSOLEUS")
    assert read_name("LHAMS", others).muscle == "lateral_hamstrings"
    assert read_name("LGAST", others).side == ""
    assert read_name("MGAST", others).muscle == "medial_gastrocnemius"


@pytest.mark.parametrize(
    ("stem", "muscle"),
    [("TA", "tibialis_anterior"), ("HAM", "hamstrings"), ("GAS", "gastrocnemius"),
     ("BF", "lateral_hamstrings")],
)  # fmt: skip
def test_a_last_letter_is_the_side_beside_its_mirrored_label(stem, muscle):
    """``HAML`` beside ``HAMR`` was the lateral hamstrings."""
    both = (f"{stem}L", f"{stem}R")
    found = [read_name(label, both) for label in both]
    assert [(name.muscle, name.side) for name in found] == [(muscle, "left"), (muscle, "right")]
    assert read_name("GASL", ("GASL", "GASM")).muscle == "lateral_gastrocnemius"


def sides_and_muscles(*labels: str) -> list[tuple[str, str]]:
    found = [read_name(label, labels) for label in labels]
    return [(name.side, name.muscle) for name in found]


def test_a_letter_of_a_side_in_few_languages_needs_another_in_the_file():
    """G was left in ``G_gast_lat``, the sensor after 9 and before A."""
    lateral, soleus = "lateral_gastrocnemius", "soleus"
    assert sides_and_muscles("G_gast_lat", "3_soleus") == [("", lateral), ("", soleus)]
    both = [("left", soleus), ("right", soleus)]
    assert sides_and_muscles("Sol G", "Sol D") == both
    assert sides_and_muscles("Sol E", "Sol D") == both
    assert sides_and_muscles("Sol_I", "Sol_D") == both
    assert sides_and_muscles("Sol E", "TA D") == [("", soleus), ("right", "tibialis_anterior")]


def test_beside_the_medial_vastus_another_internal_one_is_the_intermedius():
    names = [read_name(label, ("vas_med_r", "vas_int_r", "VI")) for label in ("vas_int_r", "VI")]
    assert [(name.muscle, name.note) for name in names] == [("vastus_intermedius", "")] * 2
    assert read_name("vas_int_r", ("vas_int_r", "vas_lat_r")).note.startswith("VAST INT")


@pytest.mark.parametrize("arm", ["tri.IM EMG6", "R Triceps", "Delt_ant", "pec", "RBrachioradialis"])
def test_biceps_beside_muscles_of_the_arm_is_no_hamstring(arm):
    for label in ("R Biceps", "bic.IM EMG5"):
        name = read_name(label, (label, arm, "R Rect"))
        assert (name.muscle, name.note[:6]) == ("", "BICEPS")
    assert read_name("R Biceps Fem", ("R Biceps Fem", arm)).muscle == "lateral_hamstrings"
    assert read_name("R Biceps", ("R Biceps", "R Rect")).muscle == "lateral_hamstrings"


@pytest.mark.parametrize(
    "label",
    ["GM", "LAT", "R_GL", "LVAS", "LGRF", "RQuad", "L_ADD", "VI D", "R Vast Int", "RGlut", "L TS"],
)
def test_what_is_ambiguous_is_said(label):
    assert read_name(label).note


def test_a_name_that_may_be_two_muscles_is_none_of_them():
    assert read_name("Voltage.GM_Droit").muscle == ""
    assert read_name("Voltage.GM_Droit").side == "right"


def test_every_norm_of_the_table_of_muscles_is_there():
    for row in muscle_table():
        assert not row.norm or norm_shape(row.norm) is not None, row.muscle
    assert norm_of("gastrocnemius") == "medial_gastrocnemius"


def channels(labels, texts=None, declared=None) -> AnalogChannels:
    n = len(labels)
    none = ("",) * n
    return AnalogChannels(
        tuple(range(1, n + 1)), tuple(labels), tuple(texts or none), none, none,
        tuple(declared or (None,) * n), np.zeros((n, 4)),
    )  # fmt: skip


def test_a_description_decides_where_the_label_is_ambiguous():
    analog = channels(["RLAT"], ["Right Lateral Hamstring"])
    name = name_channels(analog, 1000.0)[0]
    assert (name.muscle, name.side, name.named_by) == ("lateral_hamstrings", "right", "description")


@pytest.mark.parametrize(
    ("label", "text", "note"),
    [
        ("L PL", "Left tibialis anterior", "its description says tibialis anterior; say which"),
        ("L TA", "Left tibialis anterior", ""),
        ("L Gastroc", "Left medial gastrocnemius", ""),
        ("L PL", "Channel 7", ""),
    ],
)
def test_a_label_that_its_description_contradicts_is_told(label, text, note):
    name = name_channels(channels([label], [text]), 1000.0)[0]
    assert (name.named_by, name.side, name.note) == ("label", "left", note)


def test_channels_of_other_devices_are_none():
    analog = channels(["Channel_08", "Voltage.3", "Thing"], ["", "", "Noraxon EMG 1::EMG1"])
    assert list(name_channels(analog, 1000.0)) == [1, 2]
    assert list(name_channels(analog, 240.0)) == [2]


def test_the_word_emg_in_a_label_tells_a_channel_without_a_muscle():
    labels = ["Sensor 1.IM EMG1", "Ultium EMG.EMG 2 (uV)", "Front_Left_EMG", "Femgate"]
    assert list(name_channels(channels(labels), 1000.0)) == [0, 1, 2]


def test_a_numbered_channel_keeps_the_side_that_its_label_tells():
    name = name_channels(channels(["Voltage.L_EMG1"]), 1000.0)[0]
    assert (name.muscle, name.side) == ("", "left")


def test_the_laboratory_s_own_names_win_and_none_leaves_a_channel_out():
    analog = channels(["EMG1", "L Rect", "EMG3"])
    given = [("emg1", "soleus", "right"), ("L Rect", "none", "")]
    found = name_channels(analog, 1000.0, given)
    assert list(found) == [0, 2]
    assert (found[0].muscle, found[0].side, found[0].named_by) == ("soleus", "right", "user")


def test_channels_that_name_no_muscle_are_listed_but_no_copies_and_none_left_out():
    analog = channels(["ME", "L Rect", "L Rect_rms", "Thing", "EMG3"])
    assert without_muscle(analog, 1000.0) == ["ME", "Thing"]
    assert without_muscle(analog, 1000.0, [("thing", "none", "")]) == ["ME"]


@pytest.mark.parametrize(
    ("muscle", "meant"),
    [
        ("gastrocnemus", "gastrocnemius"), ("tibialis_anteriro", "tibialis_anterior"),
        ("solues", "soleus"), ("soleus", ""), ("popliteus", ""), ("none", ""),
        ("vastus_intermedius", ""), ("peroneus_brevis", ""), ("adductor_magnus", ""),
    ],
)  # fmt: skip
def test_a_misspelt_muscle_is_kept_and_noted(muscle, meant):
    found = name_channels(channels(["EMG1"]), 1000.0, [("EMG1", muscle, "left")])
    notes = [name.note for name in found.values()]
    said = f"no known muscle, so without a norm; did you mean {meant}?" if meant else ""
    assert notes == ([] if muscle == "none" else [said])
    assert [name.muscle for name in found.values()] == [muscle] * len(notes)


def test_emg_toml_takes_texts_and_tables(tmp_path):
    path = tmp_path / "emg.toml"
    path.write_text(
        '[emg]\n"EMG1" = "left tibialis anterior"\nEMG2 = {muscle = "soleus", side = "right"}\n'
        'EMG3 = "none"\nEMG4 = "left popliteus"\nEMG5 = "right Tib Ant"\n',
        encoding="utf-8",
    )
    assert read_emg_file(path) == (
        ("EMG1", "tibialis_anterior", "left"),
        ("EMG2", "soleus", "right"),
        ("EMG3", "none", ""),
        ("EMG4", "popliteus", "left"),
        ("EMG5", "tibialis_anterior", "right"),
    )


def test_session_toml_names_channels_and_bands(tmp_path):
    path = tmp_path / "session.toml"
    path.write_text(
        '[options]\nemg_band = "30-300"\nemg_notch = 50\n[emg]\nEMG1 = "left soleus"\n',
        encoding="utf-8",
    )
    found = read_session_file(path).options
    assert found["emg_channels"] == (("EMG1", "soleus", "left"),)
    assert found["emg_band_hz"] == (30.0, 300.0)
    assert found["emg_notch_hz"] == 50.0


@pytest.mark.parametrize("line", ["EMG1 = 3", 'EMG1 = "left 3x"', 'EMG1 = {place = "x"}'])
def test_a_wrong_line_is_refused_with_its_file(tmp_path, line):
    path = tmp_path / "emg.toml"
    path.write_text(f"# names\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"emg\.toml"):
        read_emg_file(path)


@pytest.mark.parametrize("line", ['EMG1.v = "left soleus"', '[EMG]\n"EMG1.v" = "left soleus"'])
def test_a_label_without_quotes_and_a_table_in_capitals_are_told_so(tmp_path, line):
    path = tmp_path / "emg.toml"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="with a point or blank needs quotes, and the table is "):
        read_emg_file(path)


def test_plates_pins_and_switches_are_no_candidates():
    from gaitdyn.io.analog import emg_candidates

    labels = [
        "Fx1", "F1X", "PF1Mz", "Force.Fx1", "Raw.Pin 17", "Pin 3", "Electric Potential.1", "HR",
        "LeftFootSwitch", "Foot Switch1.FS", "Digital.Sync", "TAPIS FZ1", "LGRF", "R Rect", "EMG1",
        "L Adductor Magnus", "Sensor 1.IM ACC Pitch1", "Sensor 1.IM MAG Yaw1", "Magnetometer X",
        "R TIBIALIS ANTERIOR: ACC X 4", "EMG_Sync", "Ultium EMG.Switch 1 (On)", "HeelSwitch_R",
        "Voltage.2-SquareDirect", "RT Hip Flexion (deg)", "TorqueL", "Stim1", "9_unused", "EKG",
        "Insole pressure 3", "L_ADD_MAGN", "R Adductor Magn.", "LAddMagn", "L Add Magn X",
    ]  # fmt: skip
    found = emg_candidates(cast("Any", _Parameters({("ANALOG", "LABELS"): labels})))
    muscles = ["L Adductor Magnus", "L_ADD_MAGN", "R Adductor Magn.", "LAddMagn"]
    assert [labels[i] for i in found] == ["LGRF", "R Rect", "EMG1", *muscles]


def test_the_group_emg_of_a_file_wins_over_the_names():
    from gaitdyn.io.analog import emg_candidates

    told = {("ANALOG", "LABELS"): ["Pin 3", "R Rect"], ("EMG", "TYPE"): np.array([1.0, 0.0])}
    assert emg_candidates(cast("Any", _Parameters(told))) == [0]


class _Parameters:
    """The parameters of a file, as a table."""

    def __init__(self, told):
        self._told = told

    def get(self, group, name, default=None):
        return self._told.get((group, name), default)

    def strings(self, group, name):
        return list(self._told.get((group, name), ()))

    def once(self, _key, read):
        return read()


def test_more_samples_than_fit_are_left_out_and_said(monkeypatch):
    from gaitdyn.io import analog

    told = cast("Any", _Parameters({("ANALOG", "LABELS"): ["L Sol", "R Sol"]}))
    samples = cast("Any", _Samples())
    assert analog.read_analog(told, samples)[1] == ()
    monkeypatch.setattr(analog, "MOST_SAMPLES", 1999)
    channels, (note,) = analog.read_analog(told, samples)
    assert channels is None
    assert note.startswith("2 channels may hold electromyography, 2,000 samples; it is left out")


class _Samples:
    """A thousand samples of two channels."""

    kept = (0, 1)
    scale = np.ones(2)

    def __len__(self):
        return 1000

    def of(self, channels):
        return np.zeros((1000, len(channels)))


def test_a_copy_that_another_program_filtered_is_left_out_unless_it_is_named():
    labels = ["Voltage.EMG1", "Voltage.EMG1_HPF", "Voltage.EMG1_Rectify_Env"]
    assert list(name_channels(channels(labels), 1000.0)) == [0]
    given = [("Voltage.EMG1_HPF", "soleus", "left"), ("Voltage.EMG1", "none", "")]
    assert list(name_channels(channels(labels), 1000.0, given)) == [1]


def test_a_channel_is_a_copy_only_of_one_in_the_file():
    assert copies_of(["L Rect", "R Rect", "EMG2_HPF", "Norm", "Env 1"]) == {}
    assert copies_of(["R Rect RMS50", "R Rect", "L Rect", "L.Rect-Filt"]) == {0: 1, 3: 2}
    assert copies_of(["A", "A_HPF", "A_HPF_Env"]) == {1: 0, 2: 0}
