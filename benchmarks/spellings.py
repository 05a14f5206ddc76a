"""Write the table of spellings that ships with gaitdyn from the list of labels as met.

python benchmarks/spellings.py

One row a landmark and core: the sources that use it, so that a weight by independent sources, and
a table without one laboratory, can be had from it.
"""

from __future__ import annotations

import csv
from pathlib import Path

from usage import help_shown

ROOT = Path(__file__).resolve().parent.parent
MET = ROOT.parent / "shared" / "specs" / "vocabulary.csv"
OURS = ROOT / "gaitdyn" / "resources" / "landmarks" / "spellings.csv"

Row = tuple[str, str, str, str]

OWN: dict[str, dict[str, str]] = {
    "running-laboratories": {"SACR": "=L5S1", "MT1H": "FIRST 1ST", "MT5H": "FIFTH 5TH"},
    "cut-labels": {"SACR": "=VSA"},
    "motek-hbm": {"JN": "=JN"},
    "sprint": {"FTX": "MFL MFS"},
    "femur-letters": {"PSIS": "PS2", "THX": "FBB FBT FFB FFT FLB FLT FMB"},
    "femur-letters-french": {"THX": "FBA FBP FHA FHP"},
    "latin-letters": {"FIB": "CF"},
    "wrist-letters": {"WRR": "MWR RS", "WRU": "LWR US"},
    "czech": {"CAL": "PATA"},
    "depth-camera": {"VIR": "~=SPINEBASE"},
    "mediapipe": {"HED": "~MOUTH", "HLX": "~FOOTINDEX"},
    "japanese": {"ANL": "GAIKA", "ANM": "NAIKA"},
    "norwegian": {"HLX": "TA"},
    "qualisys-module": {"ACR": "SAE"},
    "polish": {"ASIS": "KBPG", "PSIS": "KBTG"},
    "swedish": {"CAL": "HAL"},
    "turkish": {"CAL": "TOPUK", "SHX": "BALDIR", "TOE": "PARMAK"},
    "inertial-points": {"ILC": "CSI"},
    "anthropometrics": {
        "ANM": "SPH SPHYRION", "CAL": "PTERNION", "HLX": "ACROPODION", "MT1H": "TARSALMETAHEAD1",
        "MT5H": "TARSALMETAHEAD5",
    },
    "davis-bts": {"MT5H": "MET"},
    "video-clusters": {"SHX": "LL", "THX": "UL"},
    "lateral-alone": {"ANL": "MAL"},
    "bone-atlas": {"CAL": "CAB", "ILC": "ICT"},
    "toe-numbers": {"TOE": "TT2"},
    "prosthesis": {"CAL": "DHE HED", "TOE": "2ND"},
    "two-letters": {"ASIS": "AS", "GTR": "TM", "PSIS": "PS"},
    "initials": {
        "ANL": "MLAT", "ANM": "AMED MAN MLI MMED", "HLX": "BTOE GTOE", "KME": "MFEP",
        "PSIS": "PELB WAISTB", "TOE": "D2M",
    },
    "arm-clusters": {
        "ELL": "LEL", "ELM": "MEL", "FRM": "FA FR1 FR2 FR3 FR4 LA1 LA2 LA3",
        "UPA": "UA1 UA2 UA3 UA4 UP1 UP2 UP3 UP4", "WRR": "WRR", "WRU": "WRU",
    },
    "whole-body-french": {
        "ELL": "EPICON", "ELM": "EPITRO", "FIB": "TFIB", "HAN": "METAC2 METAC5 MIDMETAC3",
        "ANL": "MAE", "ANM": "MAI", "HED": "OCC", "HLX": "BP", "KLE": "GEX", "KME": "GIN",
        "MT1H": "PIIN", "MT5H": "PIEX", "SCP": "AA", "UPA": "DELT HUM TRICEPS", "WRR": "PSR",
        "WRU": "PSU",
    },
}  # fmt: skip
"""Spellings beside those of the list: source -> landmark -> cores, = before one without a side, ~
before a key point of a video."""


def main() -> None:
    """Gather the sources of each landmark, core, kind and sidedness, and write them."""
    found: dict[Row, set[str]] = {}
    with MET.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["core"]:
                sided = "midline" if row["side_rule"] == "midline" else "sided"
                key = (row["landmark"], row["core"], row["kind"], sided)
                found.setdefault(key, set()).add(row["source"])
    for source, landmarks in OWN.items():
        for code, cores in landmarks.items():
            for core in cores.split():
                sided = "midline" if "=" in core else "sided"
                kind = "keypoint" if "~" in core else "real"
                found.setdefault((code, core.lstrip("=~"), kind, sided), set()).add(source)
    lines = ["landmark,core,kind,side,sources"]
    lines += [f"{','.join(key)},{' '.join(sorted(who))}" for key, who in sorted(found.items())]
    OURS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(found)} rows in {OURS.relative_to(ROOT)}")


if __name__ == "__main__":
    help_shown(__doc__)
    main()
