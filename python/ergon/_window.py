"""Time spans whose energy is measured."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ._arguments import amount, command
from ._errors import ErgonError, InvalidInputError
from ._measurement import Measurement
from ._synchronize import synchronize as wait_for_gpus

if TYPE_CHECKING:
    import pandas

    from ._document import Document, Interval, Reason
    from ._measurement import DeviceMeasurement
    from ._meter import Meter

# Between two questions whether the sensors have covered a window.
_POLL_SECONDS = 0.005

_MEASUREMENT_FIELDS = frozenset(
    name for name in {*vars(Measurement), *Measurement.__annotations__} if not name.startswith("_")
) | {"mean_power_watts", "sources"}


class Window:
    """A time span, from the call that made it to `end()`.

    Beginning and ending take microseconds. The measurement is available a fraction of a second later,
    because sensors lag: `result()` and every attribute of `Measurement` on the ended window wait for it.
    Windows may nest and overlap, on any thread or task.

        with ergon.measure() as window:
            train()
        print(window.energy_joules, window.valid)
    """

    if TYPE_CHECKING:  # the attributes that __getattr__ takes from the measurement
        energy: Interval
        energy_joules: float
        energy_uncertainty_joules: float
        low_joules: float
        high_joules: float
        statistical_joules: float
        energy_per_sample_joules: Interval | None
        energy_per_token_joules: Interval | None
        power_watts: Interval
        mean_power_watts: float
        peak_power_watts: float
        seconds: float
        duration_seconds: float
        valid: bool
        reasons: list[Reason]
        notes: list[Reason]
        devices: list[DeviceMeasurement]
        sources: list[Document]
        simulated: bool
    else:

        def __getattr__(self, name: str) -> Any:
            if name not in _MEASUREMENT_FIELDS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return getattr(self.result(), name)

    def __init__(
        self,
        meter: Meter,
        name: str = "",
        *,
        samples: float | None = None,
        tokens: float | None = None,
        synchronize: bool = True,
    ) -> None:
        self.name = name
        self._samples = amount(samples, "samples")
        self._tokens = amount(tokens, "tokens")
        self._synchronize = synchronize
        self._process = os.getpid()
        # A signal handler may ask for a result while the thread that it interrupts does.
        self._lock = threading.RLock()
        self._result: Measurement | None = None
        self._error: ErgonError | None = None
        self._ended = False
        self._entered = False
        if synchronize:
            wait_for_gpus()
        self._native = meter._begin_native()

    @property
    def samples(self) -> float | None:
        """Number of samples that the window processes. May be set at any time."""
        return self._samples

    @samples.setter
    def samples(self, count: float | None) -> None:
        self._samples = amount(count, "samples")
        self._update_result()

    @property
    def tokens(self) -> float | None:
        """Number of tokens that the window processes. May be set at any time."""
        return self._tokens

    @tokens.setter
    def tokens(self, count: float | None) -> None:
        self._tokens = amount(count, "tokens")
        self._update_result()

    @property
    def ended(self) -> bool:
        """Whether `end()` was called."""
        return self._ended

    def end(self, synchronize: bool | None = None) -> Window:
        """Ends the time span and returns the window. Takes microseconds.

        Raises InvalidInputError if the window has ended already.
        """
        if self._ended:
            raise InvalidInputError(f"{self._described()} was ended twice")
        self._check_process()
        if self._synchronize if synchronize is None else synchronize:
            wait_for_gpus()
        self._native.end()
        self._ended = True
        return self

    def result(self, timeout_seconds: float | None = None) -> Measurement:
        """The measurement. Waits until the sensors have covered the window.

        Raises InvalidInputError if the window has not ended, TimeoutError after `timeout_seconds`, and
        what made the measurement impossible: DeviceLostError, for example. Ctrl-C ends the wait, not the
        measurement.
        """
        if not self._ended:
            raise InvalidInputError(f"{self._described()} has not ended")
        deadline = math.inf if timeout_seconds is None else time.monotonic() + timeout_seconds
        while not self.done():
            if time.monotonic() >= deadline:
                raise TimeoutError(f"the sensors have not covered {self._described()} yet")
            time.sleep(_POLL_SECONDS)
        with self._lock:
            if self._error is None and self._result is None:
                try:
                    document = self._native.document(command())
                    self._result = Measurement(document, self._samples, self._tokens)
                except ErgonError as error:
                    self._error = error
            if self._error is not None:
                raise type(self._error)(str(self._error))
            assert self._result is not None
            return self._result

    async def result_async(self) -> Measurement:
        """As `result()`, without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, self.result)

    def done(self) -> bool:
        """Whether `result()` returns without waiting."""
        if self._result is not None or self._error is not None:
            return True
        if not self._ended:
            return False
        self._check_process()
        with self._lock:
            return self._result is not None or self._error is not None or self._native.available()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_MEASUREMENT_FIELDS})

    def to_dict(self) -> dict[str, Any]:
        """`result().to_dict()`."""
        return self.result().to_dict()

    def to_json(self, indent: int | None = 2) -> str:
        """`result().to_json()`."""
        return self.result().to_json(indent)

    def to_pandas(self) -> pandas.DataFrame:
        """`result().to_pandas()`."""
        return self.result().to_pandas()

    def _repr_html_(self) -> str:
        return self.result()._repr_html_() if self._ended else repr(self)

    def __repr__(self) -> str:
        state = "open" if not self._ended else "ended" if self._result is None else repr(self._result)
        return f"Window({self.name!r}, {state})"

    def __enter__(self) -> Window:
        if self._ended or self._entered:
            raise InvalidInputError(f"{self._described()} is used already; begin another one")
        self._entered = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After an exception kernels may never complete, or CUDA may be unusable.
        if not self._ended and os.getpid() == self._process:
            self.end(synchronize=None if error is None else False)

    async def __aenter__(self) -> Window:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)
        if error is None:
            await self.result_async()

    def _described(self) -> str:
        return f'window "{self.name}"' if self.name else "the window"

    def _update_result(self) -> None:
        with self._lock:
            if self._result is not None:
                self._result = Measurement(self._result.to_dict(), self._samples, self._tokens)

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise InvalidInputError(
                f"{self._described()} belongs to process {self._process}; "
                "begin a window in the process that does the work"
            )

