"""Energy of training steps, shared by the callbacks of `ergon.huggingface` and `ergon.lightning`."""

from __future__ import annotations

import functools
import math
import time
import warnings
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ._document import Interval
from ._errors import ErgonError
from ._measurement import Measurement
from ._meter import Meter
from ._window import Window

FINAL_WAIT_SECONDS = 10.0
"""How long the end of training waits for the last windows."""

_Class = TypeVar("_Class")


class StepsMeasurement(Measurement):
    """Energy of the optimizer steps `first_step` to `last_step`, both included, counted from 1."""

    def __init__(self, measured: Measurement, first_step: int, last_step: int) -> None:
        super().__init__(measured.to_dict(), measured.samples, measured.tokens)
        self._first_step = first_step
        self._last_step = last_step

    @property
    def first_step(self) -> int:
        """The first optimizer step of the window."""
        return self._first_step

    @property
    def last_step(self) -> int:
        """The last optimizer step of the window."""
        return self._last_step

    @property
    def steps(self) -> int:
        """Number of optimizer steps."""
        return self._last_step - self._first_step + 1

    @property
    def energy_per_step_joules(self) -> Interval:
        """Energy per optimizer step."""
        return self.energy / self.steps


def energy_sum(measurements: Iterable[Measurement]) -> Interval:
    """Total energy of windows that do not overlap, in joules with its 95 % interval.

    The statistical parts are independent and add in quadrature. The systematic parts, the gain and
    offset of the boards' sensors, are the same in all windows and add linearly.
    """
    energy = statistical_squared = systematic = 0.0
    for each in measurements:
        half_width = each.high_joules - each.energy_joules
        energy += each.energy_joules
        statistical_squared += each.statistical_joules**2
        systematic += math.sqrt(max(half_width**2 - each.statistical_joules**2, 0.0))
    half_width = math.sqrt(statistical_squared + systematic**2)
    return Interval(energy, energy - half_width, energy + half_width)


def logged_values(measurements: Sequence[StepsMeasurement]) -> dict[str, float]:
    """What the callbacks log about some windows; {} without windows.

    Samples and tokens are logged if all windows have their number.
    """
    if not measurements:
        return {}
    energy = energy_sum(measurements)
    per_step = energy / sum(each.steps for each in measurements)
    values = {
        "energy_joules_per_step": per_step.value,
        "energy_joules_per_step_low": per_step.low,
        "energy_joules_per_step_high": per_step.high,
    }
    for name in ("sample", "token"):
        counts = [getattr(each, f"{name}s") for each in measurements]
        if all(counts):
            values[f"energy_joules_per_{name}"] = energy.value / sum(counts)
    values["power_watts"] = energy.value / sum(each.seconds for each in measurements)
    values["energy_valid"] = float(all(each.valid for each in measurements))
    values["energy_last_step"] = float(measurements[-1].last_step)
    return values


class _Steps:
    """A window and the steps that it has covered so far."""

    def __init__(self, window: Window, first_step: int) -> None:
        self.window = window
        self.first_step = first_step
        self.last_step = first_step - 1
        self.samples: float | None = 0.0
        self.tokens: float | None = 0.0


class StepWindows:
    """Windows over whole optimizer steps, one after the other. Never waits, except in `collect`."""

    def __init__(self, meter: Meter, keep: int) -> None:
        self.measurements: deque[StepsMeasurement] = deque(maxlen=keep)
        self.errors: list[ErgonError] = []
        self.total_joules = 0.0
        self._meter = meter
        self._open: _Steps | None = None
        self._ended: deque[_Steps] = deque()

    @property
    def open_steps(self) -> int:
        """Number of complete steps in the open window; 0 if none is open."""
        return self._open.last_step - self._open.first_step + 1 if self._open else 0

    def begin(self, step: int) -> None:
        """Begins a window with this step, unless one is open."""
        if self._open is None:
            self._open = _Steps(self._meter.measure(f"steps from {step}"), step)

    def add_step(self, step: int, samples: float | None, tokens: float | None) -> None:
        """Counts a complete step. None is a number that is not known."""
        steps = self._open
        if steps is None:
            return
        steps.last_step = step
        steps.samples = _sum_if_known(steps.samples, samples)
        steps.tokens = _sum_if_known(steps.tokens, tokens)

    def end(self) -> None:
        """Ends the open window. Without a complete step it is discarded."""
        if self.open_steps > 0:
            assert self._open is not None
            self._open.window.end()
            self._ended.append(self._open)
        self._open = None

    def cancel(self) -> None:
        """Discards the open window."""
        self._open = None

    def collect(self, wait_seconds: float = 0.0) -> list[StepsMeasurement]:
        """Measurements that became available since the last call, in their order.

        A window that could not be measured is in `errors` and has no measurement.
        """
        deadline = time.monotonic() + wait_seconds
        collected = []
        while self._ended:
            steps = self._ended[0]
            if wait_seconds <= 0 and not steps.window.done():
                break
            steps.window.samples, steps.window.tokens = steps.samples, steps.tokens
            try:
                measured = steps.window.result(max(deadline - time.monotonic(), 0.001))
            except TimeoutError:
                break
            except ErgonError as error:
                if not self.errors:
                    message = f"ergon: the energy of steps was not measured: {error}"
                    warnings.warn(message, stacklevel=2)
                self.errors.append(error)
            else:
                collected.append(StepsMeasurement(measured, steps.first_step, steps.last_step))
                self.total_joules += measured.energy_joules
            self._ended.popleft()
        self.measurements.extend(collected)
        return collected


def _sum_if_known(total: float | None, more: float | None) -> float | None:
    return None if total is None or more is None else total + more


def derived(cls: type[_Class], bases: tuple[type, ...]) -> type[_Class]:
    """`cls` with the base classes of a framework, which are known only when it is imported."""
    made: type[_Class] = _derived((cls, *bases))
    return made


@functools.lru_cache(maxsize=None)
def _derived(classes: tuple[type, ...]) -> Any:
    first = classes[0]
    members = {
        "__module__": first.__module__,
        "__reduce__": lambda self: (_restored, (first, self.__dict__)),
    }
    return type(first.__name__, classes, members)


def _restored(cls: Any, state: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    made.__dict__.update(state)
    return made
