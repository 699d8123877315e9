"""The examples run as programs, and their numbers are those of the simulated GPUs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY, FakeGpus

pytest.importorskip("torch")

EXAMPLES = REPOSITORY / "examples" / "python"


def run_example(name: str, *arguments: str) -> list[str]:
    """The lines that an example prints."""
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return ran.stdout.splitlines()


def numbers(line: str) -> list[float]:
    """The numbers in a line."""
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", line)]


def test_measure_epoch(fake_gpus: FakeGpus) -> None:
    header, *rows = run_example("measure_epoch", "--device", "gpu1", "--epochs", "3")
    assert header.split()[:2] == ["epoch", "loss"]
    assert len(rows) == 3
    losses = []
    for epoch, row in enumerate(rows, start=1):
        assert row.endswith("  yes"), row
        number, loss, seconds, energy, low, high, per_sample = numbers(row)
        assert number == epoch
        assert low < energy < high
        # The power of the GPU is steady.
        assert energy / seconds == pytest.approx(fake_gpus.watts(1), rel=0.05)
        assert per_sample * 4096 / 1e3 == pytest.approx(energy, rel=0.001)
        losses.append(loss)
    assert losses == sorted(losses, reverse=True), "the module learns"


def test_measure_epoch_says_that_another_process_uses_a_gpu(fake_gpus: FakeGpus) -> None:
    (row,) = run_example("measure_epoch", "--epochs", "1", "--samples", "2048")[1:]
    values, reason = row.split("  no: ")
    assert reason.startswith("other_process: gpu0: ")
    _, _, seconds, energy, _, _, per_sample = numbers(values)
    assert energy / seconds == pytest.approx(fake_gpus.watts(0) + fake_gpus.watts(1), rel=0.05)
    assert per_sample * 2048 / 1e3 == pytest.approx(energy, rel=0.001)


def test_compare_optimizers() -> None:
    first, second, difference, verdict = run_example("compare_optimizers", "--device", "gpu1")
    energies = []
    for line, name in ((first, "SGD"), (second, "AdamW")):
        assert line.startswith(f"{name}: ") and line.endswith("valid: True"), line
        energies.append(numbers(line)[0])
    mean, measured, varied = numbers(difference)
    assert mean == pytest.approx(energies[1] - energies[0], abs=0.02)
    # The statistical part alone is a small part of the uncertainty, which is 5 % on an H200.
    assert 0 < measured < 0.02 * min(energies)
    if abs(mean) > max(measured, varied):
        assert verdict == f"They differ: {'AdamW' if mean > 0 else 'SGD'} needs more energy."
    else:
        assert verdict.startswith("They do not differ measurably")


def test_tune_module() -> None:
    lines = run_example("tune_module", "--max-latency", "1ms")
    device, rest = lines[0].split(", ", 1)
    batch, megahertz = numbers(rest)[:2]
    assert device == "h200" and rest.endswith("tf32")
    assert batch in {2**power for power in range(9)} and 345 <= megahertz <= 1980
    (seconds, *_), (power, *_), (energy, *_) = values = [numbers(line) for line in lines[1:4]]
    for value, _, low, high in values:
        assert low < value < high
    assert seconds <= 0.001
    assert 70 < power <= 700
    assert energy == pytest.approx(power * seconds / batch, rel=0.01)
    assert 0 < numbers(lines[4])[0] < 60
    table = [numbers(line) for line in lines[7:]]
    assert [row[0] for row in table] == sorted(row[0] for row in table) and len(table) > 3
    within = [row for row in table if row[2] <= 1]
    assert min(row[3] for row in within) >= energy * 1e3 * 0.999, "the choice needs the least energy"


def test_hold_cap() -> None:
    header, *decisions, settled, throughput, violation = run_example("hold_cap", "--watts", "400")
    assert header.startswith("time (s)")
    assert decisions[0].split()[1] == "1", "the loop begins with the smallest batch"
    assert 4 < numbers(settled)[0] <= 16
    samples_per_second, mean_watts = numbers(throughput)
    assert 1000 < samples_per_second < 5000
    assert 250 < mean_watts < 400
    above, duration, cap = numbers(violation)
    assert cap == 400
    assert above < 0.25 * duration and duration == pytest.approx(3, abs=0.5)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_help_and_usage(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert f"python3 examples/python/{example.name}" in text
    assert len(text.splitlines()) <= 70
    help_text = "\n".join(run_example(example.stem, "--help"))
    for option in re.findall(r"--[a-z-]+", text.split('"""')[1]):
        assert option in help_text
