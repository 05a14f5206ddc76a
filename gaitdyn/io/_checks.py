"""Check that the header and the parameters of a C3D file promise the same, readable data.

What contradicts itself so that the data would be read in wrong places is refused; what is only
suspicious becomes an oddity. ezc3d takes its counts and scales from the parameters and does not
check that they are there: a missing or short one ends the process, or shifts every frame.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gaitdyn.io._records import BLOCK, BYTE, FLOAT, INTEGER, TEXT, C3DHeader, Parameters, refused

_HIGHEST_RATE_HZ = 100_000.0
_WORDS_A_POINT = 4
_LONGEST_COUNT = 65535
_KINDS = {TEXT: "text", BYTE: "bytes", INTEGER: "16-bit integers", FLOAT: "floats"}
_WANTED_KINDS = {
    ("POINT", "USED"): INTEGER,
    ("POINT", "FRAMES"): INTEGER,
    ("POINT", "RATE"): FLOAT,
    ("POINT", "SCALE"): FLOAT,
    ("POINT", "DATA_START"): INTEGER,
    ("POINT", "LABELS"): TEXT,
    ("ANALOG", "USED"): INTEGER,
    ("ANALOG", "RATE"): FLOAT,
    ("ANALOG", "GEN_SCALE"): FLOAT,
    ("ANALOG", "SCALE"): FLOAT,
    ("ANALOG", "OFFSET"): INTEGER,
    ("ANALOG", "LABELS"): TEXT,
}
_LISTS = {"LABELS", "OFFSET"}
_CONVERT = "convert it with Mokka or MotionViewer, or export it again, as an Intel (PC) C3D"


@dataclass(frozen=True, slots=True)
class Layout:
    """What a frame of the data holds, and how many frames are promised.

    Attributes
    ----------
    frames : int
        Frames promised.
    values_per_frame : int
        Numbers in one frame: four for a point and one for an analog sample.
    bytes_per_value : int
        2 for integers, 4 for floats.
    rate_hz : float
        Frames a second.
    """

    frames: int
    values_per_frame: int
    bytes_per_value: int
    rate_hz: float

    @property
    def frame_bytes(self) -> int:
        """Return the bytes of one frame."""
        return self.values_per_frame * self.bytes_per_value


def refuse_foreign(header: C3DHeader, params: Parameters, file: str) -> None:
    """Refuse the kinds of C3D that are in order, but that the data reader cannot read.

    Raises
    ------
    FileRefused
        The file has SGI numbers, or offsets of analog channels stored as floats.
    """
    if header.processor == "sgi":
        raise refused(file, "numbers of an SGI (MIPS) computer", "Intel or DEC numbers", _CONVERT)
    for name in params.series("ANALOG", "OFFSET"):
        offset = params.record("ANALOG", name)
        if offset and offset.kind == FLOAT and offset.size:
            raise refused(file, f"ANALOG:{name} as floats", "16-bit integers", _CONVERT)


def check(header: C3DHeader, params: Parameters, size: int, file: str) -> list[str]:
    """Return the oddities of a header and its parameters, for a file of ``size`` bytes.

    Raises
    ------
    FileRefused
        A parameter has an impossible type or value, or two places contradict each other about
        where the data are.
    """
    _check_kinds(params, file)
    _check_values(header, params, file)
    _check_analog(params, file)
    return [*_layout_doubts(header, params, size, file), *_doubts(header, params)]


def layout_of(header: C3DHeader, params: Parameters) -> Layout:
    """Return the layout that the parameters give; the header stands in for a missing one."""
    points = params.count("POINT", "USED") or 0
    rate = params.number("POINT", "RATE") or header.rate_hz
    analog_rate = params.number("ANALOG", "RATE") or 0.0
    samples = int(analog_rate / rate) if rate > 0 and math.isfinite(analog_rate / rate) else 0
    analog = (params.count("ANALOG", "USED") or 0) * samples
    return Layout(
        frames=_frames(header, params),
        values_per_frame=_WORDS_A_POINT * points + analog,
        bytes_per_value=4 if header.scale < 0 else 2,
        rate_hz=rate,
    )


def _frames(header: C3DHeader, params: Parameters) -> int:
    short = params.count("POINT", "FRAMES") or header.frame_count
    if short < _LONGEST_COUNT:
        return short
    return max(short, params.count("POINT", "LONG_FRAMES") or 0, _field_span(params) or 0)


def _field_span(params: Parameters) -> int | None:
    """Return the frames between the trial fields: two 16-bit words each, the low one first."""
    bounds = []
    for end in ("START", "END"):
        record = params.record("TRIAL", f"ACTUAL_{end}_FIELD")
        if record is None or record.kind != INTEGER or record.size != 2:  # noqa: PLR2004
            return None
        low, high = (int(word) % 65536 for word in np.ravel(record.values()))
        bounds.append(low + 65536 * high)
    return bounds[1] - bounds[0] + 1


def _check_kinds(params: Parameters, file: str) -> None:
    for (group, stem), kind in _WANTED_KINDS.items():
        for name in params.series(group, stem):
            record = params.record(group, name)
            if record is None:
                continue
            if record.kind != kind and record.size:
                raise refused(file, f"{group}:{name} as {_KINDS[record.kind]}", _KINDS[kind])
            if not record.size and stem not in _LISTS and (group, name) != ("ANALOG", "SCALE"):
                raise refused(file, f"{group}:{name} empty", "a number")


def _check_values(header: C3DHeader, params: Parameters, file: str) -> None:
    used = params.number("POINT", "USED")
    if used is None or used < 0:
        raise refused(file, f"POINT:USED {used}", "the number of points")
    rates = {"POINT:RATE": params.number("POINT", "RATE") or 0.0, "a header rate": header.rate_hz}
    for source, rate in rates.items():
        if not 0.0 <= rate <= _HIGHEST_RATE_HZ:
            raise refused(file, f"{source} {rate:g}", "a rate in frames a second")
    scale = params.number("POINT", "SCALE")
    scale = -1.0 if scale is None else scale
    if not (math.isfinite(scale) and math.isfinite(header.scale)) or 0.0 in {scale, header.scale}:
        found = f"POINT:SCALE {scale:g} and {header.scale:g} in the header"
        raise refused(file, found, "scales that are numbers and not 0")
    if (scale < 0) != (header.scale < 0):
        found = f"POINT:SCALE {scale:g} and {header.scale:g} in the header"
        raise refused(file, found, "one sign, which says whether the data are floats or integers")


def _check_analog(params: Parameters, file: str) -> None:
    used = params.number("ANALOG", "USED") or 0.0
    rate = params.number("ANALOG", "RATE") or 0.0
    general = params.number("ANALOG", "GEN_SCALE")
    if used < 0 or not 0.0 <= rate <= _HIGHEST_RATE_HZ:
        raise refused(file, f"ANALOG:USED {used:g} and RATE {rate:g}", "a count and a rate")
    if general is not None and not math.isfinite(general):
        raise refused(file, f"ANALOG:GEN_SCALE {general}", "a number")
    for stem in ("SCALE", "OFFSET"):
        records = [params.record("ANALOG", name) for name in params.series("ANALOG", stem)]
        held = sum(record.size for record in records if record)
        if held < used:
            raise refused(file, f"{held} values of ANALOG:{stem}", f"one a channel ({used:g})")


def _layout_doubts(header: C3DHeader, params: Parameters, size: int, file: str) -> Iterator[str]:
    """Refuse when only the layout of the header fits the size of the file; yield lesser doubts."""
    layout = layout_of(header, params)
    if not layout.rate_hz:
        raise refused(file, "a rate of 0", "the rate in frames a second")
    told = _WORDS_A_POINT * header.point_count + header.analog_per_frame
    if told == layout.values_per_frame:
        return
    both = f"{layout.values_per_frame} values a frame in the parameters and {told} in the header"
    room = size - (header.data_block - 1) * BLOCK
    if 0 <= room - layout.frames * told * layout.bytes_per_value < 2 * BLOCK:
        wanted = "parameters that agree with the size of the file, or the frames would be shifted"
        raise refused(file, both, wanted)
    yield both


def _doubts(header: C3DHeader, params: Parameters) -> Iterator[str]:
    pairs = {
        "points": (params.count("POINT", "USED"), header.point_count),
        "frames": (params.count("POINT", "FRAMES") or None, header.frame_count),
        "start of the data": (params.count("POINT", "DATA_START"), header.data_block),
        "rate": (params.number("POINT", "RATE"), header.rate_hz),
        "scale": (params.number("POINT", "SCALE"), header.scale),
        "fields": (_field_span(params), _frames(header, params)),
    }
    for what, (stored, told) in pairs.items():
        if stored is not None and not math.isclose(stored, told, rel_tol=1e-3):
            yield f"{what}: {stored:g} in the parameters, {told:g} in the header"
    if params.names("ROTATION") and params.count("ROTATION", "USED") != 0:
        yield "the file holds rotations, which are not read"
