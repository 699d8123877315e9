#!/usr/bin/env python3
"""Predicted beside measured, for networks of families that nobody learned from.

    bench/predict_families.py ERGON FOLDER [ENDING]

FOLDER is what data/reference/h200/measure_families.py wrote on an H200: families.csv, and onnx/NAME.onnx of each network as
PyTorch exports it. ENDING picks another file of each: ".raw" (the default), as it was run, before batch norms are folded
away; ".opset17", by the exporter of years before; "" for the optimised file.
"""
import csv, json, os, subprocess, sys
from statistics import mean


def predicted(ergon, file, row):
    done = subprocess.run([ergon, "predict", file, "--device", "h200", "--batch", row["batch"], "--json",
                           "--mode", "training" if row["mode"] == "train" else "inference",
                           "--precision", "tf32" if row["dtype"] == "tf32conv" else "bf16"], capture_output=True, text=True)
    return (json.loads(done.stdout), None) if done.returncode == 0 else (None, done.stderr.strip())


def main():
    ergon, folder = sys.argv[1:3]
    ending = sys.argv[3] if len(sys.argv) > 3 else ".raw"
    sorts, refused, networks = {}, {}, set()
    print(f"{'network':<30}{'':<22}{'measured':>20}{'predicted':>20}{'time':>8}{'energy':>8}")
    for row in csv.DictReader(open(f"{folder}/families.csv")):
        name, file = row["model"], f"{folder}/onnx/{row['model']}{ending}.onnx"
        if name in refused: continue
        if not os.path.exists(file):
            refused[name] = "the exporter wrote no such file"
            continue
        answer, trouble = predicted(ergon, file, row)
        if trouble:
            refused[name] = trouble
            continue
        networks.add(name)
        time, power = float(row["ms_per_iter"]) / 1e3, float(row["p_mean_instant_w"])
        errors = []
        for key, truth in (("time_seconds", time), ("energy_joules", time * power)):
            span = answer[key]
            errors.append((span["value"] / truth - 1, span["low"] <= truth <= span["high"]))
        waits = "waits" if answer["host_bound"] else "busy"
        sorts.setdefault((answer["mode"], answer["precision"], waits), []).append(errors)
        print(f"{name:<30}{answer['mode'] + ' ' + answer['precision'] + ' ' + row['batch']:<22}"
              f"{time * 1e3:>11.2f} ms {power:>4.0f} W{answer['time_seconds']['value'] * 1e3:>11.2f} ms "
              f"{answer['power_watts']['value']:>4.0f} W{errors[0][0]:>+8.0%}{errors[1][0]:>+8.0%}")
    print(f"\n{len(networks)} networks\n{'':<28}rows   time  energy   in the 90 % interval (time, energy)")
    for sort, rows in sorted(sorts.items()):
        off = [mean(abs(each[i][0]) for each in rows) for i in (0, 1)]
        held = [mean(each[i][1] for each in rows) for i in (0, 1)]
        print(f"{', '.join(sort):<28}{len(rows):>4}{off[0]:>7.1%}{off[1]:>8.1%}   {held[0]:>6.0%}{held[1]:>6.0%}")
    for name, why in sorted(refused.items()): print(f"{name}: {why}")


if __name__ == "__main__":
    main()
