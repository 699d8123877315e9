"""Predictions, operating points, networks: values equal the program's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ergon
from conftest import REPOSITORY


def program(*arguments: str) -> dict[str, Any]:
    """The JSON document of a command."""
    ran = subprocess.run(
        [os.environ["ERGON_PROGRAM"], *arguments, "--json"], capture_output=True, check=True
    )
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def without_command(document: dict[str, Any]) -> dict[str, Any]:
    provenance = {
        name: value
        for name, value in document["provenance"].items()
        if name not in ("command", "created", "commit")
    }
    return {**document, "provenance": provenance}


def test_prediction_is_that_of_the_program() -> None:
    prediction = ergon.predict(
        "resnet50", device="h200", batch=32, mode="training", precision="bf16", clock="1200MHz"
    )
    expected = program(
        *"predict resnet50 --device h200 --batch 32 --mode training".split(),
        *"--precision bf16 --clock 1200MHz".split(),
    )
    assert without_command(prediction.to_dict()) == without_command(expected)
    assert prediction["provenance"]["command"] == sys.argv
    time = prediction.time_seconds
    assert time.low < time.value < time.high
    assert float(time) == time.value == expected["time_seconds"]["value"]
    assert prediction.samples_per_second == pytest.approx(32 / time.value)
    assert prediction.clock_hertz == 1.2e9
    assert prediction.simulated
    assert prediction.operations[0].energy_joules > 0


def test_clocks_as_numbers_and_texts() -> None:
    by_text = ergon.predict("resnet18", "h200", clock="1.2GHz", power_limit="500W")
    by_number = ergon.predict("resnet18", "h200", clock=1.2e9, power_limit=500)
    assert by_text.time_seconds == by_number.time_seconds
    assert by_text.time_seconds != ergon.predict("resnet18", "h200").time_seconds


def test_options_of_networks() -> None:
    small = ergon.predict("resnet18", "h200", batch=8, image_size=64)
    large = ergon.predict("resnet18", "h200", batch=8, image_size=448)
    assert small.energy_joules.high < large.energy_joules.low
    network = ergon.Network("gpt2", sequence=128)
    assert ergon.predict(network, "h200", batch=4).batch == 4
    assert (network.name, network.default_batch, network.batch_is_fixed) == ("gpt2", None, False)
    assert network.family in repr(network) or "gpt2" in repr(network)


def test_files_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ergon.NotFoundError, match="missing.json"):
        ergon.predict("resnet18", "h200", model=tmp_path / "missing.json")
    with pytest.raises(ergon.NotFoundError, match="missing.onnx"):
        ergon.Network(tmp_path / "missing.onnx")


def test_tune_is_that_of_the_program() -> None:
    tuned = ergon.tune("resnet50", ["h200", "a30"], max_latency="20ms", batches=[8, 16, 32])
    expected = program(
        *"tune resnet50 --device h200,a30 --max-latency 20ms --batch 8,16,32".split()
    )
    assert without_command(tuned.to_dict()) == without_command(expected)
    assert tuned.choice.time_seconds <= 0.02
    assert 0 < tuned.energy_saving < 1
    assert tuned.energy_saving == expected["energy_saving"]
    assert len(tuned.to_pandas()) == len(tuned.pareto) > 0


def test_tune_with_prices_and_bounds() -> None:
    tuned = ergon.tune(
        "resnet50",
        "h200",
        objective="price",
        min_throughput=1000,
        max_power="600W",
        power_limits=["400W", 500],
        price_per_kwh=0.3,
        price_per_gpu_hour={"h200": 3.0},
        min_clock="900MHz",
        max_clock=1.5e9,
    )
    assert tuned.objective == "price"
    assert tuned.choice.power_watts <= 600
    assert tuned.choice.samples_per_second >= 1000
    assert 0.9e9 <= tuned.choice.clock_hertz <= 1.5e9
    unlocked = ergon.tune("resnet50", "h200", lock_clocks=False)
    assert unlocked.choice.requested_clock_hertz is None


def test_inspect_and_zoo_are_those_of_the_program() -> None:
    inspection = ergon.inspect("resnet50", batch=2, mode="training")
    expected = program(*"inspect resnet50 --batch 2 --mode training".split())
    assert without_command(inspection.to_dict()) == without_command(expected)
    assert inspection.totals.macs > 0
    assert len(inspection.to_pandas()) == len(inspection.layers)
    zoo = ergon.zoo()
    assert without_command(zoo.to_dict()) == without_command(program("zoo"))
    assert "keras/resnet101" in zoo.names()
    assert set(zoo.to_pandas()["family"]) == {name.split("/")[0] for name in zoo.names()}


def test_wrong_input_says_what_to_do() -> None:
    with pytest.raises(ergon.UnknownNameError, match='did you mean "resnet50"'):
        ergon.predict("resnet5", "h200")
    with pytest.raises(ergon.UnknownNameError, match="h200"):
        ergon.predict("resnet50", "h2000")
    with pytest.raises(ergon.UnknownNameError, match="fp32, tf32, bf16, fp16"):
        ergon.predict("resnet50", "h200", precision="fp8")
    with pytest.raises(ergon.UnknownNameError, match="inference, training"):
        ergon.inspect("resnet50", mode="train")
    with pytest.raises(ergon.UnknownNameError, match="python, native, transformers"):
        ergon.predict("resnet50", "h200", host="java")
    with pytest.raises(ergon.UnknownNameError, match="energy-delay"):
        ergon.tune("resnet50", "h200", objective="speed")
    with pytest.raises(ergon.InvalidInputError, match="clock.*is a power") as wrong:
        ergon.predict("resnet50", "h200", clock="250W")
    assert isinstance(wrong.value, ValueError)
    assert wrong.value.kind == "invalid_input"
    with pytest.raises(ergon.NotFoundError) as missing:
        ergon.inspect("missing.onnx")
    assert isinstance(missing.value, FileNotFoundError)
    with pytest.raises(ergon.OutOfMemoryError) as memory:
        ergon.predict("resnet50", "h200", batch=100_000)
    assert isinstance(memory.value, MemoryError)
    with pytest.raises(ergon.InvalidInputError, match="latency"):
        ergon.tune("resnet50", "h200", max_latency="1us")


def test_plots_with_matplotlib_and_as_svg(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prediction = ergon.predict("resnet18", "h200", batch=8)
    tuned = ergon.tune("resnet18", "h200", batches=[8])
    figure = prediction.plot("time_seconds")
    assert figure.axes[0].get_xlabel() == "core clock (MHz)"
    assert figure.axes[0].get_ylabel() == "time (s)"
    assert [each.get_text() for each in tuned.plot().axes[0].get_legend().get_texts()] == [
        "Pareto front",
        "choice",
        "default settings",
    ]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    drawn = prediction.plot()
    drawn.save(tmp_path / "plot.svg")
    svg = (tmp_path / "plot.svg").read_text()
    assert svg.startswith("<svg") and "resnet18 on h200" in svg and "polygon" in svg
    assert svg.count("<circle") == 0
    assert tuned.plot()._repr_svg_().count("<circle") == 2


def test_results_for_people() -> None:
    prediction = ergon.predict("resnet50", "h200", batch=32)
    assert "90 %" not in repr(prediction)
    assert "resnet50" in repr(prediction) and "time (s)" in prediction._repr_html_()
    tuned = ergon.tune("resnet50", "h200")
    assert "energy saved" in tuned._repr_html_() and " %" in repr(tuned)
    with pytest.raises(AttributeError, match="has no field 'time_second'; it has"):
        prediction.time_second


def test_documents_are_mappings() -> None:
    prediction = ergon.predict("resnet18", "h200")
    assert prediction["network"] == "resnet18" and len(prediction) == len(prediction.to_dict())
    assert "time_seconds" in prediction and "time_seconds" in dir(prediction)
    changed = prediction.to_dict()
    changed["network"] = "other"
    assert prediction.network == "resnet18"


def test_intervals() -> None:
    low, high = ergon.Interval(1.0, 0.9, 1.1), ergon.Interval(1.3, 1.2, 1.4)
    assert not low.overlaps(high) and low.overlaps(ergon.Interval(1.05, 1.0, 1.1))
    assert (high / 2).value == pytest.approx(0.65)
    assert str(low) == "1 (0.9 to 1.1)"
    with pytest.raises(ZeroDivisionError):
        low / 0


def test_profile_on_a_twin() -> None:
    profile = ergon.profile("resnet18", device="h200", batch=8, duration="200ms")
    assert profile.simulated and profile.valid and profile.engine == "twin"
    assert profile.energy_joules.low < profile.energy_joules.value < profile.energy_joules.high
    assert profile.time_seconds.value * profile.power_watts.value == pytest.approx(
        profile.energy_joules.value, rel=0.01
    )


def test_the_module_is_the_program() -> None:
    arguments = ["tune", "resnet50", "--device", "h200"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    by_module = subprocess.run(
        [sys.executable, "-m", "ergon", *arguments], capture_output=True, env=environment
    )
    by_program = subprocess.run([os.environ["ERGON_PROGRAM"], *arguments], capture_output=True)
    assert by_module.returncode == by_program.returncode == 0
    assert by_module.stdout == by_program.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "ergon", "tun"], capture_output=True, env=environment
    )
    assert wrong.returncode == 2
    missing = subprocess.run(
        [sys.executable, "-m", "ergon", "zoo"],
        capture_output=True,
        env={**environment, "ERGON_PROGRAM": "/nonexistent/ergon"},
    )
    assert missing.returncode == 1 and b"/nonexistent/ergon" in missing.stderr


def test_version() -> None:
    header = (REPOSITORY / "include/ergon/version.h").read_text()
    numbers = [line.split()[2] for line in header.splitlines() if "define ERGON_VERSION_" in line]
    assert ergon.__version__ == ".".join(numbers)
    with pytest.raises(AttributeError, match="no attribute 'predictt'"):
        ergon.predictt
    assert {"torch", "zeus", "predict"} <= set(dir(ergon))
