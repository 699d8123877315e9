"""`ergon.lightning` on fake-nvml, with a stand-in for Lightning's Trainer."""

from __future__ import annotations

import functools
import pickle
import statistics
import sys
import time
import types
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import ergon
from ergon.lightning import EnergyCallback, StepsMeasurement, batch_size, token_count

BATCH_SECONDS = 0.02
ENERGY = "energy_joules_per_step"


class CallbackStandIn:
    """`Callback` of one Lightning package: all hooks, without effect."""

    def _nothing(self, *args: Any) -> None:
        pass

    on_train_start = on_train_end = on_train_batch_start = on_train_batch_end = _nothing
    on_validation_start = on_validation_end = on_sanity_check_start = on_exception = _nothing


class LoggerStandIn:
    def __init__(self) -> None:
        self.logged: list[tuple[int, dict[str, float]]] = []

    def log_metrics(self, metrics: dict[str, float], step: int) -> None:
        self.logged.append((step, dict(metrics)))


class ModuleStandIn:
    """`log_dict` of a LightningModule, with its rule that a hook logs each name once."""

    def __init__(self) -> None:
        self.metrics: dict[str, float] = {}
        self.shown: set[str] = set()
        self.hook: str | None = None
        self._in_hook: set[str] = set()

    def enter(self, hook: str) -> None:
        self.hook = hook
        self._in_hook = set()

    def log_dict(
        self,
        dictionary: dict[str, float],
        prog_bar: bool = False,
        logger: bool | None = None,
        on_step: bool | None = None,
        on_epoch: bool | None = None,
        batch_size: int | None = None,
    ) -> None:
        assert self.hook == "on_train_batch_end", "not every hook may log"
        assert not self._in_hook & set(dictionary), "a name was logged twice in a hook"
        assert (logger, on_step, on_epoch) == (False, True, False)
        self._in_hook |= set(dictionary)
        self.metrics.update(dictionary)
        self.shown |= set(dictionary) if prog_bar else set()


class Ids:
    """A tensor: its shape."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape


class TrainerStandIn:
    """The fit loop: sanity check, batches, accumulation, validation in and after epochs."""

    def __init__(self, callbacks: list[Any], **settings: Any) -> None:
        defaults = {
            "batches": 6, "max_epochs": 1, "accumulate_grad_batches": 1, "log_every_n_steps": 3,
            "val_check_batch": float("inf"), "validates": False, "local_rank": 0, "num_devices": 1,
            "device_ids": [0], "device": "cuda", "fails_at": None, "checkpoint_seconds": 0.0,
            "loading_seconds": 0.0,
        }  # fmt: skip
        for name, value in {**defaults, **settings}.items():
            setattr(self, name, value)
        self.callbacks = callbacks
        self.loggers = [LoggerStandIn(), LoggerStandIn()]
        self.strategy = SimpleNamespace(root_device=SimpleNamespace(type=self.device))
        self.global_step = 0
        self.is_last_batch = False
        self.module = ModuleStandIn()
        self.seconds: list[float] = []

    def fit(self) -> None:
        if self.validates:
            self._validate()  # the sanity check
        self._call("on_train_start")
        try:
            for _ in range(self.max_epochs):
                self._epoch()
        except RuntimeError as error:
            self._call("on_exception", error)
            raise
        self._call("on_train_end")

    def _epoch(self) -> None:
        for index in range(self.batches):
            batch = {"input_ids": Ids(4, 10), "labels": Ids(4)}
            self.is_last_batch = index + 1 == self.batches
            time.sleep(self.loading_seconds)
            self._call("on_train_batch_start", batch, index, timed=True)
            time.sleep(BATCH_SECONDS)
            if index == self.fails_at:
                raise RuntimeError("out of memory")
            if (index + 1) % self.accumulate_grad_batches == 0 or self.is_last_batch:
                self.global_step += 1
            self._call("on_train_batch_end", {"loss": 0.1}, batch, index, timed=True)
            due = self.validates and (index + 1) % self.val_check_batch == 0
            if due or (self.validates and self.is_last_batch):
                self._validate()
        time.sleep(self.checkpoint_seconds)

    def _validate(self) -> None:
        time.sleep(0.1)  # starts the workers of the validation loader
        self._call("on_validation_start")
        time.sleep(0.1)
        self._call("on_validation_end")

    def _call(self, hook: str, *args: Any, timed: bool = False) -> None:
        self.module.enter(hook)
        for callback in self.callbacks:
            before = time.perf_counter()
            getattr(callback, hook)(self, self.module, *args)
            if timed:
                self.seconds.append(time.perf_counter() - before)


@functools.lru_cache(maxsize=None)
def prompt_meter(ids: tuple[str, ...]) -> ergon.Meter:
    return ergon.Meter(ids, prompt=True)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meters that measure 1 s sooner than the default ones."""

    def default(devices: Sequence[ergon.Device | str]) -> ergon.Meter:
        return prompt_meter(tuple(each.id for each in ergon.select_devices(devices)))

    monkeypatch.setattr(ergon.Meter, "default", default)


@pytest.fixture(autouse=True, params=["lightning.pytorch", "pytorch_lightning"])
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type:
    """A stand-in for one of the two packages; the other is not installed."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for name in ("lightning", "lightning.pytorch", "pytorch_lightning"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = types.ModuleType(request.param)
    module.Callback = type("Callback", (CallbackStandIn,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, request.param, module)
    return module.Callback  # type: ignore[attr-defined, no-any-return]


one_package = pytest.mark.parametrize("package", ["lightning.pytorch"], indirect=True)


def fitted(callback: Any, **settings: Any) -> TrainerStandIn:
    trainer = TrainerStandIn([callback], **settings)
    trainer.fit()
    return trainer


def covered(callback: EnergyCallback) -> list[tuple[int, int]]:
    return [(each.first_step, each.last_step) for each in callback.measurements]


def test_is_a_callback_of_the_loaded_package(package: type) -> None:
    callback = EnergyCallback()
    assert isinstance(callback, EnergyCallback) and isinstance(callback, package)
    assert type(callback).__name__ == "EnergyCallback"


def test_logs_to_all_loggers_and_to_the_module(package: type, fake_gpus: Any) -> None:
    callback = EnergyCallback(progress_bar=True)
    before = fake_gpus.joules(0)
    trainer = fitted(callback, batches=50, log_every_n_steps=10)
    true_joules = fake_gpus.joules(0) - before
    assert covered(callback) == [(1, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
    first, second = (each.logged for each in trainer.loggers)
    assert first == second and len(first) >= 2
    assert first[0][0] in (10, 20, 30, 40), "the last measured step, during the training"
    for _, values in first:
        assert values[f"{ENERGY}_low"] < values[ENERGY] < values[f"{ENERGY}_high"]
        assert values["energy_joules_per_sample"] == pytest.approx(values[ENERGY] / 4)
        assert values["energy_joules_per_token"] == pytest.approx(values[ENERGY] / 40)
        assert BATCH_SECONDS <= values[ENERGY] / values["power_watts"] < 3 * BATCH_SECONDS
        assert values["energy_valid"] in (0.0, 1.0)
    total = first[-1][1]["energy_total_joules"]
    assert total == pytest.approx(sum(each.energy_joules for each in callback.measurements))
    assert total == pytest.approx(true_joules, rel=0.3)
    assert trainer.module.metrics[ENERGY] in [values[ENERGY] for _, values in first]
    assert trainer.module.shown == {ENERGY}


@one_package
def test_loop_is_not_stalled(package: type) -> None:
    trainer = fitted(EnergyCallback(every_n_steps=1), batches=12)
    assert statistics.median(trainer.seconds) < 0.01


@one_package
def test_accumulated_batches_are_one_step(package: type) -> None:
    callback = EnergyCallback(every_n_steps=2)
    fitted(callback, batches=9, accumulate_grad_batches=2)
    assert covered(callback) == [(1, 2), (3, 4), (5, 5)]
    assert [each.samples for each in callback.measurements] == [16, 16, 4]
    assert [each.tokens for each in callback.measurements] == [160, 160, 40]


@one_package
def test_validation_is_not_measured(package: type) -> None:
    callback = EnergyCallback(every_n_steps=3)
    fitted(callback, batches=5, max_epochs=2, validates=True, val_check_batch=2)
    assert covered(callback) == [(1, 2), (3, 4), (5, 5), (6, 7), (8, 9), (10, 10)]
    seconds = sum(each.seconds for each in callback.measurements)
    assert 0 <= seconds - 10 * BATCH_SECONDS < 0.5, "the validations took 1.2 s"


@one_package
def test_loading_is_part_of_the_window_and_the_end_of_an_epoch_is_not(package: type) -> None:
    callback = EnergyCallback(every_n_steps=1)
    fitted(callback, batches=3, max_epochs=2, loading_seconds=0.1, checkpoint_seconds=0.2)
    seconds = [each.seconds for each in callback.measurements]
    assert len(seconds) == 6
    assert max(seconds[0], seconds[3]) < 0.1, "the first of an epoch begin after loading"
    assert all(0.1 < each < 0.2 for each in seconds[1:3] + seconds[4:])


@one_package
def test_step_that_a_validation_interrupts_is_left_out(package: type) -> None:
    callback = EnergyCallback(every_n_steps=1)
    trainer = fitted(
        callback, batches=6, accumulate_grad_batches=2, validates=True, val_check_batch=3
    )
    assert trainer.global_step == 3
    assert covered(callback) == [(1, 1), (3, 3)], "step 2 has a validation between its batches"
    assert [each.samples for each in callback.measurements] == [8, 8]


@one_package
def test_measures_the_gpus_of_the_trainer(package: type, monkeypatch: pytest.MonkeyPatch) -> None:
    for settings, expected in (
        ({"device_ids": [1]}, ["gpu1"]),
        ({"device_ids": [0, 1], "num_devices": 2}, ["gpu0", "gpu1"]),
        ({"device": "cpu"}, ["gpu0", "gpu1"]),
    ):
        callback = EnergyCallback()
        fitted(callback, batches=3, **settings)
        (measurement,) = callback.measurements
        assert [each.device for each in measurement.devices] == expected
        assert measurement.samples == 12 * settings.get("num_devices", 1)  # type: ignore[operator]
    chosen = EnergyCallback(devices=["gpu1"])
    fitted(chosen, batches=3)
    assert [each.device for each in chosen.measurements[0].devices] == ["gpu1"]


@one_package
def test_other_ranks_do_nothing(package: type) -> None:
    callback = EnergyCallback()
    trainer = fitted(callback, local_rank=1)
    assert callback.measurements == []
    assert trainer.loggers[0].logged == [] and trainer.module.metrics == {}


@one_package
def test_resumed_training_counts_on(package: type) -> None:
    callback = EnergyCallback()
    trainer = TrainerStandIn([callback])
    trainer.global_step = 100
    trainer.fit()
    assert covered(callback) == [(101, 103), (104, 106)]


@one_package
def test_exception_discards_the_open_window(package: type) -> None:
    callback = EnergyCallback()
    with pytest.raises(RuntimeError, match="out of memory"):
        fitted(callback, fails_at=4)
    assert callback._windows is not None
    callback._windows.collect(wait_seconds=5)
    assert covered(callback) == [(1, 3)]


@one_package
def test_failed_measurement_does_not_end_the_training(
    package: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(self: ergon.Window, timeout_seconds: float | None = None) -> ergon.Measurement:
        raise ergon.DeviceLostError("gpu0 stopped responding")

    monkeypatch.setattr(ergon.Window, "result", lost)
    callback = EnergyCallback()
    with pytest.warns(UserWarning, match="gpu0 stopped responding"):
        trainer = fitted(callback, batches=3)
    assert trainer.global_step == 3
    assert [type(each) for each in callback.errors] == [ergon.DeviceLostError]
    assert all(ENERGY not in values for _, values in trainer.loggers[0].logged)


@one_package
def test_counts_of_a_batch(package: type) -> None:
    assert batch_size(Ids(8, 3)) == 8
    assert batch_size([Ids(5, 3), Ids(5)]) == 5
    assert batch_size({"scale": Ids(), "x": (Ids(6, 2),)}) == 6
    assert batch_size("text") is None
    assert token_count({"input_ids": Ids(4, 128)}) == 512
    assert token_count({"pixel_values": Ids(4, 3)}) is None
    assert token_count(Ids(4, 128)) is None
    callback = EnergyCallback(samples=lambda batch: 2, tokens=lambda batch: 7)
    fitted(callback, batches=3)
    assert (callback.measurements[0].samples, callback.measurements[0].tokens) == (6, 21)


@one_package
def test_travels_to_spawned_processes(package: type) -> None:
    callback = pickle.loads(pickle.dumps(EnergyCallback(every_n_steps=2)))
    assert isinstance(callback, package)
    fitted(callback, batches=4)
    assert covered(callback) == [(1, 2), (3, 4)]


@one_package
def test_needs_lightning_only_when_used(package: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lightning.pytorch")
    monkeypatch.setitem(sys.modules, "lightning", None)
    monkeypatch.setitem(sys.modules, "lightning.pytorch", None)
    monkeypatch.setitem(sys.modules, "pytorch_lightning", None)
    with pytest.raises(ImportError, match="needs Lightning: pip install lightning"):
        EnergyCallback()
    with pytest.raises(ValueError, match="every_n_steps: 0"):
        module = types.SimpleNamespace(Callback=object)
        monkeypatch.setitem(sys.modules, "lightning.pytorch", module)
        EnergyCallback(every_n_steps=0)
