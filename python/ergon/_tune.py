"""The operating point that costs least."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from . import _ergon
from ._arguments import command
from ._document import Document
from ._errors import InvalidInputError
from ._networks import Network, network_of
from ._plot import Figure, Series, figure
from ._predict import predictor_of
from ._quantities import Quantity, hertz, seconds, watts


class TuneResult(Document):
    """The best operating point, and what it saves: the document of `ergon tune --json`."""

    _rows: ClassVar[str] = "pareto"

    network: str
    objective: str
    choice: Document
    default: Document
    energy_saving: float
    pareto: list[Document]
    devices: list[Document]

    def plot(self) -> Figure:
        """Energy per sample over latency: the Pareto front, the choice and the default settings.

        Returns a matplotlib figure if matplotlib is installed, else one that is drawn as SVG.
        """
        front = self.pareto

        def series(name: str, points: Sequence[Document], markers: bool) -> Series:
            return Series(
                name=name,
                x=[each.time_seconds * 1e3 for each in points],
                y=[each.energy_per_sample_joules for each in points],
                markers=markers,
            )

        return figure(
            title=f"{self.network}: objective {self.objective}",
            x_label="latency (ms)",
            y_label="energy/sample (J)",
            series=[
                series("Pareto front", front, markers=False),
                series("choice", [self.choice], markers=True),
                series("default settings", [self.default], markers=True),
            ],
        )

    def _summary(self) -> list[tuple[str, str]]:
        def text(point: Document) -> str:
            clock = point.requested_clock_hertz
            return (
                f"{point.device}, batch {point.batch}, "
                f"{'unlocked' if clock is None else f'{clock / 1e6:.0f} MHz'}: "
                f"{point.time_seconds * 1e3:.4g} ms, {point.energy_per_sample_joules:.4g} J/sample"
            )

        return [
            ("network", self.network),
            ("objective", self.objective),
            ("choice", text(self.choice)),
            ("default settings", text(self.default)),
            ("energy saved", f"{100 * self.energy_saving:.1f} %"),
        ]


def tune(
    network: str | os.PathLike[str] | Network,
    device: str | Sequence[str],
    *,
    objective: str = "energy",
    max_latency: Quantity | None = None,
    min_throughput: float | None = None,
    max_power: Quantity | None = None,
    batches: Sequence[int] | None = None,
    lock_clocks: bool = True,
    min_clock: Quantity | None = None,
    max_clock: Quantity | None = None,
    power_limits: Sequence[Quantity] = (),
    mode: str = "inference",
    precision: str | None = None,
    host: str | None = None,
    price_per_kwh: float | None = None,
    price_per_gpu_hour: Mapping[str, float] | None = None,
    model: str | os.PathLike[str] | None = None,
    **options: Any,
) -> TuneResult:
    """Finds the clock, batch, power limit and device with the lowest cost, by predicting all of them.

    device: one or several twins or device files.
    objective: what to minimize per sample: "energy", "energy-delay", "time" or "price".
    max_latency: bound per iteration, in seconds or as "20ms"; max_power: in watts or as "300W".
    min_throughput: in samples per second.
    batches: what to try (default: 1, 2, 4, ..., 256, or the file's).
    lock_clocks: False leaves clocks unlocked.
    power_limits: to try besides the board's default.
    price_per_gpu_hour: by device.
    options: as of `Network`.

    No device is changed. Raises InvalidInputError if no operating point meets the bounds; the message
    has the best value of each.
    """
    names = [device] if isinstance(device, str) else list(device)
    loaded = network_of(network, **options)
    document = _ergon.tune_document(
        loaded._native,
        [predictor_of(each, model) for each in names],
        {
            "objective": objective,
            "max_latency": seconds(max_latency, "max_latency"),
            "min_throughput": min_throughput,
            "max_power": watts(max_power, "max_power"),
            "batches": _batches(batches),
            "lock_clocks": lock_clocks,
            "min_clock": hertz(min_clock, "min_clock"),
            "max_clock": hertz(max_clock, "max_clock"),
            "power_limits": [watts(each, "power_limits") for each in power_limits],
            "mode": mode,
            "precision": precision,
            "host": host,
            "per_kwh": price_per_kwh,
            "per_gpu_hour": dict(price_per_gpu_hour or {}),
        },
        command(),
    )
    return TuneResult(document)


def _batches(batches: Sequence[int] | None) -> list[int]:
    if batches is None:
        return []
    try:
        chosen = [int(each) for each in batches]
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"batches: {batches!r} is not a list of integers") from error
    if not chosen:
        raise InvalidInputError("batches: the list is empty; omit it for the default")
    return chosen
