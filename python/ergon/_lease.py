"""Clocks and power limits of devices, restored afterwards."""

from __future__ import annotations

from types import TracebackType

from . import _ergon
from ._devices import Device, select_devices
from ._errors import ErgonError, PermissionDeniedError
from ._quantities import Quantity, hertz, watts


class Lease:
    """Exclusive permission to change one device's clocks and power limit.

    Restores the previous values when the `with` block ends, when `release()` is called, and, after a
    crash, at the next use of Ergon. Leases on one device exclude each other, also between processes.
    """

    def __init__(self, device: str | int | Device, *, allow_control: bool = False) -> None:
        if not allow_control:
            raise PermissionDeniedError(
                "changing clocks and power limits needs permission: pass allow_control=True"
            )
        (self.device,) = select_devices([device])
        self._native = _ergon.Lease(self.device._native)

    def lock_core_clock(self, clock: Quantity, max_clock: Quantity | None = None) -> None:
        """Locks the core clock, or limits it to the range from `clock` to `max_clock`."""
        self._native.lock_core_clock(*_range(clock, max_clock))

    def lock_memory_clock(self, clock: Quantity, max_clock: Quantity | None = None) -> None:
        """Locks the memory clock, or limits it to a range."""
        self._native.lock_memory_clock(*_range(clock, max_clock))

    def set_power_limit(self, limit: Quantity) -> None:
        """Sets the board's power limit."""
        self._native.set_power_limit(_required(watts(limit, "limit")))

    def release(self) -> None:
        """Restores the previous values. Raises ErgonError if one could not be restored."""
        complete, failures = self._native.release()
        if not complete:
            raise ErgonError("not restored: " + "; ".join(failures))

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def lease(
    device: str | int | Device,
    *,
    core_clock: Quantity | None = None,
    memory_clock: Quantity | None = None,
    power_limit: Quantity | None = None,
    allow_control: bool = False,
) -> Lease:
    """A lease on a device, with clocks and a power limit that are set at once.

        with ergon.lease("gpu0", core_clock="1200MHz", allow_control=True):
            serve()

    Raises PermissionDeniedError without `allow_control`, and BusyError if another process holds a lease.
    """
    held = Lease(device, allow_control=allow_control)
    try:
        if core_clock is not None:
            held.lock_core_clock(core_clock)
        if memory_clock is not None:
            held.lock_memory_clock(memory_clock)
        if power_limit is not None:
            held.set_power_limit(power_limit)
    except BaseException:
        held.release()
        raise
    return held


def _range(clock: Quantity, max_clock: Quantity | None) -> tuple[float, float]:
    low = _required(hertz(clock, "clock"))
    return low, low if max_clock is None else _required(hertz(max_clock, "max_clock"))


def _required(value: float | None) -> float:
    if value is None:
        raise TypeError("a clock or power limit is needed, not None")
    return value
