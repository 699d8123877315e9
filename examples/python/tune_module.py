"""Finds the batch and the clock at which a module needs the least energy within a latency bound.

    python3 examples/python/tune_module.py
    python3 examples/python/tune_module.py --device h200 a30 --max-latency 5ms

Nothing runs on a GPU: the module is traced, and its cost predicted. `ergon.twin_names()` has the names of
the devices.
"""

import argparse

import ergon
import ergon.torch
import torch
from torch import nn


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.body(x))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", nargs="+", default=["h200"], help="one or several (default: h200)")
    parser.add_argument("--max-latency", default="1ms", help="of a batch (default: 1ms)")
    parser.add_argument("--precision", help="fp32, tf32, bf16 or fp16 (default: the module's)")
    options = parser.parse_args()

    blocks = [Block(64) for _ in range(4)]
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    module = nn.Sequential(nn.Conv2d(3, 64, 7, stride=2, padding=3), *blocks, *head)
    image = torch.zeros(1, 3, 64, 64)

    tuned = ergon.torch.tune(
        module, image, options.device, max_latency=options.max_latency, precision=options.precision
    )
    best = tuned.choice
    print(f"{best.device}, batch {best.batch}, {best.clock_hertz / 1e6:.0f} MHz, {tuned.precision}")
    for quantity in ("time_seconds", "power_watts", "energy_per_sample_joules"):
        interval = best.intervals[quantity]
        print(f"{quantity}: {best[quantity]:.4g} (90 % interval {interval.low:.4g} to {interval.high:.4g})")
    print(f"saves {100 * tuned.energy_saving:.1f} % of the energy at the default clock and the same batch")

    # The Pareto front is in the order of latency, so the last point of a batch needs the least energy.
    print("\nbatch  clock (MHz)  latency (ms)  energy/sample (mJ)")
    for point in {each.batch: each for each in tuned.pareto}.values():
        latency, energy = 1e3 * point.time_seconds, 1e3 * point.energy_per_sample_joules
        print(f"{point.batch:5}{point.clock_hertz / 1e6:13.0f}{latency:14.3f}{energy:20.3f}")


if __name__ == "__main__":
    main()
