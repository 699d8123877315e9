#!/usr/bin/env python3
"""Predicted and measured time and energy of networks outside the training data.

    bench/predict_families.py ERGON FOLDER [ENDING]

FOLDER was written by data/reference/h200/measure_families.py on an H200: families.csv, and onnx/NAME.onnx of each network as
PyTorch exports it. ENDING chooses the file: ".raw" (the default), as it was run, before batch norms are folded away;
".opset17", from the older exporter; "" for the optimized file.
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
    groups, failed, networks = {}, {}, set()
    print(f"{'network':<30}{'':<22}{'measured':>20}{'predicted':>20}{'time':>8}{'energy':>8}")
    for row in csv.DictReader(open(f"{folder}/families.csv")):
        name, file = row["model"], f"{folder}/onnx/{row['model']}{ending}.onnx"
        if name in failed: continue
        if not os.path.exists(file):
            failed[name] = "not exported"
            continue
        prediction, error = predicted(ergon, file, row)
        if error:
            failed[name] = error
            continue
        networks.add(name)
        time, power = float(row["ms_per_iter"]) / 1e3, float(row["p_mean_instant_w"])
        errors = []
        for key, truth in (("time_seconds", time), ("energy_joules", time * power)):
            span = prediction[key]
            errors.append((span["value"] / truth - 1, span["low"] <= truth <= span["high"]))
        bound = "host-bound" if prediction["host_bound"] else "GPU-bound"
        groups.setdefault((prediction["mode"], prediction["precision"], bound), []).append(errors)
        print(f"{name:<30}{prediction['mode'] + ' ' + prediction['precision'] + ' ' + row['batch']:<22}"
              f"{time * 1e3:>11.2f} ms {power:>4.0f} W{prediction['time_seconds']['value'] * 1e3:>11.2f} ms "
              f"{prediction['power_watts']['value']:>4.0f} W{errors[0][0]:>+8.0%}{errors[1][0]:>+8.0%}")
    print(f"\n{len(networks)} networks\n{'':<28}rows   time  energy   coverage of the 90 % interval (time, energy)")
    for group, rows in sorted(groups.items()):
        off = [mean(abs(each[i][0]) for each in rows) for i in (0, 1)]
        coverage = [mean(each[i][1] for each in rows) for i in (0, 1)]
        print(f"{', '.join(group):<28}{len(rows):>4}{off[0]:>7.1%}{off[1]:>8.1%}   {coverage[0]:>6.0%}{coverage[1]:>6.0%}")
    for name, reason in sorted(failed.items()): print(f"{name}: {reason}")


if __name__ == "__main__":
    main()
