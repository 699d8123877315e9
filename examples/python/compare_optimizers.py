"""Compares the energy of two optimizers, and says whether they differ.

    python3 examples/python/compare_optimizers.py
    python3 examples/python/compare_optimizers.py --device gpu0 --optimizers Adam RMSprop --rounds 8

Both are measured on one board, so the error of its sensor is the same for both: of the uncertainty only the
statistical part counts. The rounds alternate, so that a board that becomes warmer favors neither.
"""

import argparse
import math
import statistics

import ergon
import torch
from torch import nn

# Student's t, by the number of rounds.
T95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}


class Training:
    def __init__(self, optimizer: str, where: str) -> None:
        self.model = nn.Sequential(*[nn.Linear(512, 512) for _ in range(4)]).to(where)
        self.optimizer = getattr(torch.optim, optimizer)(self.model.parameters(), lr=1e-3)
        self.inputs = torch.randn(2, 512, device=where)
        self.run(3)  # warm-up

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.optimizer.zero_grad()
            self.model(self.inputs).square().mean().backward()
            self.optimizer.step()


def main() -> None:
    where = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", help="what to measure (default: the first GPU that CUDA shows)")
    parser.add_argument("--optimizers", nargs=2, default=["SGD", "AdamW"], help="(default: SGD AdamW)")
    parser.add_argument("--rounds", type=int, choices=T95, default=4, help="(default: 4)")
    parser.add_argument("--steps", type=int, default=2000 if where == "cuda" else 20, help="per round")
    options = parser.parse_args()

    meter = ergon.Meter(ergon.select_devices(options.device)[:1])
    trainings = [Training(name, where) for name in options.optimizers]
    windows: list[list[ergon.Window]] = [[], []]
    for index in [0, 1] * options.rounds:
        with meter.measure() as window:
            trainings[index].run(options.steps)
        windows[index].append(window)

    for name, rounds in zip(options.optimizers, windows):
        energy = statistics.mean(each.energy_joules for each in rounds)
        print(f"{name}: {energy:.2f} J per round, valid: {all(each.valid for each in rounds)}")

    # The measurement is uncertain, and the work varies from round to round. The larger of both counts.
    differences = [b.energy_joules - a.energy_joules for a, b in zip(*windows)]
    difference = statistics.mean(differences)
    measured = math.hypot(*(each.statistical_joules for each in sum(windows, []))) / options.rounds
    varied = T95[options.rounds] * statistics.stdev(differences) / math.sqrt(options.rounds)
    print(f"difference: {difference:.2f} J, +- {measured:.2f} J measured, +- {varied:.2f} J between rounds")
    if abs(difference) <= max(measured, varied):
        print("They do not differ measurably; more rounds or steps resolve smaller differences.")
    else:
        print(f"They differ: {options.optimizers[difference > 0]} needs more energy.")


if __name__ == "__main__":
    main()
