"""Meters: readings of devices in the background, and the windows measured with them."""

from __future__ import annotations

import atexit
import contextlib
import functools
import inspect
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, TypeVar, overload

from . import _ergon
from ._devices import Device, select_devices
from ._errors import InvalidInputError
from ._window import Window

Devices = Iterable[str | int | Device] | str | int | Device | None
"""Devices as arguments: ids, indices, UUIDs or `Device` objects, one or several; None is the default."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

_meters: weakref.WeakSet[Meter] = weakref.WeakSet()
_default_meters: dict[tuple[str, ...] | None, Meter] = {}
_default_lock = threading.Lock()


class Meter:
    """Reads the power of devices on a background thread of its own, without Python.

    devices: ids ("gpu0", "cpu0"), indices, UUIDs or `Device` objects. By default the GPUs that
        CUDA_VISIBLE_DEVICES shows, or the processors of a machine without GPUs.
    period_seconds: time between readings (default: depends on the sensor).
    prompt: for many short windows that are waited for one by one; uses up to 2 % of a core.

    Starting takes a fraction of a second, or some seconds on GPUs with slow sensors. Raises if no device
    can be measured.
    """

    def __init__(
        self,
        devices: Devices = None,
        *,
        period_seconds: float | None = None,
        prompt: bool = False,
    ) -> None:
        self.devices: tuple[Device, ...] = tuple(select_devices(devices))
        self._process = os.getpid()
        # Signal handlers may begin and end windows too.
        self._lock = threading.RLock()
        self._windows: dict[str, Window] = {}
        self._native: _ergon.Meter | None = _ergon.Meter(
            [each._native for each in self.devices], period_seconds, prompt
        )
        _meters.add(self)

    @classmethod
    def default(cls, devices: Devices = None) -> Meter:
        """The shared meter of these devices in this process; started at the first call."""
        given: list[str | int | Device] | None = None
        if devices is not None:
            given = [devices] if isinstance(devices, (str, int, Device)) else list(devices)
        key = None if given is None else tuple(_name_of(each) for each in given)
        with _default_lock:
            meter = _default_meters.get(key)
            if meter is None or meter.closed:
                meter = _default_meters[key] = cls(given)
            return meter

    @property
    def closed(self) -> bool:
        """Whether the readings have ended."""
        return self._native is None

    @property
    def open_windows(self) -> tuple[str, ...]:
        """Names of the windows that have begun and not ended."""
        with self._lock:
            return tuple(self._windows)

    def measure(
        self,
        name: str = "",
        *,
        samples: float | None = None,
        tokens: float | None = None,
        synchronize: bool = True,
    ) -> Window:
        """Begins a window, for `with`: it ends with the block."""
        return Window(self, name, samples=samples, tokens=tokens, synchronize=synchronize)

    def begin(
        self,
        name: str,
        *,
        samples: float | None = None,
        tokens: float | None = None,
        synchronize: bool = True,
    ) -> Window:
        """Begins a window that `end()` finds by its name.

        Raises InvalidInputError if a window of this name is open.
        """
        self._check_process()
        with self._lock:
            if name in self._windows:
                raise InvalidInputError(f'window "{name}" is open already; end it first')
        window = self.measure(name, samples=samples, tokens=tokens, synchronize=synchronize)
        with self._lock:
            if self._windows.setdefault(name, window) is not window:
                raise InvalidInputError(f'window "{name}" is open already; end it first')
        return window

    def end(
        self,
        name: str,
        *,
        samples: float | None = None,
        tokens: float | None = None,
        synchronize: bool | None = None,
    ) -> Window:
        """Ends the window of this name and returns it. Does not wait for its measurement.

        Raises InvalidInputError if no window of this name is open.
        """
        window = self._take(name)
        if samples is not None:
            window.samples = samples
        if tokens is not None:
            window.tokens = tokens
        return window.end(synchronize)

    def cancel(self, name: str) -> None:
        """Discards the open window of this name without a measurement."""
        self._take(name)

    def close(self) -> None:
        """Ends the readings. Windows that have not been reported keep them running until they are."""
        self._native = None

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        devices = ", ".join(each.id for each in self.devices)
        return f"Meter({devices}{', closed' if self.closed else ''})"

    def _begin_native(self) -> _ergon.Window:
        self._check_process()
        if self._native is None:
            raise InvalidInputError("the meter is closed")
        return self._native.begin()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise InvalidInputError(
                f"the meter belongs to process {self._process}; start one in the forked process"
            )

    def _take(self, name: str) -> Window:
        self._check_process()
        with self._lock:
            window = self._windows.pop(name, None)
            if window is None:
                known = ", ".join(f'"{each}"' for each in self._windows) or "none"
                raise InvalidInputError(f'no window "{name}" is open; open windows: {known}')
        return window


def measure(
    devices: Devices = None,
    *,
    name: str = "",
    samples: float | None = None,
    tokens: float | None = None,
    synchronize: bool = True,
) -> Window:
    """Measures the energy of a block.

        with ergon.measure() as m:
            train()
        print(m.energy_joules, m.low_joules, m.high_joules, m.valid)

    devices: as of `Meter`; the meter is shared by all calls with the same devices.
    samples, tokens: how many the block processes, for energy per sample or token; may also be set on the
        window.
    synchronize: wait for CUDA at both ends, where PyTorch uses it.

    Also for `async with`, which waits for the measurement without blocking the event loop.
    """
    meter = Meter.default(devices)
    return meter.measure(name, samples=samples, tokens=tokens, synchronize=synchronize)


def begin(
    name: str,
    *,
    samples: float | None = None,
    tokens: float | None = None,
    synchronize: bool = True,
) -> Window:
    """Begins a window by name on the default meter: `Meter.begin`."""
    return Meter.default().begin(name, samples=samples, tokens=tokens, synchronize=synchronize)


def end(
    name: str,
    *,
    samples: float | None = None,
    tokens: float | None = None,
    synchronize: bool | None = None,
) -> Window:
    """Ends a window by name on the default meter: `Meter.end`."""
    return Meter.default().end(name, samples=samples, tokens=tokens, synchronize=synchronize)


@overload
def measured(function: _Function) -> _Function: ...
@overload
def measured(
    function: None = None,
    *,
    devices: Devices = None,
    on_result: Callable[[Window], None] | None = None,
) -> Callable[[_Function], _Function]: ...
def measured(
    function: Any = None,
    *,
    devices: Devices = None,
    on_result: Callable[[Window], None] | None = None,
) -> Any:
    """Decorator: measures every call of a function, also of an `async def`.

    `function.window` is the window of the last call that ended, also by an exception. `on_result` is called
    with each ended window; reading a value of the window waits for its measurement.
    """
    if function is None:
        return functools.partial(measured, devices=devices, on_result=on_result)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError("measured: a generator returns before its work; measure the loop over it")
    name = getattr(function, "__qualname__", type(function).__qualname__)

    @contextlib.contextmanager
    def call() -> Iterator[None]:
        window = measure(devices, name=name)
        try:
            with window:
                yield
        finally:
            wrapper.window = window  # type: ignore[attr-defined]
            if on_result is not None:
                on_result(window)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            with call():
                return await function(*args, **kwargs)

    else:

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with call():
                return function(*args, **kwargs)

    wrapper.window = None  # type: ignore[attr-defined]
    return wrapper


def _name_of(device: str | int | Device) -> str:
    return device.id + device.uuid if isinstance(device, Device) else str(device)


def _forget_after_fork() -> None:
    # The threads of the meters exist in the parent only, and their locks may be held.
    global _default_lock
    _default_lock = threading.Lock()
    _default_meters.clear()


def _close_all() -> None:
    for meter in list(_meters):
        meter.close()
    _default_meters.clear()
    _ergon.close_all()


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(_close_all)
