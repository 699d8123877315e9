"""Networks measured by running them."""

from __future__ import annotations

import os
from typing import Any

from . import _ergon
from ._document import Document, Interval
from ._networks import Network, network_of
from ._quantities import Quantity, hertz, seconds


class Profile(Document):
    """Time, power and energy per iteration, each with a 95 % interval."""

    network: str
    device: str
    batch: int
    precision: str
    time_seconds: Interval
    power_watts: Interval | None
    energy_joules: Interval | None
    energy_per_sample_joules: Interval | None
    iterations: int
    valid: bool
    reasons: list[str]
    notes: list[str]
    engine: str
    simulated: bool


def profile(
    network: str | os.PathLike[str] | Network,
    device: str = "cpu",
    *,
    batch: int | None = None,
    mode: str = "inference",
    precision: str | None = None,
    clock: Quantity | None = None,
    duration: Quantity = 1.0,
    measure_energy: bool = True,
    allow_control: bool = False,
    seed: int = 1,
    **options: Any,
) -> Profile:
    """Runs a network repeatedly and measures an iteration.

    device: "cpu", "gpu0", or a twin in simulated time.
    clock: core clock to lock; a GPU needs `allow_control`.
    duration: minimum, in seconds or as "2s".
    options: as of `Network`.

    The processor and GPUs run the network with libtorch in this process: it must be the libtorch of the
    PyTorch that is loaded, if one is.
    """
    profiler = _ergon.Profiler(device, measure_energy, allow_control, seed)
    return Profile(
        profiler.run(
            network_of(network, **options)._native,
            batch,
            mode,
            precision,
            hertz(clock, "clock"),
            seconds(duration, "duration"),
        )
    )
