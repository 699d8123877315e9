"""Energy of training with Lightning, for `lightning.pytorch` and `pytorch_lightning`.

    from ergon.lightning import EnergyCallback

    trainer = Trainer(callbacks=[EnergyCallback()])
    trainer.fit(model)

The values are those of `ergon.huggingface`. They reach the loggers of the Trainer, and its
`callback_metrics` through `pl_module.log_dict`, when the sensors have covered their steps: a
fraction of a second later. The training loop does not wait. Lightning is imported when a callback
is made.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._devices import Device, select_devices
from ._errors import ErgonError, InvalidInputError
from ._meter import Meter
from ._training import (
    FINAL_WAIT_SECONDS,
    StepsMeasurement,
    StepWindows,
    derived,
    logged_values,
)

__all__ = ["EnergyCallback", "StepsMeasurement"]

Count = Callable[[Any], float]
"""Number of samples or tokens in a batch."""


class EnergyCallback:
    """Logs the energy of training steps. A `Callback` of the Lightning package that the program
    uses.

    devices: what to measure. By default the GPUs of this node that the Trainer uses, or the
        processors of a machine without GPUs.
    every_n_steps: optimizer steps per measurement. Default: the Trainer's `log_every_n_steps`.
    samples, tokens: functions of a batch. By default the first dimension of its first tensor, and
        the size of "input_ids" (with padding).
    progress_bar: show the energy per step in the progress bar.
    keep: number of measurements in `measurements`; the oldest are dropped.

    In distributed training the first rank of each node measures its node, and the logs are those of
    the first node. Its samples and tokens are those of this rank times the Trainer's devices per
    node. Time spent in validation is not measured.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> EnergyCallback:
        bases = _callback_classes()
        return object.__new__(cls if issubclass(cls, bases) else derived(cls, bases))

    def __init__(
        self,
        devices: Sequence[str | int | Device] | None = None,
        *,
        every_n_steps: int | None = None,
        samples: Count | None = None,
        tokens: Count | None = None,
        progress_bar: bool = False,
        keep: int = 10_000,
    ) -> None:
        if every_n_steps is not None and every_n_steps < 1:
            raise InvalidInputError(f"every_n_steps: {every_n_steps} is not 1 or more")
        self._devices = devices
        self._every_n_steps = every_n_steps
        self._samples_of: Callable[[Any], float | None] = samples or batch_size
        self._tokens_of: Callable[[Any], float | None] = tokens or token_count
        self._progress_bar = progress_bar
        self._keep = keep
        self._windows: StepWindows | None = None
        self._ranks = 1
        self._global_step = 0
        # Of the current step: its batches that are complete, and whether a validation interrupted
        # it.
        self._batches = 0
        self._interrupted = False
        self._samples: float | None = 0.0
        self._tokens: float | None = 0.0

    @property
    def measurements(self) -> list[StepsMeasurement]:
        """Measurements of the last training. Empty on ranks that do not measure."""
        return list(self._windows.measurements) if self._windows else []

    @property
    def errors(self) -> list[ErgonError]:
        """Why windows could not be measured."""
        return list(self._windows.errors) if self._windows else []

    # The hooks of the Trainer, in the order of a training.

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        self._windows = None
        if trainer.local_rank != 0:
            return
        self._windows = StepWindows(Meter.default(_devices_of(trainer, self._devices)), self._keep)
        self._ranks = trainer.num_devices
        self._global_step = trainer.global_step
        self._forget_step()

    def on_train_batch_start(
        self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int, *unused: Any
    ) -> None:
        if self._windows and not self._interrupted:
            self._windows.begin(self._global_step + 1)

    def on_train_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int, *unused: Any
    ) -> None:
        windows = self._windows
        if not windows:
            return
        self._batches += 1
        self._samples = _times(self._samples, self._samples_of(batch), self._ranks)
        self._tokens = _times(self._tokens, self._tokens_of(batch), self._ranks)
        if trainer.global_step > self._global_step:  # else gradients are being accumulated
            self._global_step = trainer.global_step
            windows.add_step(self._global_step, self._samples, self._tokens)
            self._forget_step()
            every = self._every_n_steps or trainer.log_every_n_steps or 50
            leaves = _validates_next(trainer, batch_idx)
            if leaves or windows.open_steps >= every:
                windows.end()
                if not leaves:
                    # Without a gap: loading the next batch is part of training.
                    windows.begin(self._global_step + 1)
        self._log(trainer, pl_module, windows.collect())

    def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
        if not self._windows:
            return
        if self._batches:  # in the middle of a step, which goes on after the validation
            self._interrupted = True
            self._windows.cancel()
        else:
            self._windows.end()

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        if self._windows:
            self._windows.end()
            self._log(trainer, None, self._windows.collect(FINAL_WAIT_SECONDS))

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        if self._windows:
            self._windows.cancel()

    def _forget_step(self) -> None:
        self._batches = 0
        self._samples = self._tokens = 0.0
        self._interrupted = False

    def _log(self, trainer: Any, pl_module: Any, measured: Sequence[StepsMeasurement]) -> None:
        values = logged_values(measured)
        if not values:
            return
        if pl_module is None:
            assert self._windows is not None
            values["energy_total_joules"] = self._windows.total_joules
        else:
            shown = {"energy_joules_per_step"} if self._progress_bar else set()
            for bar in (False, True):
                part = {name: value for name, value in values.items() if (name in shown) == bar}
                pl_module.log_dict(
                    part, prog_bar=bar, logger=False, on_step=True, on_epoch=False, batch_size=1
                )
        # Directly, because Lightning passes on only what is logged in every `log_every_n_steps`th
        # step.
        for logger in trainer.loggers:
            logger.log_metrics(values, step=measured[-1].last_step)


def batch_size(batch: Any) -> float | None:
    """The first dimension of the first tensor of a batch; None if there is none."""
    return next((float(each.shape[0]) for each in _tensors(batch) if len(each.shape)), None)


def token_count(batch: Any) -> float | None:
    """The number of elements of "input_ids"; None for other batches."""
    ids = batch.get("input_ids") if isinstance(batch, Mapping) else None
    shape = getattr(ids, "shape", None)
    if shape is None:
        return None
    count = 1.0
    for extent in shape:
        count *= extent
    return count


def _tensors(batch: Any) -> Iterable[Any]:
    if hasattr(batch, "shape"):
        yield batch
    elif isinstance(batch, Mapping):
        for each in batch.values():
            yield from _tensors(each)
    elif isinstance(batch, (list, tuple)):
        for each in batch:
            yield from _tensors(each)


def _times(total: float | None, count: float | None, ranks: int) -> float | None:
    return None if total is None or count is None else total + count * ranks


def _validates_next(trainer: Any, batch_idx: int) -> bool:
    """Whether an epoch ends or a validation begins after this batch."""
    every = getattr(trainer, "val_check_batch", None)
    return bool(trainer.is_last_batch) or (
        isinstance(every, int) and every > 0 and (batch_idx + 1) % every == 0
    )


def _devices_of(
    trainer: Any, devices: Sequence[str | int | Device] | None
) -> Sequence[str | int | Device]:
    if devices is not None:
        return devices
    selected = select_devices()
    if trainer.strategy.root_device.type == "cuda":
        # CUDA counts the visible GPUs.
        chosen = [index for index in trainer.device_ids if index < len(selected)]
        selected = [selected[index] for index in chosen] or selected
    return selected


def _callback_classes() -> tuple[type, ...]:
    """`Callback` of the loaded Lightning packages, or of the first that is installed."""
    names = ("lightning.pytorch", "pytorch_lightning")
    loaded = [name for name in names if sys.modules.get(name) is not None]
    if loaded:
        return tuple(sys.modules[name].Callback for name in loaded)
    for name in names:
        try:
            return (importlib.import_module(name).Callback,)
        except ImportError:
            continue
    raise ImportError("ergon.lightning.EnergyCallback needs Lightning: pip install lightning")
