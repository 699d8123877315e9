"""Ergon: what neural networks cost to run, measured and predicted.

    import ergon

    with ergon.measure() as m:                       # joules with a 95 % interval
        train()
    print(m.energy_joules, m.low_joules, m.high_joules, m.valid)

    prediction = ergon.predict("resnet50", device="h200", batch=32)
    best = ergon.tune("resnet50", device="h200", max_latency="20ms")

Submodules: `ergon.torch` predicts PyTorch modules, `ergon.huggingface` and `ergon.lightning` log the
energy of training, `ergon.generation` splits prefill and decode, `ergon.zeus` replaces Zeus's monitor.
"""

import importlib
from types import ModuleType

from ._cap import Cap, CapDecision
from ._devices import Device, find_devices, select_devices, twin_names
from ._document import Document, Interval, Reason
from ._ergon import __version__
from ._errors import (
    BusyError,
    CancelledError,
    DeviceLostError,
    ErgonError,
    InternalError,
    InvalidInputError,
    IoError,
    NotFoundError,
    OutOfMemoryError,
    PermissionDeniedError,
    UnknownNameError,
    UnsupportedError,
)
from ._lease import Lease, lease
from ._measurement import DeviceMeasurement, Measurement
from ._meter import Meter, begin, end, measure, measured
from ._networks import Inspection, Network, Zoo, inspect, zoo
from ._predict import Prediction, predict
from ._profile import Profile, profile
from ._tune import TuneResult, tune
from ._window import Window

__all__ = [
    "BusyError",
    "CancelledError",
    "Cap",
    "CapDecision",
    "Device",
    "DeviceLostError",
    "DeviceMeasurement",
    "Document",
    "ErgonError",
    "Inspection",
    "InternalError",
    "Interval",
    "InvalidInputError",
    "IoError",
    "Lease",
    "Measurement",
    "Meter",
    "Network",
    "NotFoundError",
    "OutOfMemoryError",
    "PermissionDeniedError",
    "Prediction",
    "Profile",
    "Reason",
    "TuneResult",
    "UnknownNameError",
    "UnsupportedError",
    "Window",
    "Zoo",
    "__version__",
    "begin",
    "end",
    "find_devices",
    "inspect",
    "lease",
    "measure",
    "measured",
    "predict",
    "profile",
    "select_devices",
    "tune",
    "twin_names",
    "zoo",
]

_SUBMODULES = ("generation", "huggingface", "lightning", "torch", "zeus")


def __getattr__(name: str) -> ModuleType:
    # Submodules are imported when they are first used, so that `import ergon` is quick.
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
