"""Energy of training with the Trainer of Hugging Face's transformers.

    from ergon.huggingface import EnergyCallback

    trainer = Trainer(model, args, train_dataset=data, callbacks=[EnergyCallback()])
    trainer.train()

The callback adds its values to the Trainer's own logs, from where TensorBoard, W&B and the others
take them. Sensors lag by a fraction of a second, so the values of a log are of the steps that were
measured by then, in general those up to the previous log. The training loop does not wait. The last
log of the training waits for the rest and has the totals.

transformers is imported when a callback is made.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from ._devices import Device, select_devices
from ._errors import ErgonError, InvalidInputError
from ._meter import Meter
from ._training import (
    FINAL_WAIT_SECONDS,
    StepsMeasurement,
    StepWindows,
    derived,
    energy_sum,
    logged_values,
)

__all__ = ["EnergyCallback", "StepsMeasurement", "energy_sum"]


class EnergyCallback:
    """Logs the energy of training steps. A `transformers.TrainerCallback`.

    devices: what to measure. By default the GPUs of this node that the training uses, or the
        processors of a machine without GPUs.
    steps_per_window: optimizer steps per measurement. Default: those between two logs.
    tokens_per_sample: for datasets of one sequence length. By default tokens are known if the
        Trainer counts them (`include_num_input_tokens_seen`).
    keep: number of measurements in `measurements`; the oldest are dropped.

    Logged: energy_joules_per_step with _low and _high (95 % interval), energy_joules_per_sample,
    energy_joules_per_token, power_watts, energy_valid (1 or 0), energy_last_step; at the end
    energy_total_joules. In distributed training the first rank of each node measures its node, and
    the logs are those of the first node: its energy, samples and tokens. Time spent in evaluation
    and checkpoints is not measured.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> EnergyCallback:
        try:
            from transformers import TrainerCallback
        except ImportError as error:
            raise ImportError(
                "ergon.huggingface.EnergyCallback needs transformers: pip install transformers"
            ) from error
        derives = issubclass(cls, TrainerCallback)
        return object.__new__(cls if derives else derived(cls, (TrainerCallback,)))

    def __init__(
        self,
        devices: Sequence[str | int | Device] | None = None,
        *,
        steps_per_window: int | None = None,
        tokens_per_sample: float | None = None,
        keep: int = 10_000,
    ) -> None:
        if steps_per_window is not None and steps_per_window < 1:
            raise InvalidInputError(f"steps_per_window: {steps_per_window} is not 1 or more")
        self._devices = devices
        self._steps_per_window = steps_per_window
        self._tokens_per_sample = tokens_per_sample
        self._keep = keep
        self._windows: StepWindows | None = None
        self._in_step = False
        self._batches = 0  # of the current step that are complete
        self._epoch_batches = 0
        self._short_batch: tuple[int, int] | None = None
        self._resumed = False
        self._tokens_seen: int | None = None
        self._data_ranks = self._token_share = 1.0

    @property
    def measurements(self) -> list[StepsMeasurement]:
        """Measurements of the last training. Empty on ranks that do not measure."""
        return list(self._windows.measurements) if self._windows else []

    @property
    def errors(self) -> list[ErgonError]:
        """Why windows could not be measured."""
        return list(self._windows.errors) if self._windows else []

    def attach(self, trainer: Any) -> EnergyCallback:
        """Adds the callback to a Trainer, or moves it before the reporters, and returns it."""
        callbacks = trainer.callback_handler.callbacks
        if not any(each is self for each in callbacks):
            trainer.add_callback(self)
        _move_before_reporters(self, callbacks)
        return self

    # The events of the Trainer, in the order of a training.

    def on_init_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._find_reporters(args)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._find_reporters(args)
        self._windows = None
        if not state.is_local_process_zero:
            return
        devices, ranks = _devices_of_node(self._devices, args.world_size)
        # Ranks of one tensor-parallel group process the same samples.
        groups = getattr(kwargs.get("model"), "tp_size", None) or 1
        self._data_ranks = ranks / groups
        self._token_share = ranks / args.world_size / groups
        self._windows = StepWindows(Meter.default(devices), self._keep)
        self._in_step = False
        self._batches = self._epoch_batches = 0
        # A resumed training may count the tokens of the batches that it skips.
        self._resumed = state.global_step > 0
        self._tokens_seen = None if self._resumed else getattr(state, "num_input_tokens_seen", 0)

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._epoch_batches = 0
        self._short_batch = None
        if self._windows and not self._resumed and args.world_size == 1:
            dataloader = kwargs.get("train_dataloader")
            self._short_batch = _short_batch(dataloader, _batch_size(args, state))
        self._resumed = False

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._windows:
            self._in_step = True
            self._windows.begin(state.global_step + 1)

    def on_substep_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._batches += 1

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        windows = self._windows
        if not windows:
            return
        self._in_step = False
        samples = self._samples_of_step(_batch_size(args, state))
        windows.add_step(state.global_step, samples, self._tokens_of_step(state, samples))
        if self._due(windows, control) or control.should_evaluate or control.should_save:
            windows.end()
            # Without a gap: loading the next batches is part of training.
            windows.begin(state.global_step + 1)

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        windows = self._windows
        if not windows or logs is None:
            return
        final = "train_runtime" in logs
        if final:
            windows.end()
        failed = len(windows.errors)
        values = logged_values(windows.collect(FINAL_WAIT_SECONDS if final else 0.0))
        if final and windows.measurements:
            values["energy_total_joules"] = windows.total_joules
        if len(windows.errors) > failed:
            values["energy_valid"] = 0.0
        logs.update(values)
        history = state.log_history
        if history and history[-1].get("step") == state.global_step:
            history[-1].update(values)

    def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._windows and (control.should_log or control.should_evaluate or control.should_save):
            self._windows.end()

    # Evaluation and checkpoints follow the end of a window, so the next one has no steps yet. If
    # another callback asked for them, it has. It is discarded in both cases.

    def on_prediction_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._leave()

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._leave()

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._leave()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._windows:
            self._windows.end()
            self._windows.collect(FINAL_WAIT_SECONDS)

    def _leave(self) -> None:
        if self._windows and not self._in_step:
            self._windows.cancel()

    def _due(self, windows: StepWindows, control: Any) -> bool:
        if self._steps_per_window is None:
            return bool(control.should_log)
        return windows.open_steps >= self._steps_per_window

    def _samples_of_step(self, batch_size: int) -> float:
        batches = self._batches + 1
        self._batches = 0
        self._epoch_batches += batches
        samples = batches * batch_size
        if self._short_batch and self._epoch_batches == self._short_batch[0]:
            samples -= batch_size - self._short_batch[1]
        return samples * self._data_ranks

    def _tokens_of_step(self, state: Any, samples: float) -> float | None:
        if self._tokens_per_sample is not None:
            return samples * self._tokens_per_sample
        seen, before = getattr(state, "num_input_tokens_seen", 0), self._tokens_seen
        self._tokens_seen = seen
        return None if before is None or seen <= before else (seen - before) * self._token_share

    def _find_reporters(self, args: Any) -> None:
        """Moves the callback before the reporters, which the Trainer calls before the user's
        callbacks.

        A callback gets no reference to the list that it is in. The functions that call it have one.
        """
        frame = sys._getframe(1)
        for _ in range(8):
            callbacks = getattr(frame.f_locals.get("self"), "callbacks", None)
            if isinstance(callbacks, list) and any(each is self for each in callbacks):
                _move_before_reporters(self, callbacks)
                return
            if frame.f_back is None:
                break
            frame = frame.f_back
        if getattr(args, "report_to", None):
            warnings.warn(
                "ergon: reporters such as TensorBoard may not get the energy; call "
                "EnergyCallback().attach(trainer) instead of callbacks=[...]",
                stacklevel=2,
            )


def _move_before_reporters(callback: object, callbacks: list[Any]) -> None:
    # After DefaultFlowCallback, which decides at the end of a step whether to log.
    position = next((i for i, each in enumerate(callbacks) if each is callback), 0)
    flow = [i for i, each in enumerate(callbacks) if type(each).__name__ == "DefaultFlowCallback"]
    target = flow[0] + 1 if flow else 0
    if position > target:
        callbacks.insert(target, callbacks.pop(position))


def _devices_of_node(
    devices: Sequence[str | int | Device] | None, world_size: int
) -> tuple[list[Device], int]:
    """The devices to measure and the number of ranks that use them, each the GPU of its rank."""
    selected = select_devices(devices)
    if world_size <= 1:
        return selected, 1
    gpus = sum(each.kind != "processor" for each in selected)
    ranks = int(os.environ.get("LOCAL_WORLD_SIZE") or min(world_size, gpus or 1))
    if devices is None and gpus:
        ranks = min(ranks, gpus)
        selected = selected[:ranks]
    return selected, ranks


def _batch_size(args: Any, state: Any) -> int:
    return int(getattr(state, "train_batch_size", None) or args.train_batch_size)


def _short_batch(dataloader: Any, batch_size: int) -> tuple[int, int] | None:
    """The number of the last batch of an epoch and its size, if it is smaller than the others."""
    try:
        batches, samples = len(dataloader), len(dataloader.dataset)
    except (AttributeError, TypeError):
        return None
    rest = samples - (batches - 1) * batch_size
    return (batches, rest) if 0 < rest < batch_size else None
