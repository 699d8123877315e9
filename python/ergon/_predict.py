"""What a network costs on a device, without running it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, ClassVar

from . import _ergon
from ._arguments import command
from ._document import Document, Interval
from ._errors import UnknownNameError, UnsupportedError
from ._networks import Network, network_of
from ._plot import Figure, Series, figure
from ._quantities import Quantity, hertz, watts

# What plot() draws, with the title of its axis.
_QUANTITIES = {
    "time_seconds": "time (s)",
    "power_watts": "power (W)",
    "energy_joules": "energy (J)",
}


class Prediction(Document):
    """Time, power and energy of one iteration, each with a 90 % interval.

    The document of `ergon predict --json`.
    """

    _rows: ClassVar[str] = "operations"

    network: str
    device: str
    batch: int
    mode: str
    precision: str
    host: str
    source: str
    time_seconds: Interval
    power_watts: Interval
    energy_joules: Interval
    energy_per_sample_joules: Interval
    clock_hertz: float
    memory_bytes: float
    host_bound: bool
    warnings: list[str]
    operations: list[Document]

    def __init__(self, fields: Any, request: _Request | None = None) -> None:
        super().__init__(fields)
        self._request = request

    @property
    def samples_per_second(self) -> float:
        """Throughput."""
        return self.batch / self.time_seconds.value

    @property
    def simulated(self) -> bool:
        """Whether the values come from a twin rather than from measurements of the device."""
        return bool(self._fields["provenance"]["simulated"])

    def plot(self, quantity: str = "energy_joules") -> Figure:
        """A quantity over the core clock with its 90 % interval, for this batch and precision.

        quantity: "time_seconds", "power_watts" or "energy_joules". Returns a matplotlib figure if
        matplotlib is installed, else a figure that notebooks show and `save()` writes as SVG.
        """
        if quantity not in _QUANTITIES:
            raise UnknownNameError(f'quantity: "{quantity}" is not one of {", ".join(_QUANTITIES)}')
        curves = Document(self._with_curves())
        (curve,) = [each for each in curves["curves"] if each["default"]]
        values = curve[quantity]
        return figure(
            title=f"{self.network} on {self.device}, batch {self.batch}, {self.precision}",
            x_label="core clock (MHz)",
            y_label=_QUANTITIES[quantity],
            series=[
                Series(
                    name="90 % interval",
                    x=[hz / 1e6 for hz in curve["clock_hertz"]],
                    y=values.value,
                    low=values.low,
                    high=values.high,
                )
            ],
        )

    def _with_curves(self) -> Any:
        if "curves" in self._fields:
            return self._fields
        if self._request is None:
            raise UnsupportedError(
                "plot() needs the prediction of ergon.predict in this process, not a copy of it"
            )
        return self._request.document(curves=True)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_request": None}  # networks and predictors stay in their process

    def _summary(self) -> list[tuple[str, str]]:
        names = ("network", "device", "batch", "mode", "precision", "source")
        rows = [(name, str(self._fields[name])) for name in names]
        rows += [
            ("time (s)", str(self.time_seconds)),
            ("power (W)", str(self.power_watts)),
            ("energy (J)", str(self.energy_joules)),
            ("energy/sample (J)", str(self.energy_per_sample_joules)),
        ]
        return rows + [("warning", each) for each in self.warnings]


@dataclass(frozen=True)
class _Request:
    """What was asked, to ask it again with curves."""

    predictor: _ergon.Predictor
    network: Network
    batch: int | None
    mode: str
    precision: str | None
    host: str | None
    clock: float | None
    power_limit: float | None

    def document(self, *, curves: bool) -> str:
        return self.predictor.predict_document(
            self.network._native,
            self.batch,
            self.mode,
            self.precision,
            self.host,
            self.clock,
            self.power_limit,
            curves,
            command(),
        )


def predictor_of(device: str, model: str | os.PathLike[str] | None) -> _ergon.Predictor:
    """The predictor with a model file, or with the bundled model of the device."""
    return _ergon.Predictor(device, None if model is None else os.fspath(model))


def predict(
    network: str | os.PathLike[str] | Network,
    device: str,
    *,
    batch: int | None = None,
    mode: str = "inference",
    precision: str | None = None,
    host: str | None = None,
    clock: Quantity | None = None,
    power_limit: Quantity | None = None,
    model: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Prediction:
    """Predicts time, power and energy of one iteration of a network.

    device: a twin ("h200"; `twin_names()` has all) or a device file.
    batch: default: that of the network's file, or 1.
    mode: "inference" or "training".
    precision: "fp32", "tf32", "bf16" or "fp16" (default: the network's; tf32 for float32).
    host: what launches kernels: "python", "native" or "transformers" (default: by the network).
    clock, power_limit: numbers in Hz and W, or texts such as "1200MHz", "500W" (default: unlocked, the
        board's limit).
    model: model file from `ergon fit` (default: the bundled model of the device).
    options: as of `Network`.
    """
    request = _Request(
        predictor_of(device, model),
        network_of(network, **options),
        batch,
        mode,
        precision,
        host,
        hertz(clock, "clock"),
        watts(power_limit, "power_limit"),
    )
    return Prediction(request.document(curves=False), request)
