"""`ergon.huggingface` on fake-nvml, with a stand-in for the Trainer of transformers."""

from __future__ import annotations

import functools
import math
import statistics
import sys
import time
import types
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import ergon
from ergon.huggingface import EnergyCallback, StepsMeasurement, energy_sum

BATCH_SECONDS = 0.02
ENERGY = "energy_joules_per_step"


class TrainerCallbackStandIn:
    """transformers.TrainerCallback: all events, without effect."""

    def _nothing(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        pass

    on_init_end = on_train_begin = on_train_end = on_epoch_begin = on_epoch_end = _nothing
    on_step_begin = on_substep_end = on_optimizer_step = on_step_end = _nothing
    on_evaluate = on_predict = on_save = on_log = on_prediction_step = _nothing


class DefaultFlowCallback(TrainerCallbackStandIn):
    """Decides after each step what follows it, as the class of this name does."""

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        control.should_log = args.logging_steps > 0 and state.global_step % args.logging_steps == 0
        control.should_evaluate = args.eval_steps > 0 and state.global_step % args.eval_steps == 0
        control.should_training_stop = state.global_step >= state.max_steps
        return control

    def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        control.should_log = args.logging_steps == 0
        return control


class Reporter(TrainerCallbackStandIn):
    """Keeps the logs as TensorBoardCallback would write them. Before the user's callbacks."""

    def __init__(self) -> None:
        self.logs: list[tuple[int, dict[str, Any]]] = []

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        self.logs.append((state.global_step, dict(logs)))


class CallbackHandlerStandIn:
    def __init__(self, callbacks: list[Any]) -> None:
        self.callbacks = callbacks
        self.seconds: dict[tuple[type, str], list[float]] = {}

    def call_event(self, event: str, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        for callback in self.callbacks:
            before = time.perf_counter()
            result = getattr(callback, event)(args, state, control, **kwargs)
            if "train_runtime" not in (kwargs.get("logs") or {}):
                seconds = self.seconds.setdefault((type(callback), event), [])
                seconds.append(time.perf_counter() - before)
            control = result or control
        return control


class Loader:
    """A DataLoader: its number of batches and its dataset."""

    def __init__(self, samples: int, batch_size: int) -> None:
        self.dataset = range(samples)
        self.batch_size = batch_size

    def __len__(self) -> int:
        return math.ceil(len(self.dataset) / self.batch_size)


class TrainerStandIn:
    """The loop of transformers' Trainer with gradient accumulation, logs, evaluation and resume."""

    def __init__(self, callbacks: list[Any] | None = None, **arguments: Any) -> None:
        settings = {
            "samples": 48, "train_batch_size": 4, "gradient_accumulation_steps": 1,
            "num_train_epochs": 1, "logging_steps": 5, "eval_steps": 0, "world_size": 1,
            "tokens": 0, "loading_seconds": 0.0, "max_steps": None, "report_to": ["tensorboard"],
        }  # fmt: skip
        self.args = SimpleNamespace(**{**settings, **arguments})
        self.reporter = Reporter()
        defaults = [DefaultFlowCallback(), self.reporter]
        self.callback_handler = CallbackHandlerStandIn(defaults + (callbacks or []))
        self.state = SimpleNamespace(
            global_step=0, max_steps=0, epoch=0.0, log_history=[], is_local_process_zero=True,
            num_input_tokens_seen=0, train_batch_size=None,
        )  # fmt: skip
        self.control = SimpleNamespace(should_training_stop=False, should_epoch_stop=False)
        self._new_step()
        self._call("on_init_end")

    def add_callback(self, callback: Any) -> None:
        self.callback_handler.callbacks.append(callback)

    def train(self) -> None:
        args, state = self.args, self.state
        loader = Loader(args.samples, args.train_batch_size)
        accumulation = args.gradient_accumulation_steps
        per_epoch = math.ceil(len(loader) / accumulation)
        state.max_steps = args.max_steps or per_epoch * args.num_train_epochs
        self._call("on_train_begin")
        for epoch in range(state.global_step // per_epoch, args.num_train_epochs):
            self._call("on_epoch_begin", train_dataloader=loader)
            skipped = state.global_step % per_epoch * accumulation
            for index in range(skipped, len(loader)):
                time.sleep(args.loading_seconds)
                state.num_input_tokens_seen += args.tokens * args.world_size
                if index % accumulation == 0:
                    self._new_step()
                    self._call("on_step_begin")
                time.sleep(BATCH_SECONDS)
                if (index + 1) % accumulation and index + 1 < len(loader):
                    self._call("on_substep_end")
                    continue
                self._call("on_optimizer_step")
                state.global_step += 1
                state.epoch = epoch + (index + 1) / len(loader)
                self._call("on_step_end")
                self._log_and_evaluate()
            self._call("on_epoch_end")
            self._log_and_evaluate()
        self.log({"train_runtime": 1.0, "train_loss": 0.1})
        self._call("on_train_end")

    def log(self, logs: dict[str, Any]) -> None:
        logs["epoch"] = self.state.epoch
        self.state.log_history.append({**logs, "step": self.state.global_step})
        self._call("on_log", logs=logs)
        self.control.should_log = False

    def evaluate(self) -> None:
        for _ in range(2):
            time.sleep(0.15)
            self._call("on_prediction_step")
        self.log({"eval_loss": 0.2})
        self._call("on_evaluate", metrics={"eval_loss": 0.2})
        self.control.should_evaluate = False

    def _log_and_evaluate(self) -> None:
        if self.control.should_log:
            self.log({"loss": 0.1, "learning_rate": 1e-4})
        if self.control.should_evaluate:
            self.evaluate()

    def _new_step(self) -> None:
        control = self.control
        control.should_log = control.should_evaluate = control.should_save = False

    def _call(self, event: str, **kwargs: Any) -> None:
        self.control = self.callback_handler.call_event(
            event, self.args, self.state, self.control, model=object(), **kwargs
        )


@functools.lru_cache(maxsize=None)
def prompt_meter(ids: tuple[str, ...]) -> ergon.Meter:
    return ergon.Meter(ids, prompt=True)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meters that measure 1 s sooner than the default ones."""

    def default(devices: Sequence[ergon.Device | str]) -> ergon.Meter:
        return prompt_meter(tuple(each.id for each in ergon.select_devices(devices)))

    monkeypatch.setattr(ergon.Meter, "default", default)


@pytest.fixture(autouse=True)
def transformers_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("transformers")
    module.TrainerCallback = TrainerCallbackStandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", module)
    for name in ("LOCAL_WORLD_SIZE", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)


def trained(callback: Any, **arguments: Any) -> TrainerStandIn:
    trainer = TrainerStandIn([callback], **arguments)
    trainer.train()
    return trainer


def test_needs_transformers_only_when_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ImportError, match="needs transformers: pip install transformers"):
        EnergyCallback()


def test_values_reach_the_reporters_and_the_history(fake_gpus: Any) -> None:
    callback = EnergyCallback(devices=["gpu0"])
    assert isinstance(callback, TrainerCallbackStandIn)
    before = fake_gpus.joules(0)
    trainer = trained(callback, samples=200, logging_steps=10)
    true_joules = fake_gpus.joules(0) - before
    logs = trainer.reporter.logs
    assert [step for step, _ in logs] == [10, 20, 30, 40, 50, 50]
    assert ENERGY not in logs[0][1], "the sensors have not covered the first window yet"
    in_loop = [values for _, values in logs[:-1] if ENERGY in values]
    assert in_loop, "values reach the reporters during training"
    for values in [*in_loop, logs[-1][1]]:
        assert values[f"{ENERGY}_low"] < values[ENERGY] < values[f"{ENERGY}_high"]
        assert values[ENERGY] / values["energy_joules_per_sample"] == pytest.approx(4)
        assert BATCH_SECONDS <= values[ENERGY] / values["power_watts"] < 3 * BATCH_SECONDS
        assert values["energy_valid"] in (0.0, 1.0)
        assert "energy_joules_per_token" not in values
    total = logs[-1][1]["energy_total_joules"]
    assert total == pytest.approx(sum(each.energy_joules for each in callback.measurements))
    assert total < true_joules * 1.05
    for (step, values), entry in zip(logs, trainer.state.log_history):
        assert entry == {**values, "step": step}


def test_windows_cover_every_step_once() -> None:
    callback = EnergyCallback(steps_per_window=3)
    trained(callback, samples=40)
    covered = [(each.first_step, each.last_step) for each in callback.measurements]
    assert covered == [(1, 3), (4, 6), (7, 9), (10, 10)]
    for each in callback.measurements:
        assert each.steps == each.samples / 4
        assert 0 <= each.seconds - each.steps * BATCH_SECONDS < 0.1
        assert each.energy_per_step_joules.value == pytest.approx(each.energy_joules / each.steps)
    by_log = EnergyCallback()
    trained(by_log, samples=28)
    assert [(each.first_step, each.last_step) for each in by_log.measurements] == [(1, 5), (6, 7)]


def test_loading_the_next_batch_is_part_of_the_window() -> None:
    callback = EnergyCallback(steps_per_window=1)
    trained(callback, samples=20, loading_seconds=0.1)
    assert [type(each) for each in callback.measurements] == 5 * [StepsMeasurement]
    assert callback.measurements[0].seconds < 0.1, "the first batch was loaded before the window"
    assert all(each.seconds > 0.1 for each in callback.measurements[1:])


def test_training_that_ends_early_measures_its_last_steps() -> None:
    callback = EnergyCallback()
    trainer = trained(callback, samples=28, max_steps=100)  # the data ends before
    assert trainer.state.global_step == 7
    assert [(each.first_step, each.last_step) for each in callback.measurements] == [(1, 5), (6, 7)]
    assert trainer.reporter.logs[-1][1]["energy_last_step"] == 7


def test_epochs_are_the_windows_if_logs_are_per_epoch() -> None:
    callback = EnergyCallback()
    trained(callback, samples=16, num_train_epochs=2, logging_steps=0)
    assert [(each.first_step, each.last_step) for each in callback.measurements] == [(1, 4), (5, 8)]


def test_loop_is_not_stalled() -> None:
    trainer = trained(EnergyCallback(steps_per_window=1), logging_steps=1)
    events = ("on_step_begin", "on_step_end", "on_log")
    seconds = {
        event: statistics.median(seconds)
        for (kind, event), seconds in trainer.callback_handler.seconds.items()
        if issubclass(kind, EnergyCallback) and event in events
    }
    assert len(seconds) == 3
    assert max(seconds.values()) < 0.01, seconds


def test_evaluation_is_not_measured() -> None:
    callback = EnergyCallback()
    trainer = trained(callback, samples=40, logging_steps=3, eval_steps=5)
    covered = [(each.first_step, each.last_step) for each in callback.measurements]
    assert covered == [(1, 3), (4, 5), (6, 6), (7, 9), (10, 10)]
    seconds = sum(each.seconds for each in callback.measurements)
    assert 0 <= seconds - 10 * BATCH_SECONDS < 0.3, "the evaluations took 0.6 s"
    evaluated = [values for _, values in trainer.reporter.logs if "eval_loss" in values]
    assert len(evaluated) == 2


def test_evaluation_on_demand_discards_its_window() -> None:
    class EvaluateAfterStep2(TrainerCallbackStandIn):
        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
            control.should_evaluate = state.global_step == 2
            return control

    callback = EnergyCallback()
    trainer = TrainerStandIn([callback, EvaluateAfterStep2()], samples=24, logging_steps=6)
    trainer.train()
    covered = [(each.first_step, each.last_step) for each in callback.measurements]
    assert covered == [(3, 6)]


def test_counts_samples_of_accumulated_and_short_batches() -> None:
    callback = EnergyCallback()
    # 11 batches per epoch, the last of 2 samples; 4 steps per epoch, the last of 2 batches.
    settings = {"gradient_accumulation_steps": 3, "num_train_epochs": 2, "logging_steps": 4}
    trained(callback, samples=42, **settings)
    assert [each.samples for each in callback.measurements] == [42, 42]
    assert all(each.steps == 4 for each in callback.measurements)


def test_counts_tokens_of_the_trainer() -> None:
    callback = EnergyCallback()
    trainer = trained(callback, tokens=100, gradient_accumulation_steps=2, samples=40)
    assert [each.tokens for each in callback.measurements] == [1000]
    final = trainer.reporter.logs[-1][1]
    assert final["energy_joules_per_token"] == pytest.approx(final[ENERGY] / 200)
    fixed = EnergyCallback(tokens_per_sample=512)
    trained(fixed, samples=20)
    assert fixed.measurements[0].tokens == 20 * 512


def test_resumed_training_counts_its_own_steps() -> None:
    callback = EnergyCallback()
    trainer = TrainerStandIn([callback], tokens=100, samples=40)
    trainer.state.global_step = 4
    trainer.state.num_input_tokens_seen = 400
    trainer.train()
    covered = [(each.first_step, each.last_step) for each in callback.measurements]
    assert covered == [(5, 5), (6, 10)]
    assert [each.samples for each in callback.measurements] == [4, 20]
    assert [each.tokens for each in callback.measurements] == [None, 500], (
        "the first step may include the tokens of skipped batches"
    )


def test_one_rank_of_a_node_measures_all_its_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    callback = EnergyCallback()
    trained(callback, world_size=4, tokens=100, samples=20)
    (measurement,) = callback.measurements
    assert [each.device for each in measurement.devices] == ["gpu0", "gpu1"]
    assert measurement.samples == 5 * 4 * 2, "of the two ranks of this node"
    assert measurement.tokens == 5 * 100 * 2
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "1")
    one_gpu = EnergyCallback()
    trained(one_gpu, world_size=2, samples=20)
    (measurement,) = one_gpu.measurements
    assert [each.device for each in measurement.devices] == ["gpu0"]
    assert measurement.samples == 20


def test_other_ranks_do_nothing() -> None:
    callback = EnergyCallback()
    trainer = TrainerStandIn([callback], gradient_accumulation_steps=2)
    trainer.state.is_local_process_zero = False
    trainer.train()
    assert callback.measurements == [] and callback.errors == []
    assert all(ENERGY not in values for _, values in trainer.reporter.logs)


def test_failed_measurement_does_not_end_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(self: ergon.Window, timeout_seconds: float | None = None) -> ergon.Measurement:
        raise ergon.DeviceLostError("gpu0 stopped responding")

    monkeypatch.setattr(ergon.Window, "result", lost)
    callback = EnergyCallback()
    with pytest.warns(UserWarning, match="gpu0 stopped responding"):
        trainer = trained(callback, samples=20)
    assert trainer.state.global_step == 5
    assert [type(each) for each in callback.errors] == [ergon.DeviceLostError]
    final = trainer.reporter.logs[-1][1]
    assert final["energy_valid"] == 0.0
    assert ENERGY not in final and "energy_total_joules" not in final


def test_attach_moves_before_the_reporters() -> None:
    trainer = TrainerStandIn()
    callback = EnergyCallback()
    assert callback.attach(trainer) is callback
    assert callback.attach(trainer) is callback
    kinds = [type(each).__name__ for each in trainer.callback_handler.callbacks]
    assert kinds == ["DefaultFlowCallback", "EnergyCallback", "Reporter"]
    added_late = TrainerStandIn()
    late = EnergyCallback()
    added_late.add_callback(late)
    added_late.train()
    kinds = [type(each).__name__ for each in added_late.callback_handler.callbacks]
    assert kinds == ["DefaultFlowCallback", "EnergyCallback", "Reporter"]
    assert ENERGY in added_late.reporter.logs[-1][1]


def test_warns_if_the_reporters_are_not_found() -> None:
    args = SimpleNamespace(report_to=["tensorboard"])
    with pytest.warns(UserWarning, match="attach"):
        EnergyCallback().on_init_end(args, None, None)


def test_wrong_settings_are_errors() -> None:
    with pytest.raises(ValueError, match="steps_per_window: 0"):
        EnergyCallback(steps_per_window=0)


def test_energy_sum_adds_independent_and_common_errors() -> None:
    def part(energy: float, statistical: float, half_width: float) -> Any:
        return SimpleNamespace(
            energy_joules=energy, statistical_joules=statistical, high_joules=energy + half_width
        )

    independent = energy_sum([part(10, 3, 3), part(20, 4, 4)])
    assert (independent.value, independent.low, independent.high) == pytest.approx((30, 25, 35))
    common = energy_sum([part(10, 0, 1), part(20, 0, 2)])
    assert (common.low, common.high) == pytest.approx((27, 33))
    both = energy_sum([part(10, 3, 5), part(20, 4, 5)])  # systematic parts 4 and 3
    assert both.high - 30 == pytest.approx(math.sqrt(25 + 49))
