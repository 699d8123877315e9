#!/usr/bin/python3
"""The peer of bench_predict: scikit-learn's random forest, as C. Nicolai's thesis used it, fitted to the rows
of Ergon's models. Two forests, for time and power; the target is the logarithm of measured over estimated.

  predict_sklearn.py TABLE OPERATIONS WORK     TABLE: `ergon fit --table`; OPERATIONS: number to predict
"""
import os
import sys
import time

try:
    import joblib
    import numpy
    import pandas
    import sklearn
    from sklearn.ensemble import RandomForestRegressor
except ImportError as missing:
    sys.exit(f"scikit-learn is not installed ({missing})")

TREES = 100  # as in the thesis
CLOCKS = 200


def row(what, seconds):
    print(f"{what:<66} {1000 * seconds:>9.3f}")


def median_seconds(work, times=9):
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds)[times // 2]


def main():
    table, operations, work = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    rows = pandas.read_csv(table)
    features = rows[[name for name in rows.columns if name.startswith("x_")]].to_numpy(numpy.float32)
    targets = {
        "time": numpy.log(rows["time_seconds"] / rows["estimated_time_seconds"]).to_numpy(),
        "power": numpy.log(rows["power_watts"] / rows["estimated_power_watts"]).to_numpy(),
    }
    paths = {}
    begin = time.perf_counter()
    for name, target in targets.items():
        finite = numpy.isfinite(target)
        forest = RandomForestRegressor(n_estimators=TREES, random_state=1, n_jobs=-1)
        forest.fit(features[finite], target[finite])
        forest.n_jobs = 1  # predict on one thread, like Ergon
        paths[name] = os.path.join(work, f"sklearn-{name}.joblib")
        joblib.dump(forest, paths[name])
    fit_seconds = time.perf_counter() - begin

    size = sum(os.path.getsize(path) for path in paths.values()) / 1e6
    load = median_seconds(lambda: [joblib.load(path) for path in paths.values()])
    forests = [joblib.load(path) for path in paths.values()]
    inputs = features[numpy.resize(numpy.arange(len(features)), operations)]
    sweep = numpy.tile(inputs, (CLOCKS, 1))
    name = f"scikit-learn {sklearn.__version__}"
    row(f"{name}: load two forests of {TREES} trees, {size:.0f} MB", load)
    row(f"{name}: predict {operations} operations",
        median_seconds(lambda: [forest.predict(inputs) for forest in forests]))
    row(f"{name}: predict them at {CLOCKS} clocks",
        median_seconds(lambda: [forest.predict(sweep) for forest in forests], 1))
    print(f"(fitted to {len(rows)} rows in {fit_seconds:.1f} s)")


if __name__ == "__main__":
    main()
