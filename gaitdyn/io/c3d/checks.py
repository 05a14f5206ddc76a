"""Check that the header and the parameters of a C3D file describe the same, readable data.

A contradiction that would make the data be read from the wrong place is refused; anything merely
suspicious becomes an oddity. Counts are stored in both the header and the parameters; if they
disagree, the size of the file decides which is right.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io.c3d.records import BLOCK, BYTE, FLOAT, INTEGER, TEXT, C3DHeader, Parameters, refused
from gaitdyn.types.frozen import frozen

_LOWEST_RATE_HZ, _HIGHEST_RATE_HZ = 1.0, 100_000.0
_WORDS_A_POINT = 4
_LONGEST_COUNT, _WORD = 65535, 65536
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
    ("ANALOG", "LABELS"): TEXT,
}
"""The types that the format requires; a number stored as another numeric type is still read."""
_LISTS = {"LABELS"}
_HALF = 32768


@frozen()
class Layout:
    """The contents of one data frame, and the number of frames promised.

    Attributes
    ----------
    frames : int
        Frames promised.
    points : int
        Points per frame.
    channels : int
        Analog channels.
    samples_per_frame : int
        Samples per channel in one frame.
    bytes_per_value : int
        2 for integers, 4 for floats.
    rate_hz : float
        Frames per second.
    """

    frames: int
    points: int
    channels: int
    samples_per_frame: int
    bytes_per_value: int
    rate_hz: float

    @property
    def values_per_frame(self) -> int:
        """Return the count of numbers in one frame: four per point and one per analog sample."""
        return _WORDS_A_POINT * self.points + self.channels * self.samples_per_frame

    @property
    def frame_bytes(self) -> int:
        """Return the bytes of one frame."""
        return self.values_per_frame * self.bytes_per_value


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
    if _rate(header, params) < _LOWEST_RATE_HZ:
        found = f"a rate of {_rate(header, params):g}"
        raise refused(file, found, "the rate in frames per second")
    _check_analog(params, file)
    _check_number_kind(header, params, size, file)
    return [*_layout_disagreement(header, params, size), *_disagreements(header, params)]


def layout_of(header: C3DHeader, params: Parameters, size: int) -> Layout:
    """Return the layout of the data of a file of ``size`` bytes.

    The parameters are used unless only the layout in the header fits the size of the file.
    """
    by_header, by_parameters = _by_header(header, params), _by_parameters(header, params)
    room = size - (header.data_block - 1) * BLOCK
    if by_header.values_per_frame != by_parameters.values_per_frame and (
        _fits(by_header, room) and not _fits(by_parameters, room)
    ):
        return by_header
    return _counted(by_parameters, header, params, room)


def _counted(layout: Layout, header: C3DHeader, params: Parameters, room: int) -> Layout:
    """Return a layout with the frames of the header, or more than a word counts, if only they fit.

    A count above 65535 is stored as 65535 or without its upper bits.
    """
    if _fits(layout, room) or not layout.frame_bytes or params.count("ROTATION", "USED"):
        return layout
    stored = room // layout.frame_bytes
    lost = (stored - layout.frames) // _WORD * _WORD
    full = layout.frames == _LONGEST_COUNT and layout.frame_bytes >= BLOCK  # no filling
    counts = (header.frame_count, stored if full else layout.frames + max(0, lost))
    layouts = (replace(layout, frames=count) for count in counts)
    return next((found for found in layouts if _fits(found, room)), layout)


def _fits(layout: Layout, room: int) -> bool:
    """Return whether a layout fills the file except for the padding of its last block."""
    return layout.frame_bytes > 0 and 0 <= room - layout.frames * layout.frame_bytes < 2 * BLOCK


def _by_parameters(header: C3DHeader, params: Parameters) -> Layout:
    rate = _rate(header, params)
    analog_rate = params.number("ANALOG", "RATE") or 0.0
    ratio = analog_rate / rate if rate > 0 else 0.0
    samples = int(round(ratio, 1)) if math.isfinite(ratio) else 0  # rates may be rounded
    return Layout(
        frames=stated_frames(header, params),
        points=params.count("POINT", "USED") or 0,
        channels=(params.count("ANALOG", "USED") or 0) if samples else 0,
        samples_per_frame=samples,
        bytes_per_value=4 if header.scale < 0 else 2,
        rate_hz=rate,
    )


def _by_header(header: C3DHeader, params: Parameters) -> Layout:
    samples = header.analog_samples_per_frame or int(header.analog_per_frame > 0)
    channels, remainder = divmod(header.analog_per_frame, max(samples, 1))
    if remainder:  # not a multiple: assume one sample per channel
        channels, samples = header.analog_per_frame, 1
    return Layout(
        frames=stated_frames(header, params),
        points=header.point_count,
        channels=channels,
        samples_per_frame=samples,
        bytes_per_value=4 if header.scale < 0 else 2,
        rate_hz=_rate(header, params),
    )


def _rate(header: C3DHeader, params: Parameters) -> float:
    return params.number("POINT", "RATE") or header.rate_hz


def point_scale(header: C3DHeader, params: Parameters) -> float:
    """Return the scale of the points: that of the parameters, of which the header has a copy."""
    return params.number("POINT", "SCALE") or header.scale


def stated_frames(header: C3DHeader, params: Parameters) -> int:
    """Return the number of frames that parameters and header state."""
    short = params.count("POINT", "FRAMES") or header.frame_count
    if short < _LONGEST_COUNT:
        return short
    return max(short, params.count("POINT", "LONG_FRAMES") or 0, _field_span(params) or 0)


def _field_span(params: Parameters) -> int | None:
    """Return the frame count from the trial fields."""
    first, last = (trial_field(params, end) for end in ("START", "END"))
    return None if first is None or last is None else last - first + 1


def trial_field(params: Parameters, end: str) -> int | None:
    """Return TRIAL:ACTUAL_START_FIELD or END: two 16-bit words, the low word first."""
    record = params.record("TRIAL", f"ACTUAL_{end}_FIELD")
    if record is None or record.kind != INTEGER or record.size != 2:  # noqa: PLR2004
        return None
    low, high = (int(word) % _WORD for word in np.ravel(record.values()))
    return low + _WORD * high


def _check_kinds(params: Parameters, file: str) -> None:
    for (group, stem), kind in _WANTED_KINDS.items():
        for name in params.series(group, stem):
            record = params.record(group, name)
            if record is None:
                continue
            if TEXT in {record.kind, kind} and record.kind != kind and record.size:
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
            raise refused(file, f"{source} {rate:g}", "a rate in frames per second")
    scale = params.number("POINT", "SCALE")
    scale = -1.0 if scale is None else scale
    if not (math.isfinite(scale) and math.isfinite(header.scale)) or 0.0 in {scale, header.scale}:
        found = f"POINT:SCALE {scale:g} and {header.scale:g} in the header"
        raise refused(file, found, "scales that are numbers and not 0")
    if (scale < 0) != (header.scale < 0):
        found = f"POINT:SCALE {scale:g} and {header.scale:g} in the header"
        raise refused(file, found, "one sign, which says whether the data are floats or integers")


def _check_number_kind(header: C3DHeader, params: Parameters, size: int, file: str) -> None:
    """Refuse floats that a positive scale calls integers: the data have just twice their size."""
    if header.scale <= 0 or params.count("ROTATION", "USED"):  # poses behind the points have a size
        return
    layout, room = layout_of(header, params, size), size - (header.data_block - 1) * BLOCK
    if not _fits(layout, room) and _fits(replace(layout, bytes_per_value=4), room):
        found = f"POINT:SCALE {header.scale:g}, which says integers, and data of the size of floats"
        raise refused(file, found, "a scale below 0 for floats")


def _check_analog(params: Parameters, file: str) -> None:
    used = params.number("ANALOG", "USED") or 0.0
    rate = params.number("ANALOG", "RATE") or 0.0
    if not 0.0 <= used < math.inf or not 0.0 <= rate <= _HIGHEST_RATE_HZ:
        raise refused(file, f"ANALOG:USED {used:g} and RATE {rate:g}", "a count and a rate")
    numbers = {"GEN_SCALE": np.array([params.number("ANALOG", "GEN_SCALE") or 1.0])}
    numbers |= {name: joined(params, name) for name in ("SCALE", "OFFSET")}
    for name, values in numbers.items():
        bad = np.flatnonzero(~np.isfinite(values[: int(used)]))
        if bad.size:
            raise refused(file, f"ANALOG:{name} {values[bad[0]]}", "numbers")


def joined(params: Parameters, name: str) -> NDArray[np.float64]:
    """Return the numbers of an ANALOG parameter and its continuations, shape (n,)."""
    pieces = [params.get("ANALOG", full) for full in params.series("ANALOG", name)]
    numbers = [np.ravel(p, order="F") for p in pieces if isinstance(p, np.ndarray)]
    return np.concatenate([np.zeros(0), *numbers])


def is_unsigned(params: Parameters) -> bool:
    """Return whether offsets and stored integers are unsigned.

    ANALOG:FORMAT states this. If it is missing, offsets that are half of the 16-bit range in all
    channels that have one imply it: with signed integers all samples would have the same sign.
    """
    stated_format = [text.upper() for text in params.strings("ANALOG", "FORMAT")[:1]]
    offsets = joined(params, "OFFSET")
    offsets = offsets[offsets != 0]
    half = bool(offsets.size and (np.abs(offsets) == _HALF).all())  # a float has no sign bit
    return stated_format == ["UNSIGNED"] or (not any(stated_format) and half)


def _layout_disagreement(header: C3DHeader, params: Parameters, size: int) -> Iterator[str]:
    """Report a disagreement on the values per frame, and which source was used."""
    by_header, by_parameters = _by_header(header, params), _by_parameters(header, params)
    if by_header.values_per_frame == by_parameters.values_per_frame:
        return
    message = f"{by_parameters.values_per_frame} values a frame in the parameters and "
    message += f"{by_header.values_per_frame} in the header"
    if layout_of(header, params, size) == by_header:
        message += "; the size of the file is that of the header, which is taken"
    yield message


def _disagreements(header: C3DHeader, params: Parameters) -> Iterator[str]:
    pairs = {
        "points": (params.count("POINT", "USED"), header.point_count),
        "frames": (params.count("POINT", "FRAMES") or None, header.frame_count),
        "start of the data": (params.count("POINT", "DATA_START"), header.data_block),
        "rate": (params.number("POINT", "RATE"), header.rate_hz),
        "scale": (params.number("POINT", "SCALE"), header.scale),
        "fields": (_field_span(params), stated_frames(header, params)),
    }
    for quantity, (in_parameters, in_header) in pairs.items():
        if in_parameters is not None and not math.isclose(in_parameters, in_header, rel_tol=1e-3):
            yield f"{quantity}: {in_parameters:g} in the parameters, {in_header:g} in the header"
