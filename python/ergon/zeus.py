"""Zeus's measurement interface, measured by Ergon.

    from ergon.zeus import ZeusMonitor      # was: from zeus.monitor import ZeusMonitor

    monitor = ZeusMonitor(gpu_indices=[0])
    monitor.begin_window("epoch")
    train_one_epoch()
    result = monitor.end_window("epoch")
    print(result.time, result.total_energy, result.low_joules, result.high_joules, result.valid)

`end_window` takes microseconds and returns at once, because sensors lag behind the work by a
fraction of a second. The first read of an energy waits for it. A loop that collects measurements
and reads them after the epoch is not slowed down. A loop that reads each energy immediately waits
each time, and then has the energy of the whole window. docs/python-from-zeus.md lists all
differences.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from . import _ergon
from ._devices import Device, select_devices
from ._document import Reason
from ._errors import CancelledError, ErgonError, InvalidInputError, UnsupportedError
from ._measurement import Measurement as ErgonMeasurement
from ._meter import Meter
from ._synchronize import synchronize
from ._visible import visible_gpus
from ._window import Window
from ._zeus_log import ZeusLog

__all__ = ["Measurement", "ZeusMonitor"]

logger = logging.getLogger(__name__)

Framework = Literal["torch", "jax", "cupy"]


@dataclass(init=False, repr=False)
class Measurement:
    """The result of one window, with the fields of Zeus's class.

    `time` is known at once. The first read of another field waits until the sensors have covered
    the window, and raises an ErgonError if the window could not be measured. Fields may be read on
    any thread.
    """

    time: float
    """Seconds from the begin to the end of the window."""
    gpu_energy: dict[int, float]
    """Joules by GPU index, counted as in CUDA_VISIBLE_DEVICES."""
    cpu_energy: dict[int, float] | None
    """Joules by processor package; None without readable counters."""
    dram_energy: dict[int, float] | None
    """Joules of the memory by processor package; None without readable counters."""
    soc_energy: Any
    """Always None: Apple silicon and Jetson are not measured."""

    def __init__(
        self,
        time: float,
        gpu_energy: dict[int, float],
        cpu_energy: dict[int, float] | None = None,
        dram_energy: dict[int, float] | None = None,
        soc_energy: Any = None,
    ) -> None:
        self.time = time
        self.gpu_energy = gpu_energy
        self.cpu_energy = cpu_energy
        self.dram_energy = dram_energy
        self.soc_energy = soc_energy
        self._span: _Span | None = None

    @classmethod
    def _of(cls, span: _Span, seconds: float) -> Measurement:
        measurement = cls.__new__(cls)
        measurement.time = seconds
        measurement.soc_energy = None
        measurement._span = span
        return measurement

    def __getattr__(self, name: str) -> Any:
        # Called for fields that have no value yet.
        span: _Span | None = self.__dict__.get("_span")
        if span is None or name not in ("gpu_energy", "cpu_energy", "dram_energy"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = getattr(span, name)()
        setattr(self, name, value)
        return value

    @property
    def total_energy(self) -> float:
        """Joules of all GPUs of the window. Processors are not included, as in Zeus.

        Raises UnsupportedError if the monitor measures no GPU.
        """
        if not self.gpu_energy:
            raise UnsupportedError("total_energy: the monitor measures no GPU; read cpu_energy")
        return sum(self.gpu_energy.values())

    @property
    def energy(self) -> dict[int, float]:
        """`gpu_energy`, by its name in older versions of Zeus."""
        return self.gpu_energy

    @property
    def ergon(self) -> ErgonMeasurement:
        """Ergon's measurement of the GPUs (of the processors if the monitor measures no GPU)."""
        if self._span is None:
            raise UnsupportedError("ergon: this Measurement was not made by a ZeusMonitor")
        return self._span.measurement()

    @property
    def low_joules(self) -> float:
        """Lower end of the 95 % interval of `total_energy`."""
        return self.ergon.low_joules

    @property
    def high_joules(self) -> float:
        """Upper end of the 95 % interval of `total_energy`."""
        return self.ergon.high_joules

    @property
    def valid(self) -> bool:
        """Whether the energy can be relied on."""
        return self.ergon.valid

    @property
    def reasons(self) -> list[Reason]:
        """Why the measurement is not valid; empty if it is."""
        return self.ergon.reasons

    def done(self) -> bool:
        """Whether all fields can be read without waiting."""
        return self._span is None or self._span.done()

    def __repr__(self) -> str:
        try:
            energies = (
                f"gpu_energy={self.gpu_energy!r}, cpu_energy={self.cpu_energy!r}, "
                f"dram_energy={self.dram_energy!r}, soc_energy=None"
            )
        except ErgonError as error:
            energies = f"not measured: {error}"
        return f"Measurement(time={self.time!r}, {energies})"

    def __getstate__(self) -> dict[str, Any]:
        if self._span is not None:
            fields = (self.gpu_energy, self.cpu_energy, self.dram_energy)
            _ = fields  # read, so that a copy in another process has values
        return {name: value for name, value in self.__dict__.items() if name != "_span"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _span=None)


class _Span:
    """The windows of one key: one over the GPUs, one over the processors."""

    def __init__(
        self, gpus: Meter | None, processors: Meter | None, indices: dict[str, int]
    ) -> None:
        self._indices = indices
        self._cancelled = False
        self._gpus = gpus.measure(synchronize=False) if gpus else None
        self._processors = processors.measure(synchronize=False) if processors else None
        self.start_time = time.time()
        self._started = time.perf_counter()

    def end(self) -> float:
        """Ends the windows and returns their duration in seconds."""
        seconds = time.perf_counter() - self._started
        for window in self._windows():
            window.end(synchronize=False)
        return seconds

    def cancel(self) -> None:
        self._gpus = self._processors = None
        self._cancelled = True

    def done(self) -> bool:
        return all(window.done() for window in self._windows())

    def measurement(self) -> ErgonMeasurement:
        self._check()
        window = self._gpus or self._processors
        assert window is not None
        return window.result()

    def gpu_energy(self) -> dict[int, float]:
        self._check()
        if self._gpus is None:
            return {}
        return {
            self._indices[part.uuid]: part.energy_joules for part in self._gpus.result().devices
        }

    def cpu_energy(self) -> dict[int, float] | None:
        return self._processor_energy("cpu")

    def dram_energy(self) -> dict[int, float] | None:
        return self._processor_energy("dram")

    def _processor_energy(self, prefix: str) -> dict[int, float] | None:
        self._check()
        if self._processors is None:
            return None
        energies = {
            int(part.device.removeprefix(prefix)): part.energy_joules
            for part in self._processors.result().devices
            if part.device.startswith(prefix)
        }
        return energies or None

    def _windows(self) -> list[Window]:
        return [window for window in (self._gpus, self._processors) if window is not None]

    def _check(self) -> None:
        if self._cancelled:
            raise CancelledError("the window was cancelled, so it has no energy")


class ZeusMonitor:
    """Measures windows by name, as zeus.monitor.ZeusMonitor does. Windows may nest and overlap.

    gpu_indices: GPUs to measure, counted as in CUDA_VISIBLE_DEVICES: with "2,3", index 1 is GPU 3
        of the machine. Default: all visible GPUs. [] measures no GPU.
    cpu_indices: processor packages to measure. Default: all whose counters this user can read. []
        measures none.
    approx_instant_energy: accepted without effect. Short windows have a wide interval, never 0 J.
    log_file: CSV file with the columns of Zeus. A background thread writes each row when its window
        is measured; the rest is written by `close()` and when the program exits.
    sync_execution_with: framework to wait for at both ends of a window: "torch", "jax" or "cupy".

    Raises if no device can be measured.
    """

    def __init__(
        self,
        gpu_indices: Sequence[int] | None = None,
        cpu_indices: Sequence[int] | None = None,
        approx_instant_energy: bool = False,
        log_file: str | Path | None = None,
        sync_execution_with: Framework = "torch",
    ) -> None:
        if sync_execution_with not in ("torch", "jax", "cupy"):
            raise InvalidInputError(
                f'sync_execution_with: "{sync_execution_with}" is not torch, jax or cupy'
            )
        self.approx_instant_energy = approx_instant_energy
        self.sync_with: Framework = sync_execution_with

        found = _devices_of_machine()
        names = visible_gpus()
        gpus = select_devices(names) if names else []
        if names is None:
            gpus = [each for each in found if each.kind != "processor"]
        self.gpus: tuple[Device, ...] = tuple(gpus)
        self.gpu_indices: list[int] = _chosen(gpu_indices, len(gpus), "gpu_indices")
        packages = [each for each in found if each.id.startswith("cpu")]
        if cpu_indices and not packages:
            raise UnsupportedError(
                "cpu_indices: this user can read no energy counter of a processor; omit it"
            )
        self.cpu_indices: list[int] = _chosen(cpu_indices, len(packages), "cpu_indices")
        ids = {f"{kind}{index}" for kind in ("cpu", "dram") for index in self.cpu_indices}
        self.cpus: tuple[Device, ...] = tuple(each for each in found if each.id in ids)

        measured = [self.gpus[index] for index in self.gpu_indices]
        self._indices = {self.gpus[index].uuid: index for index in self.gpu_indices}
        # Programs for Zeus read energies one by one, right after their windows.
        self._gpu_meter = Meter(measured, prompt=True) if measured else None
        self._processor_meter: Meter | None = None
        try:
            self._processor_meter = Meter(self.cpus, prompt=True) if self.cpus else None
        except ErgonError as error:
            if cpu_indices:
                raise
            logger.info("Processors are not measured: %s", error)
            self.cpu_indices = []
        if self._gpu_meter is None and self._processor_meter is None:
            raise UnsupportedError("ZeusMonitor: no GPU and no processor to measure")

        self._spans: dict[str, _Span] = {}
        self._log = None if log_file is None else ZeusLog(log_file, self.gpu_indices, logger)
        self.log_file = None if self._log is None else self._log.file

    def begin_window(
        self, key: str, sync_execution: bool = True, *, sync_cuda: bool | None = None
    ) -> None:
        """Begins a window. Raises ValueError if one of this name is open.

        sync_execution: wait for launched GPU work first. `sync_cuda` is its name in older versions
            of Zeus.
        """
        if key in self._spans:
            raise InvalidInputError(
                f"window '{key}' is open already; end it first or use another key"
            )
        if sync_execution if sync_cuda is None else sync_cuda:
            self._synchronize()
        self._spans[key] = _Span(self._gpu_meter, self._processor_meter, self._indices)

    def end_window(
        self,
        key: str,
        sync_execution: bool = True,
        cancel: bool = False,
        *,
        sync_cuda: bool | None = None,
    ) -> Measurement:
        """Ends a window and returns its measurement without waiting for it.

        Raises ValueError if no window of this name is open. With `cancel` the window is discarded;
        to read an energy of the returned measurement then raises CancelledError.
        """
        span = self._spans.pop(key, None)
        if span is None:
            known = ", ".join(f"'{each}'" for each in self._spans) or "none"
            raise InvalidInputError(f"window '{key}' is not open; open windows: {known}")
        if sync_execution if sync_cuda is None else sync_cuda:
            self._synchronize()
        if cancel:
            span.cancel()
            return Measurement._of(span, 0.0)
        measurement = Measurement._of(span, span.end())
        if self._log is not None:
            self._log.add(span.start_time, key, measurement)
        return measurement

    def close(self) -> None:
        """Writes what is left to the log file and closes it."""
        if self._log is not None:
            self._log.close()

    def _synchronize(self) -> None:
        if not self.gpu_indices:
            return
        if self.sync_with == "torch":
            synchronize()
        elif self.sync_with == "jax":
            _synchronize_jax(self.gpu_indices)
        else:
            _synchronize_cupy(self.gpu_indices)


def _devices_of_machine() -> list[Device]:
    devices, problems, notes = _ergon.find_devices()
    for problem in problems:
        logger.info("%s", problem)
    for note in notes:
        logger.warning("%s", note)
    return [Device(each) for each in devices]


def _chosen(indices: Sequence[int] | None, count: int, argument: str) -> list[int]:
    chosen = list(range(count)) if indices is None else list(indices)
    for index in chosen:
        if not 0 <= index < count:
            raise InvalidInputError(f"{argument}: there is no {index}; there are {count}, from 0")
    if len(set(chosen)) != len(chosen):
        raise InvalidInputError(f"{argument}: {chosen} names one device twice")
    return chosen


def _synchronize_jax(gpu_indices: Sequence[int]) -> None:
    jax = sys.modules.get("jax")
    if jax is None:
        return
    # A device runs computations in order, so one more on each completes after all earlier ones.
    gpus = jax.devices("gpu")
    devices = [gpus[index] for index in gpu_indices] + jax.devices("cpu")[:1]
    jax.block_until_ready([jax.device_put(0.0, device) + 1 for device in devices])


def _synchronize_cupy(gpu_indices: Sequence[int]) -> None:
    cupy = sys.modules.get("cupy")
    if cupy is None:
        return
    for index in gpu_indices:
        cupy.cuda.Device(index).synchronize()
