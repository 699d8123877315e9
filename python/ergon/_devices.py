"""The GPUs and processors of this machine, and twins (simulated GPUs)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from . import _ergon
from ._errors import ErgonError, InvalidInputError
from ._networks import Network, network_of
from ._visible import visible_gpus


class Device:
    """A GPU or processor of this machine, or a twin.

    Readings that the device does not support raise UnsupportedError; they are never 0.
    """

    def __init__(self, native: _ergon.Device) -> None:
        self._native = native

    @classmethod
    def twin(cls, name_or_file: str) -> Device:
        """A simulated GPU in real time, by name or device file. It idles until `run()`."""
        return cls(_ergon.Device.twin(name_or_file))

    @property
    def id(self) -> str:
        """ "gpu0", "cpu0", "dram0", or the name of a twin."""
        return self._native.id

    @property
    def uuid(self) -> str:
        """The identity across reboots and processes."""
        return self._native.uuid

    @property
    def name(self) -> str:
        """The product name."""
        return self._native.name

    @property
    def kind(self) -> str:
        """ "gpu", "processor" or "twin"."""
        return self._native.kind

    @property
    def simulated(self) -> bool:
        """Whether readings come from a model: twins, and drivers backed by twins."""
        return self._native.simulated

    def capabilities(self) -> dict[str, Any]:
        """Which readings work, and which controls the driver offers."""
        return self._native.capabilities()

    def power_watts(self, field: str | None = None) -> float:
        """Power now, by the field that measures this product best; or "usage", "average", "instant"."""
        return self._native.power_watts(field)

    def energy_counter_joules(self) -> float:
        """Energy since an arbitrary start."""
        return self._native.energy_counter_joules()

    def core_clock_hertz(self) -> float:
        """Core clock now."""
        return self._native.core_clock_hertz()

    def memory_clock_hertz(self) -> float:
        """Memory clock now."""
        return self._native.memory_clock_hertz()

    def supported_core_clocks_hertz(self) -> list[float]:
        """Core clocks that can be locked, ascending."""
        return self._native.supported_core_clocks_hertz()

    def temperature_celsius(self) -> float:
        """Temperature of the GPU."""
        return self._native.temperature_celsius()

    def utilization(self) -> dict[str, float]:
        """Shares of the last sampling period with a kernel ("compute") and with memory traffic ("memory")."""
        return self._native.utilization()

    def memory_bytes(self) -> dict[str, float]:
        """Device memory: "total" and "used"."""
        return self._native.memory_bytes()

    def power_limits_watts(self) -> dict[str, float]:
        """Power limits: "current", "default", "min" and "max"."""
        return self._native.power_limits_watts()

    def processes(self) -> list[int]:
        """Process ids that use the GPU."""
        return self._native.processes()

    def event_reasons(self) -> list[str]:
        """Why the GPU runs below its highest clock; empty if it does not."""
        return self._native.event_reasons()

    def run(
        self,
        network: str | Network,
        batch: int = 1,
        *,
        mode: str = "inference",
        precision: str | None = None,
    ) -> None:
        """Twins only: repeats a network from now on, until the next `run()` or `stop()`."""
        self._native.run(network_of(network)._native, batch, mode, precision)

    def stop(self) -> None:
        """Twins only: idles."""
        self._native.stop()

    def __repr__(self) -> str:
        return f"Device({self.id!r}, {self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and (self.id, self.uuid) == (other.id, other.uuid)

    def __hash__(self) -> int:
        return hash((self.id, self.uuid))


def find_devices() -> list[Device]:
    """All GPUs and processors of this machine.

    Warns of devices that cannot be opened. If a process was killed while it held a lease, its changes
    are undone first, with a warning.
    """
    devices, problems, notes = _ergon.find_devices()
    for line in [*notes, *problems]:
        warnings.warn(line, RuntimeWarning, stacklevel=2)
    return [Device(each) for each in devices]


def select_devices(
    devices: Iterable[str | int | Device] | str | int | Device | None = None,
) -> list[Device]:
    """Devices by id ("gpu0"), index (0 is gpu0), UUID prefix, or as they are.

    Default: the GPUs that CUDA_VISIBLE_DEVICES shows; all GPUs if it is not set; the processors of a
    machine without GPUs. Raises UnknownNameError with the nearest id.
    """
    if devices is None:
        return _default_devices()
    given = [devices] if isinstance(devices, (str, int, Device)) else list(devices)
    if not given:
        raise InvalidInputError("devices: the list is empty; omit it for the default")
    names = [str(each) for each in given if not isinstance(each, Device)]
    natives = _ergon.select_devices(names) if names else []
    if len(natives) != len(names):
        raise InvalidInputError(f"devices: one of {', '.join(names)} is named twice")
    named = iter(natives)
    selected = [each if isinstance(each, Device) else Device(next(named)) for each in given]
    for index, each in enumerate(selected):
        if each in selected[:index]:
            raise InvalidInputError(f"devices: {each.id} is named twice")
    return selected


def _default_devices() -> list[Device]:
    visible = visible_gpus()
    if visible is None:
        return [Device(each) for each in _ergon.select_devices([])]
    if visible:
        try:
            return select_devices(visible)
        except ErgonError as error:
            raise InvalidInputError(f"CUDA_VISIBLE_DEVICES: {error}") from error
    processors = [each for each in find_devices() if each.kind == "processor"]
    if not processors:
        raise InvalidInputError("CUDA_VISIBLE_DEVICES hides all GPUs, and no processor was found")
    return processors


def twin_names() -> list[str]:
    """Names of the built-in twins."""
    return _ergon.twin_names()
