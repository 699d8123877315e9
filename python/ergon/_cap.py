"""A power cap over a loop, held by its batch size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from . import _ergon
from ._arguments import positive
from ._devices import Device, select_devices
from ._document import Document
from ._errors import InvalidInputError
from ._lease import Lease
from ._quantities import Quantity, hertz, seconds
from ._synchronize import synchronize as wait_for_gpus


@dataclass(frozen=True)
class CapDecision:
    """One decision of the controller: what was measured, and what comes next."""

    at_seconds: float
    """End of the measured interval, since the start of the loop."""
    batch: int
    clock_hertz: float | None
    samples_per_second: float
    power_watts: float | None
    """Highest power reading in the interval; None without a fresh reading."""
    mean_power_watts: float | None
    cap_watts: float
    next_batch: int
    next_clock_hertz: float | None
    reason: str


class Cap:
    """Chooses the batch size of every step of a loop, so that a GPU holds a power cap at the highest
    throughput.

        cap = ergon.Cap(watts=400, batches=[1, 2, 4, 8, 16, 32])
        for batch in cap:
            train_step(batch)

    Each step runs the batch that it is given. The controller learns from the time and power of the steps
    (docs/cap.md). The loop ends by `break`, after `steps` or after `duration`.

    watts: the cap; may be changed during the loop.
    batches: batch sizes that the step supports.
    device: the GPU that the loop uses (default: the first that CUDA shows).
    lease, clocks: with a lease on the device, core clocks to choose from as well (numbers in Hz or "900MHz").
    controller: "joint", "batchsizer+", "batchsizer" or "dvfs".
    max_latency: bound on the duration of a step; "joint" only.
    idle_power_watts: with the model loaded and no work (default: measured for a second, at once).
    synchronize: wait for CUDA after each step, where PyTorch uses it.
    """

    def __init__(
        self,
        watts: float,
        batches: Sequence[int],
        *,
        device: str | int | Device | None = None,
        lease: Lease | None = None,
        clocks: Sequence[Quantity] = (),
        controller: str = "joint",
        max_latency: Quantity | None = None,
        idle_power_watts: float | None = None,
        steps: int | None = None,
        duration: Quantity | None = None,
        synchronize: bool = True,
    ) -> None:
        if clocks and lease is None:
            raise InvalidInputError("clocks: setting clocks needs a lease (ergon.lease)")
        if lease is not None and device is None:
            device = lease.device
        self.device = select_devices(None if device is None else [device])[0]
        self._lease = lease
        if steps is not None and steps < 1:
            raise InvalidInputError(f"steps: {steps} is not 1 or more")
        self._steps = steps
        self._duration = positive(seconds(duration, "duration"), "duration")
        self._synchronize = synchronize
        self._clock: float | None = None
        self._native = _ergon.CapLoop(
            self.device._native,
            sorted(set(batches)),
            sorted({float(hertz(each, "clocks") or 0) for each in clocks}),
            float(watts),
            controller,
            seconds(max_latency, "max_latency"),
            idle_power_watts,
        )

    @property
    def watts(self) -> float:
        """The cap in force."""
        return self._native.cap_watts

    @watts.setter
    def watts(self, cap: float) -> None:
        self._native.cap_watts = float(cap)

    @property
    def batch(self) -> int:
        """The batch of the step that runs, or of the next one."""
        return self._native.batch

    @property
    def clock_hertz(self) -> float | None:
        """The clock of the step that runs; None: unlocked."""
        return self._native.clock_hertz

    @property
    def idle_power_watts(self) -> float:
        """Power without work: no lower cap can be held."""
        return self._native.idle_power_watts

    @property
    def decisions(self) -> list[CapDecision]:
        """What the controller decided so far."""
        return [CapDecision(**each) for each in self._native.decisions()]

    def __iter__(self) -> Iterator[int]:
        start = time.monotonic()
        step = 0
        while self._continues(step, time.monotonic() - start):
            self._apply_clock()
            if self._synchronize:
                wait_for_gpus()
            self._native.begin()
            yield self._native.batch
            if self._synchronize:
                wait_for_gpus()
            self._native.end()
            step += 1

    def summary(self) -> Document:
        """Throughput, power and time above the cap over all decisions.

        Raises InvalidInputError before the first decision: nothing was measured until then.
        """
        fields: dict[str, Any] = self._native.summary()
        if not fields["decisions"]:
            raise InvalidInputError("summary: the loop ended before its first decision")
        return Document(fields)

    def _continues(self, step: int, elapsed: float) -> bool:
        if self._steps is not None and step >= self._steps:
            return False
        return self._duration is None or elapsed < self._duration

    def _apply_clock(self) -> None:
        clock = self._native.clock_hertz
        if clock is None or clock == self._clock or self._lease is None:
            return
        self._lease.lock_core_clock(clock)
        self._clock = clock
