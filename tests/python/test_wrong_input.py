"""Numbers, names and uses that make no sense are exceptions, and never change a result in silence."""

from __future__ import annotations

import functools
import math
import os
import pickle
import signal
import threading
import time
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import ergon  # noqa: E402
from torch import nn  # noqa: E402

NAN, INF = math.nan, math.inf


@pytest.fixture(scope="module")
def meter() -> ergon.Meter:
    return ergon.Meter(["gpu0"], prompt=True)


@pytest.mark.parametrize("count", [NAN, INF, -5, "many", []])
def test_amounts(meter: ergon.Meter, count: Any) -> None:
    with pytest.raises(ergon.InvalidInputError, match="tokens"):
        meter.measure(tokens=count)
    with meter.measure() as window:
        pass
    with pytest.raises(ergon.InvalidInputError, match="samples"):
        window.samples = count
    assert window.samples is None


def test_amounts_may_be_set_after_the_result(meter: ergon.Meter) -> None:
    with meter.measure(samples=2) as window:
        time.sleep(0.05)
    assert window.energy_per_token_joules is None
    window.tokens = torch.tensor(64)
    window.samples = 4
    assert window.energy_per_token_joules.value == window.energy_joules / 64
    assert window.energy_per_sample_joules.value == window.energy_joules / 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: ergon.predict("resnet18", "h200", clock=NAN),
        lambda: ergon.predict("resnet18", "h200", power_limit=NAN),
        lambda: ergon.predict("resnet18", "h200", batch=0),
        lambda: ergon.tune("resnet18", "h200", power_limits=[NAN]),
        lambda: ergon.tune("resnet18", "h200", min_throughput=INF),
        lambda: ergon.tune("resnet18", "h200", batches=[]),
        lambda: ergon.tune("resnet18", "h200", batches=["x"]),
        lambda: ergon.profile("resnet18", "h200", duration=NAN),
        lambda: ergon.profile("resnet18", "h200", duration=INF),
        lambda: ergon.profile("resnet18", "h200", clock=NAN),
        lambda: ergon.Cap(INF, [1], device=ergon.Device.twin("h200"), idle_power_watts=70),
        lambda: ergon.Cap(400, [1], device=ergon.Device.twin("h200"), idle_power_watts=-1),
        lambda: ergon.Cap(
            400, [1], device=ergon.Device.twin("h200"), idle_power_watts=70, max_latency=NAN
        ),
        lambda: ergon.Cap(
            400, [1], device=ergon.Device.twin("h200"), idle_power_watts=70, duration=NAN
        ),
        lambda: ergon.Cap(400, [1], device=ergon.Device.twin("h200"), idle_power_watts=70, steps=-1),
        lambda: ergon.measure(["gpu0", 0]),
        lambda: ergon.measure(["gpu0", "gpu0"]),
    ],
)
def test_numbers_that_make_no_sense(call: Any) -> None:
    with pytest.raises(ergon.InvalidInputError):
        call()


def test_a_clock_of_zero_is_not_the_lower_clock() -> None:
    with ergon.lease("gpu1", allow_control=True) as lease:
        with pytest.raises(ergon.InvalidInputError):
            lease.lock_core_clock("900MHz", 0)


def test_misspelled_settings() -> None:
    network = ergon.Network("resnet18")
    for call in (
        lambda: ergon.predict(network, "h200", clok="900MHz"),
        lambda: ergon.tune(network, "h200", objectiv="time"),
        lambda: ergon.profile(network, "h200", durration="1s"),
        lambda: ergon.torch.predict(nn.Linear(2, 2), torch.zeros(2, 2), "h200", clk=3),
    ):
        with pytest.raises(TypeError, match="unexpected"):
            call()
    with pytest.raises(ergon.UnknownNameError, match="time_seconds, power_watts"):
        ergon.predict(network, "h200").plot("time")


def test_devices_in_all_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    (gpu,) = ergon.select_devices("gpu0")
    for given in (0, gpu, (each for each in ["gpu0"])):
        assert [each.id for each in ergon.Meter(given).devices] == ["gpu0"]
    with ergon.measure(0) as window:
        pass
    assert len(window.devices) == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,5")
    with pytest.raises(ergon.InvalidInputError, match="CUDA_VISIBLE_DEVICES.*gpu5"):
        ergon.select_devices()


def test_a_window_is_entered_once(meter: ergon.Meter) -> None:
    with meter.measure() as window:
        with pytest.raises(ergon.InvalidInputError, match="used already"):
            with window:
                pass
    with pytest.raises(ergon.InvalidInputError, match="used already"):
        with window:
            pass


def test_a_forked_child_keeps_its_own_exception(meter: ergon.Meter) -> None:
    child = None
    try:
        with meter.measure():
            child = os.fork()
            if child == 0:
                raise SystemExit(7)
    except BaseException as error:
        if child != 0:
            raise
        os._exit(error.code if isinstance(error, SystemExit) else 1)  # type: ignore[arg-type]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_results_may_be_asked_for_in_a_signal_handler(meter: ergon.Meter) -> None:
    with meter.measure() as window:
        time.sleep(0.05)
    seen: list[Any] = []

    def handler(number: int, frame: Any) -> None:
        try:
            seen.append(window.result(timeout_seconds=0))
        except TimeoutError as error:
            seen.append(error)
        meter.begin("in handler")
        meter.end("in handler")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        energy = window.energy_joules
        time.sleep(0.05)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert energy > 0 and len(seen) == 1


def test_a_timeout_holds_while_another_thread_waits() -> None:
    slow = ergon.Meter(["gpu0"])
    with slow.measure() as window:
        time.sleep(0.05)
    waiting = threading.Thread(target=lambda: window.energy_joules)
    waiting.start()
    start = time.monotonic()
    try:
        window.result(timeout_seconds=0.001)
    except TimeoutError:
        pass
    assert time.monotonic() - start < 0.15
    assert window.result(timeout_seconds=1e12).seconds > 0
    waiting.join()


def test_a_cap_without_a_decision_has_no_summary() -> None:
    cap = ergon.Cap(400, [1, 2], device=ergon.Device.twin("h200"), idle_power_watts=70, steps=2)
    for _ in cap:
        pass
    with pytest.raises(ergon.InvalidInputError, match="before its first decision"):
        cap.summary()


def test_measured_functions(meter: ergon.Meter) -> None:
    windows: list[ergon.Window] = []

    @ergon.measured(devices=["gpu0"], on_result=windows.append)
    def fails() -> None:
        raise RuntimeError("failed")

    with pytest.raises(RuntimeError, match="failed"):
        fails()
    assert windows == [fails.window] and windows[0].ended

    with pytest.raises(TypeError, match="generator"):

        @ergon.measured
        def numbers() -> Any:
            yield 1

    assert ergon.measured(functools.partial(int, "7"))() == 7


def test_results_are_immutable_and_can_be_sent() -> None:
    prediction = ergon.predict("resnet18", "h200")
    with pytest.raises(AttributeError, match="immutable"):
        prediction.time_seconds = 0
    copied = pickle.loads(pickle.dumps(prediction))
    assert copied.to_dict() == prediction.to_dict()
    with pytest.raises(ergon.UnsupportedError, match="in this process"):
        copied.plot()


class Loops(nn.Module):
    """Control flow that depends on values."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        for _ in range(int(x.sum()) + 1):
            x = self.layer(x)
        return x


class FixedBatch(nn.Module):
    """A module for one batch only."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.layer(x.reshape(2, 4))


class Counting(nn.Module):
    """A module that replaces its buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Any, **more: Any) -> Any:
        self.calls = self.calls + 1
        return self.layer(x) + more["y"]


def test_traces_that_hold_for_the_example_only_say_so() -> None:
    (warning,) = ergon.torch.predict(Loops(), torch.zeros(2, 8), "h200").warnings[-1:]
    assert "control flow of Loops" in warning and "test_wrong_input.py" in warning
    with pytest.warns(UserWarning, match="control flow of Loops"):
        ergon.torch.inspect(Loops(), torch.zeros(2, 8))


def test_modules_for_one_batch() -> None:
    assert ergon.torch.predict(FixedBatch(), torch.zeros(2, 4), "h200").batch == 2
    with pytest.raises(ergon.ErgonError, match="batch") as wrong:
        ergon.torch.predict(FixedBatch(), torch.zeros(2, 4), "h200", batch=64)
    assert "/tmp" not in str(wrong.value)
    assert ergon.torch.tune(FixedBatch(), torch.zeros(2, 4), "h200").choice.batch == 2


def test_replaced_buffers_and_named_inputs() -> None:
    module = Counting()
    calls = module.calls
    inputs = {"x": torch.zeros(2, 4), "y": torch.zeros(2, 4)}
    assert ergon.torch.predict(module, inputs, "h200", batch=16).batch == 16
    assert module.calls is calls and calls == 0
    with pytest.raises(ergon.UnsupportedError, match="unexpected keyword"):
        ergon.torch.predict(nn.Linear(4, 4), {"input": torch.zeros(2, 4), "zz": 1}, "h200")


@pytest.mark.parametrize("mode", ["inference", "training"])
def test_encoder_layers_of_pytorch(mode: str) -> None:
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    prediction = ergon.torch.predict(layer, torch.zeros(2, 5, 64), "h200", mode=mode)
    assert prediction.energy_joules.low > 0


def test_names_of_classes_may_be_anything() -> None:
    odd = type("a/b" * 100, (nn.Linear,), {})
    assert ergon.torch.predict(odd(4, 4), torch.zeros(2, 4), "h200").batch == 2
